"""Neighbours on a grid, random numbers, layouts and openings."""
