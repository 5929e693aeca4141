"""Strategies 1 to 7 and the moves of each difficulty."""
