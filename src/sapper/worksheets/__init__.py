"""Worksheets: their kinds, options, problems and pages."""
