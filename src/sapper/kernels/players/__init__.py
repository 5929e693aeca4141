"""Kernels of the compiled players."""
