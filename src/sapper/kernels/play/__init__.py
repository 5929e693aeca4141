"""Whole games without a step of Python between the moves."""
