"""Commands that take a position."""
