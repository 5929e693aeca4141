"""Paper puzzles: positions whose numbers alone have exactly one solution."""
