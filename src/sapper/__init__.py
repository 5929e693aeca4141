"""Sapper."""
