"""Worksheets on the page."""
