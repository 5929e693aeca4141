"""Boards, rules, positions, deals, games and their notation: no inference, no drawing."""
