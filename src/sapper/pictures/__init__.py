"""Reading a position from a screenshot."""
