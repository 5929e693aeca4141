"""Smallest proofs: hitting sets over repaired placements."""
