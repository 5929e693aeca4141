"""Perfect play and roll-outs by trying every strategy: sets and recursion, no search of sapper."""

from fractions import Fraction
from functools import cache

from sapper import Board, Position
from tests.oracle.naive import Solution, careful_guess, counted_solutions, neighbours, probabilities


def split_by_number(
    board: Board, solutions: frozenset[Solution], cell: int
) -> dict[int, frozenset[Solution]]:
    """Return the solutions in which a cell is safe, by the number that it shows in them."""
    parts: dict[int, set[Solution]] = {}
    for mines in solutions:
        if cell not in mines:
            parts.setdefault(len(neighbours(board)[cell] & mines), set()).add(mines)
    return {number: frozenset(part) for number, part in parts.items()}


def best_chances(position: Position) -> tuple[Fraction, dict[int, Fraction]]:
    """Return the win chance of the best strategy, and that of each reveal that can be safe."""
    solutions = frozenset(counted_solutions(position))

    @cache
    def best(left: frozenset[Solution], covered: frozenset[int]) -> int:
        """Return how many of the solutions in *left* are won at most."""
        return 1 if len(left) == 1 else max(wins_after(left, covered, c) for c in covered)

    def wins_after(left: frozenset[Solution], covered: frozenset[int], cell: int) -> int:
        """Return the same, if this cell is revealed first."""
        parts = split_by_number(position.board, left, cell)
        return sum(best(part, covered - {cell}) for part in parts.values())

    covered = frozenset(position.without_flags().covered.tolist())
    possible = [c for c in covered if any(c not in mines for mines in solutions)]
    moves = {c: Fraction(wins_after(solutions, covered, c), len(solutions)) for c in possible}
    return Fraction(best(solutions, covered), len(solutions)), moves


def rollout_value(position: Position, cell: int, end_game: int) -> Fraction:
    """Return how often revealing a cell and then playing carefully wins, over all solutions.

    With at most *end_game* solutions left, play is perfect.
    """
    solutions = frozenset(counted_solutions(position))
    return Fraction(_wins_after(position, solutions, cell, end_game), len(solutions))


def _wins_after(
    position: Position, left: frozenset[Solution], cell: int, end_game: int
) -> Fraction:
    parts = split_by_number(position.board, left, cell)
    return sum(_wins(position.with_marks({cell: n}), part, end_game) for n, part in parts.items())


def _wins(position: Position, left: frozenset[Solution], end_game: int) -> Fraction:
    safe = [cell for cell, p in probabilities(position, left).items() if p == 0]
    if safe:
        return _wins_after(position, left, safe[0], end_game)
    if len(left) == 1:
        return Fraction(1)
    if len(left) <= end_game:
        return best_chances(position)[0] * len(left)
    return _wins_after(position, left, careful_guess(position, left), end_game)
