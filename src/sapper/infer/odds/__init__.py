"""Exact odds: the analysis of a frame, the engine's wrapper, big integers."""
