"""Playing: sessions, players, whole games."""
