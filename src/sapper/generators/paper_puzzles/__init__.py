"""Paper tables: positions whose numbers alone allow exactly one solution."""
