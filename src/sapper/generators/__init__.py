"""Generators of layouts, paper puzzles and training puzzles, and the grading of layouts."""
