"""Reference proofs and difficulties: all assignments of mines, all subsets of the numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction

from sapper.board.board import Board
from tests.oracle.naive import count_numbers, opening


class Everything:
    """All assignments of mines to the unknown cells, each with the numbers that it violates.

    *known* maps cells to 1 (mine) or 0 (safe) beyond what is revealed.
    """

    def __init__(self, board: Board, marks, mines: int | None = None, known=None):
        self.board, self.marks, self.mines = board, [int(m) for m in marks], mines
        self.known = dict(known or {})
        self.numbers = [c for c in board.cells if self.marks[c] >= 0]
        self.unknown = [c for c in board.cells if self.marks[c] < 0 and c not in self.known]
        already = {c for c, value in self.known.items() if value == 1}
        self.worlds = []
        for bits in range(2 ** len(self.unknown)):
            placed = {c for i, c in enumerate(self.unknown) if bits >> i & 1}
            all_mines = placed | already
            unmet = {h for h in self.numbers if self.marks[h] != _mines_around(board, h, all_mines)}
            self.worlds.append((placed, len(all_mines) == mines, unmet))

    def counter_examples(
        self, cell: int | None, value: int, with_count: bool
    ) -> list[frozenset[int]]:
        """Return the sets of violated numbers of all assignments against a move."""
        found = {
            frozenset(unmet)
            for placed, counted, unmet in self.worlds
            if (counted or not with_count) and (cell is None or (cell in placed) != bool(value))
        }
        return [unmet for unmet in found if not any(other < unmet for other in found)]

    def smallest(self, cell: int | None, value: int, with_count: bool = False, most: int = 99):
        """A smallest set of numbers that proves the move, nearest first; None if there is none."""
        against = self.counter_examples(cell, value, with_count)
        if not all(against):
            return None
        # Numbers that no solution against the move fails to meet are of no use.
        useful = sorted(set().union(*against)) if against else []
        far = distances(self.board, cell) if cell is not None else dict.fromkeys(useful, 0)
        for size in range(min(len(useful), most) + 1):
            found = [
                subset
                for subset in itertools.combinations(useful, size)
                if all(unmet.intersection(subset) for unmet in against)
            ]
            if found:
                return min(found, key=lambda s: (sum(far.get(h, 0) for h in s), sum(s), s))
        return None

    def certain(self, with_count: bool = False) -> dict[int, int]:
        """The cells that have the same value in every solution."""
        good = [p for p, counted, unmet in self.worlds if not unmet and (counted or not with_count)]
        return {
            c: int(c in good[0])
            for c in self.unknown
            if good and len({c in placed for placed in good}) == 1
        }

    def probabilities(self) -> dict[int, Fraction]:
        """The exact probabilities of every unknown cell, with the mine count."""
        good = [placed for placed, counted, unmet in self.worlds if counted and not unmet]
        return {c: Fraction(sum(c in placed for placed in good), len(good)) for c in self.unknown}


def _mines_around(board: Board, cell: int, mines: set[int]) -> int:
    return sum(int(d) in mines for d in board.around(cell))


def distances(board: Board, start: int) -> dict[int, int]:
    """Steps on the board from a cell to each that can be reached; the others are far away."""
    far = dict.fromkeys(board.cells, 2**18 - 1) | {start: 0}
    todo = [start]
    for cell in todo:
        for other in map(int, board.around(cell)):
            if far[other] > far[cell] + 1:
                far[other] = far[cell] + 1
                todo.append(other)
    return far


def difficulty_step(
    board: Board, marks, mines: int | None, known
) -> tuple[str, dict[int, int]] | None:
    """The lowest difficulty that moves, with all its moves."""
    everything = Everything(board, marks, mines, known)
    certain = everything.certain()
    sizes = {c: len(everything.smallest(c, v, most=99)) for c, v in certain.items()}
    for size, name in ((1, "one"), (2, "two"), (3, "three"), (99, "four")):
        moves = {c: v for c, v in certain.items() if sizes[c] <= size}
        if moves:
            return name, moves
    moves = everything.certain(with_count=True) if mines is not None else {}
    return ("count", moves) if moves else None


def grade(board: Board, mines: set[int], click: int) -> tuple[str, dict[str, int], int]:
    """Return the hardest difficulty, the cells revealed by each, and the guesses."""
    names = ["one", "two", "three", "four", "count"]
    numbers = count_numbers(board, mines)
    revealed = opening(board, mines, click)
    known: dict[int, int] = {}
    steps, used, guesses = dict.fromkeys(names, 0), {"one"}, 0
    while len(revealed) < len(board) - len(mines):
        marks = [numbers[c] if c in revealed else -1 for c in board.cells]
        found = difficulty_step(board, marks, len(mines), known)
        if found is None:
            probabilities = Everything(board, marks, len(mines), known).probabilities()
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
        steps[name] += len(revealed) - before
    return max(used, key=names.index), steps, guesses
