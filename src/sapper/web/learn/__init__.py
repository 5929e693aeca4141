"""Lessons and exercises."""
