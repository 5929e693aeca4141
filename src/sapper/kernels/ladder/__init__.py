"""Strategies and rungs on flat arrays."""
