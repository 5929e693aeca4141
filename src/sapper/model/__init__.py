"""Boards, rules, frames, deals, games and their notation: no inference, no drawing."""
