"""Kernels that play whole games."""
