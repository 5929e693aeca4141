"""The games in play, on disk, and what they add up to."""
