"""Exact probabilities of positions, tracked positions, sampling, exact counts, conflicts."""
