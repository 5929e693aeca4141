"""Smallest proofs of certain moves, hints, difficulties, deduction step by step."""
