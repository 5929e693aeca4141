"""Boards with a promise: graded, without guesses, one-click, paper tables."""
