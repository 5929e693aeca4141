"""Text, JSON and binary formats of positions and layouts, including those of other programs."""
