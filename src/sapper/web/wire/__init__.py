"""What the page asks for and what it is told."""
