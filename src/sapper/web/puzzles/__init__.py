"""Training puzzles and ratings."""
