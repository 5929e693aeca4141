"""Boards and deals: who touches whom, where the mines are."""
