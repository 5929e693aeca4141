"""Commands in which a game goes on: in the terminal, and on the page."""
