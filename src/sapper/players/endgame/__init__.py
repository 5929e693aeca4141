"""Exact end games and perfect play."""
