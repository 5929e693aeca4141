"""Strategies and difficulties on flat arrays."""
