"""Smallest proofs: hitting sets over repaired solutions."""
