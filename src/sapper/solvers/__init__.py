"""The papers' solvers: seven strategies, brute force, backtracking, and the hybrid."""
