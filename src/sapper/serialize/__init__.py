"""What the commands and the page both say and both ask for: worksheets, requests, results."""
