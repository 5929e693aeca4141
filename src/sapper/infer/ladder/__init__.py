"""How hard a step is: rungs, climbing them, and solving a table as on paper."""
