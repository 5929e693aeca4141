"""One-click boards: layouts that one click wins, and the proof that there are none."""
