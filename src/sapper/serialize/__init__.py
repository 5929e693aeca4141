"""Results as JSON and as text, and worksheets, shared by the commands and the page."""
