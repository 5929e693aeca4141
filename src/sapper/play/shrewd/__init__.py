"""The player `shrewd`: a network's best candidates, weighed once more by all that is known."""
