"""Smallest proofs: hitting sets over repaired assignments."""
