"""Results, history and charts."""
