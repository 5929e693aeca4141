"""Kernels of tracked positions."""
