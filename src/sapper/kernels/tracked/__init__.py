"""Probabilities of a position that changes move by move; `state` describes the arrays."""
