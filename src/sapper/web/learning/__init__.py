"""Learning: lessons, the step that each teaches, positions to practise it on."""
