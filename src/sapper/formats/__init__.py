"""Text, JSON and binary formats of positions and layouts."""
