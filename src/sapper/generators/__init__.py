"""Boards that keep a word: graded, without guesses, one-click, paper tables."""
