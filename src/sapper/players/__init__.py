"""How each player decides."""
