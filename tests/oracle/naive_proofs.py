"""Reference proofs and difficulties, by trying all assignments and all subsets of the numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction

from sapper.board.board import Board
from tests.oracle.naive import count_numbers, opening


class AllAssignments:
    """All assignments of mines to the unknown cells.

    An assignment is its mines, whether their number equals the mine count, and the numbers that it
    violates. *known* maps covered cells to 1 (mine) or 0 (safe).
    """

    def __init__(self, board: Board, marks, mines: int | None = None, known=None):
        self.board, self.marks, self.mines = board, [int(m) for m in marks], mines
        self.known = dict(known or {})
        self.numbers = [c for c in board.cells if self.marks[c] >= 0]
        self.unknown = [c for c in board.cells if self.marks[c] < 0 and c not in self.known]
        known_mines = {c for c, value in self.known.items() if value == 1}
        self.assignments = []
        for bits in range(2 ** len(self.unknown)):
            placed = {c for i, c in enumerate(self.unknown) if bits >> i & 1}
            all_mines = placed | known_mines
            violated = {
                h for h in self.numbers if self.marks[h] != _mines_around(board, h, all_mines)
            }
            self.assignments.append((placed, len(all_mines) == mines, violated))

    def counter_examples(
        self, cell: int | None, value: int, with_count: bool
    ) -> list[frozenset[int]]:
        """Return the minimal sets of numbers violated by the assignments against a move."""
        found = {
            frozenset(violated)
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
        distance = distances(self.board, cell) if cell is not None else dict.fromkeys(useful, 0)
        for size in range(len(useful) + 1):
            found = [
                subset
                for subset in itertools.combinations(useful, size)
                if all(violated.intersection(subset) for violated in against)
            ]
            if found:
                return min(found, key=lambda s: (sum(distance.get(h, 0) for h in s), sum(s), s))
        return None

    def certain(self, with_count: bool = False) -> dict[int, int]:
        """Return the cells that have the same value in every solution, with that value."""
        solutions = [
            placed
            for placed, count_holds, violated in self.assignments
            if not violated and (count_holds or not with_count)
        ]
        return {
            c: int(c in solutions[0])
            for c in self.unknown
            if solutions and len({c in placed for placed in solutions}) == 1
        }

    def probabilities(self) -> dict[int, Fraction]:
        """Return the exact probability of every unknown cell, with the mine count."""
        solutions = [
            placed
            for placed, count_holds, violated in self.assignments
            if count_holds and not violated
        ]
        return {
            c: Fraction(sum(c in placed for placed in solutions), len(solutions))
            for c in self.unknown
        }


def _mines_around(board: Board, cell: int, mines: set[int]) -> int:
    return sum(int(d) in mines for d in board.around(cell))


def distances(board: Board, start: int) -> dict[int, int]:
    """Return the distance from a cell to every cell; 2**18 - 1 where there is no path."""
    distance = dict.fromkeys(board.cells, 2**18 - 1) | {start: 0}
    queue = [start]
    for cell in queue:
        for other in map(int, board.around(cell)):
            if distance[other] > distance[cell] + 1:
                distance[other] = distance[cell] + 1
                queue.append(other)
    return distance


def difficulty_step(
    board: Board, marks, mines: int | None, known
) -> tuple[str, dict[int, int]] | None:
    """Return the lowest difficulty at which a move is certain, with all its moves."""
    assignments = AllAssignments(board, marks, mines, known)
    certain = assignments.certain()
    sizes = {c: len(assignments.smallest(c, v)) for c, v in certain.items()}
    for size, name in ((1, "one"), (2, "two"), (3, "three"), (99, "four")):
        moves = {c: v for c, v in certain.items() if sizes[c] <= size}
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
        found = difficulty_step(board, marks, len(mines), known)
        if found is None:
            probabilities = AllAssignments(board, marks, len(mines), known).probabilities()
            safe = [c for c in probabilities if c not in mines]
            revealed |= opening(board, mines, min(safe, key=lambda c: (probabilities[c], c)))
            guesses += 1
            continue
        name, moves = found
        used.add(name)
        before = len(revealed)
        for cell, value in moves.items():
            if value:
                known[cell] = 1
            else:
                revealed |= opening(board, mines, cell)
        revealed_by[name] += len(revealed) - before
    return max(used, key=names.index), revealed_by, guesses
