"""The solvers of the papers, the exact solver, and the registry SOLVERS."""
