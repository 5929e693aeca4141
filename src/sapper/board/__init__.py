"""Boards, tilings, rules, positions, layouts and moves; no inference and no drawing."""
