"""The SQLite database of the page."""
