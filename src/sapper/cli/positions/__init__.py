"""Commands that ask about one position."""
