"""Training of the networks of `learned` and `shrewd`: data, fitting, checks. Not in the wheel."""
