"""Whole games by the hundred: campaigns, where they are played, and what came of them."""
