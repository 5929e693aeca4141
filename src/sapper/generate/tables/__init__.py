"""Paper tables: frames whose hints alone allow exactly one placement."""
