"""Training puzzles: positions of real games in which something is certain, and ratings."""
