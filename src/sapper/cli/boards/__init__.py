"""Commands that generate layouts, puzzles and worksheets, and measure layouts."""
