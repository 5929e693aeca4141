"""Games on the page."""
