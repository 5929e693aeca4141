"""Inference: what follows from a frame."""
