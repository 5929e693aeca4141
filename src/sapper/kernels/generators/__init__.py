"""Kernels that search for layouts and puzzles."""
