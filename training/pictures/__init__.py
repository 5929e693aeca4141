"""Invented skins, and the training of the network that reads pictures of boards."""
