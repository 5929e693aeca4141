"""Games, sessions, saved games and replays; batch play, watching, win chances and reviews."""
