"""Commands that make, grade and value boards."""
