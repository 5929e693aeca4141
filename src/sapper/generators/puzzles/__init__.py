"""Puzzles: positions of real games in which something is certain, and how strong one must be."""
