"""The commands and the page as a user meets them."""
