"""Commands about games: play, watch, demo and review."""
