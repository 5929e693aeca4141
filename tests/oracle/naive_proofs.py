"""Reference proofs and difficulties, by trying all assignments and all subsets of the numbers."""

import itertools
from fractions import Fraction

from sapper import Board
from tests.oracle.naive import count_numbers, distances, opening, subsets

NO_PATH = 2**18 - 1


class AllAssignments:
    """All assignments of mines to the unknown cells.

    An assignment is its mines, whether their number equals the mine count, and the numbers that it
    violates. *known* maps covered cells to 1 (mine) or 0 (safe).
    """

    def __init__(self, board: Board, marks, mines: int | None = None, known=None):
        self.board, known = board, known or {}
        self.unknown = [c for c in board.cells if marks[c] < 0 and c not in known]
        known_mines = {c for c, value in known.items() if value}
        self.assignments = []
        for placed in subsets(self.unknown):
            numbers = count_numbers(board, placed | known_mines)
            violated = {c for c in board.cells if marks[c] >= 0 and marks[c] != numbers[c]}
            count_holds = len(placed) + len(known_mines) == mines
            self.assignments.append((placed, count_holds, frozenset(violated)))

    def solutions(self, with_count: bool) -> list[frozenset[int]]:
        """Return the assignments that violate no number."""
        return [
            placed
            for placed, count_holds, violated in self.assignments
            if not violated and (count_holds or not with_count)
        ]

    def counter_examples(
        self, cell: int | None, value: int, with_count: bool
    ) -> list[frozenset[int]]:
        """Return the minimal sets of numbers violated by the assignments against a move."""
        found = {
            violated
            for placed, count_holds, violated in self.assignments
            if (count_holds or not with_count) and (cell is None or (cell in placed) != bool(value))
        }
        return [violated for violated in found if not any(other < violated for other in found)]

    def smallest(self, cell: int | None, value: int, with_count: bool = False):
        """Return the nearest of the smallest sets of numbers that prove a move, or None.

        If *cell* is None, they prove a contradiction.
        """
        against = self.counter_examples(cell, value, with_count)
        if not all(against):
            return None
        # A number that no assignment against the move violates cannot be part of a smallest proof.
        useful = sorted(set().union(*against)) if against else []
        distance = dict.fromkeys(useful, 0 if cell is None else NO_PATH)
        if cell is not None:
            distance |= distances(self.board, cell)
        for size in range(len(useful) + 1):
            proofs = [
                numbers
                for numbers in itertools.combinations(useful, size)
                if all(violated.intersection(numbers) for violated in against)
            ]
            if proofs:
                return min(proofs, key=lambda s: (sum(distance[n] for n in s), sum(s), s))
        return None

    def certain(self, with_count: bool = False) -> dict[int, int]:
        """Return the cells that have the same value in every solution, with that value."""
        solutions = self.solutions(with_count)
        mines = frozenset(self.unknown).intersection(*solutions)
        safe = frozenset(self.unknown).difference(*solutions)
        return {c: int(c in mines) for c in self.unknown if c in mines | safe} if solutions else {}

    def probabilities(self) -> dict[int, Fraction]:
        """Return the exact probability of every unknown cell, with the mine count."""
        solutions = self.solutions(with_count=True)
        return {
            c: Fraction(sum(c in placed for placed in solutions), len(solutions))
            for c in self.unknown
        }


def closure(board: Board, marks, most: int) -> tuple[dict[int, int], int]:
    """Return what sets of up to *most* numbers decide, and the size of the largest set needed.

    Steps of fewest numbers come first.
    """
    known: dict[int, int] = {}
    hardest = 0
    while True:
        sizes = proof_sizes(AllAssignments(board, marks, known=known))
        size = min((size for _, size in sizes.values()), default=most + 1)
        if size > most:
            return known, hardest
        known |= {cell: value for cell, (value, needed) in sizes.items() if needed == size}
        hardest = max(hardest, size)


def proof_sizes(assignments: AllAssignments) -> dict[int, tuple[int, int]]:
    """Return the value of every certain cell, and how many numbers prove it."""
    certain = assignments.certain()
    return {c: (value, len(assignments.smallest(c, value))) for c, value in certain.items()}


def difficulty_step(
    board: Board, marks, mines: int | None, known
) -> tuple[str, dict[int, int]] | None:
    """Return the lowest difficulty at which a move is certain, with all its moves."""
    assignments = AllAssignments(board, marks, mines, known)
    sizes = proof_sizes(assignments)
    for size, name in ((1, "one"), (2, "two"), (3, "three"), (99, "four")):
        moves = {c: value for c, (value, needed) in sizes.items() if needed <= size}
        if moves:
            return name, moves
    moves = assignments.certain(with_count=True) if mines is not None else {}
    return ("count", moves) if moves else None


def grade(board: Board, mines: set[int], click: int) -> tuple[str, dict[str, int], int]:
    """Return the hardest difficulty, the number of cells revealed by each, and of guesses."""
    names = ["one", "two", "three", "four", "count"]
    numbers = count_numbers(board, mines)
    revealed = opening(board, mines, click)
    known: dict[int, int] = {}
    revealed_by, used, guesses = dict.fromkeys(names, 0), {"one"}, 0
    while len(revealed) < len(board) - len(mines):
        marks = [numbers[c] if c in revealed else -1 for c in board.cells]
        step = difficulty_step(board, marks, len(mines), known)
        if step is None:
            probabilities = AllAssignments(board, marks, len(mines), known).probabilities()
            safe = [c for c in probabilities if c not in mines]
            revealed |= opening(board, mines, min(safe, key=lambda c: (probabilities[c], c)))
            guesses += 1
            continue
        name, moves = step
        used.add(name)
        before = len(revealed)
        for cell, value in moves.items():
            if value:
                known[cell] = 1
            else:
                revealed |= opening(board, mines, cell)
        revealed_by[name] += len(revealed) - before
    return max(used, key=names.index), revealed_by, guesses
