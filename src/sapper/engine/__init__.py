"""Exact probabilities: the analysis of a position, the engine's wrapper, big integers."""
