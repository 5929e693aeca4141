"""Proofs from one or two numbers by looking around a cell, where there is no time for more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.prover import Proof
from sapper.proofs.steps import StepFinder
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, read_constraint, read_pair


def simple_step(position: Position) -> list[Proof]:
    """The moves of the first step beyond mines of single numbers that one or two numbers give.

    Nothing is believed of flags: a wrong one comes first, and a right one is no move.
    """
    finder = StepFinder(position.without_flags())
    flagged = position.marks == FLAG
    while (found := finder.simple_moves()) is not None:
        difficulty, moves = found
        cells = np.flatnonzero(moves == SAFE)
        cells = cells[flagged[cells]] if flagged[cells].any() else cells
        if not len(cells):
            new = np.flatnonzero((moves == MINE) & ~flagged)
            if difficulty == DIFFICULTIES.names[0] or not len(new):
                finder.known[moves == MINE] = MINE
                continue
            cells = new
        marks = dict.fromkeys(np.flatnonzero(finder.known == MINE).tolist(), FLAG)
        seen = position.without_flags().with_marks(marks)
        return [simple_proof(seen, int(cell)) for cell in cells]
    return []


def simple_certain_cells(position: Position) -> tuple[list[int], list[int]]:
    """The mines and the free cells that one or two numbers at a time give, as on paper."""
    finder = StepFinder(position.without_flags())
    while (found := finder.simple_moves()) is not None:
        _, moves = found
        np.copyto(finder.known, moves, where=moves != UNKNOWN)
    covered = position.marks < 0
    mines, safe = ((finder.known == value) & covered for value in (MINE, SAFE))
    return np.flatnonzero(mines).tolist(), np.flatnonzero(safe).tolist()


def simple_proof(position: Position, cell: int) -> Proof:
    """The proof of a move that one or two numbers give, flags trusted."""
    for deduction in _deductions(position, cell):
        if cell in deduction.flag or cell in deduction.reveal:
            move = Move("flag" if cell in deduction.flag else "reveal", cell)
            return Proof(position, move, deduction.numbers, uses_mine_count=False, trust_flags=True)
    raise AssertionError("one or two numbers were said to give it")


def _deductions(position: Position, cell: int) -> Iterator[Deduction]:
    around = [int(number) for number in position.board.around(cell) if position.marks[number] >= 0]
    for number in around:
        for single in ONE_NUMBER:
            yield single(read_constraint(position, number))
    for number in around:
        for other in _sharing(position, number):
            for double in TWO_NUMBERS:
                yield double(read_pair(position, number, other))


def _sharing(position: Position, number: int) -> list[int]:
    """The other numbers that see a covered cell of this one, ascending."""
    found = {
        int(other)
        for covered in position.covered_around(number)
        for other in position.board.around(covered)
        if position.marks[other] >= 0
    }
    return sorted(found - {number})
