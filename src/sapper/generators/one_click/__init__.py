"""One-click boards: layouts that one click wins, or proofs that there are none."""
