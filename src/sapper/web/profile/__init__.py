"""Profiles, with export and import."""
