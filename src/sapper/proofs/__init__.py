"""Why a move is certain, and how to say it."""
