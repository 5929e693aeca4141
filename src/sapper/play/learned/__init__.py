"""The player `learned`: a network over the neighbourhood of a candidate, and its weights."""
