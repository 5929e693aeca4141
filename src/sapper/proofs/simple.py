"""Proofs from one or two numbers, found by trying the strategies around a cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.engine.budget import Limit
from sapper.errors import Contradiction, OutOfBudget
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.prover import Proof, Prover
from sapper.proofs.steps import StepFinder
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, read_constraint, read_pair


def simple_step(position: Position) -> list[Proof]:
    """Prove the moves of the easiest step of one or two numbers, without the exact engine.

    Mines that follow from single numbers are taken as known. Flags are not trusted: safe cells with
    a wrong flag come first, and mines that are flagged already are left out.
    """
    finder = StepFinder(position.without_flags())
    flagged = position.marks == FLAG
    while (graded_moves := finder.simple_moves()) is not None:
        difficulty, moves = graded_moves
        cells = np.flatnonzero(moves == SAFE)
        cells = cells[flagged[cells]] if flagged[cells].any() else cells
        if not len(cells):
            new = np.flatnonzero((moves == MINE) & ~flagged)
            if difficulty == DIFFICULTIES.names[0] or not len(new):
                finder.known[moves == MINE] = MINE
                continue
            cells = new
        marks = dict.fromkeys(np.flatnonzero(finder.known == MINE).tolist(), FLAG)
        known = position.without_flags().with_marks(marks)
        return [_simple_proof(known, int(cell)) for cell in cells]
    return []


def simple_certain_cells(position: Position) -> tuple[list[int], list[int]]:
    """Return mines and safe cells that follow from one or two numbers at a time; ignore flags."""
    finder = StepFinder(position.without_flags())
    while (graded_moves := finder.simple_moves()) is not None:
        _, moves = graded_moves
        np.copyto(finder.known, moves, where=moves != UNKNOWN)
    covered = position.marks < 0
    mines, safe = ((finder.known == value) & covered for value in (MINE, SAFE))
    return np.flatnonzero(mines).tolist(), np.flatnonzero(safe).tolist()


def proof_of_move(
    position: Position, move: Move, numbers: tuple[int, ...], limit: Limit
) -> Proof | None:
    """Prove a move that was made, flags trusted; None if it is not certain or takes too long.

    One or two of *numbers*, which the move was deduced from, are used if they prove it; otherwise a
    smallest proof is searched for.

    >>> from sapper.engine.budget import Budget
    >>> proof = proof_of_move(Position.parse("#1F"), Move("reveal", 0), (1,), Budget().start())
    >>> proof.text
    'r1c2 shows 1 and has its mine, r1c3, so r1c1 is safe.'
    """
    cell = move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        return None
    for subset in (*((number,) for number in numbers[:2]), numbers):
        if any(_proves(deduction, move) for deduction in _deductions_of(position, subset)):
            return Proof(position, move, subset, uses_mine_count=False, trust_flags=True)
    try:
        prover = Prover(position, limit, trust_flags=True)
        if prover.certain[cell] != (MINE if move.action == "flag" else SAFE):
            return None
        return prover.proof(cell)
    except (OutOfBudget, Contradiction):
        return None


def _simple_proof(position: Position, cell: int) -> Proof:
    """Prove a move that follows from one or two numbers, flags trusted."""
    for numbers in _numbers_near(position, cell):
        for deduction in _deductions_of(position, numbers):
            for action in ("flag", "reveal"):
                move = Move(action, cell)
                if _proves(deduction, move):
                    used = deduction.number_cells
                    return Proof(position, move, used, uses_mine_count=False, trust_flags=True)
    raise AssertionError("no strategy proves a move that the step finder found")


def _numbers_near(position: Position, cell: int) -> Iterator[tuple[int, ...]]:
    """Yield the numbers around a cell, then pairs of one of them and one that shares its cells."""
    around = [int(number) for number in position.board.around(cell) if position.marks[number] >= 0]
    yield from ((number,) for number in around)
    for number in around:
        others = {
            int(other)
            for covered in position.covered_around(number)
            for other in position.board.around(covered)
            if position.marks[other] >= 0
        }
        yield from ((number, other) for other in sorted(others - {number}))


def _deductions_of(position: Position, numbers: tuple[int, ...]) -> Iterator[Deduction]:
    """Apply all strategies to one or two numbers; none apply to more numbers."""
    if len(numbers) == 1:
        constraint = read_constraint(position, numbers[0])
        yield from (strategy(constraint) for strategy in ONE_NUMBER)
    elif len(numbers) == 2:
        pair = read_pair(position, *numbers)
        if pair.shared:
            yield from (strategy(pair) for strategy in TWO_NUMBERS)


def _proves(deduction: Deduction, move: Move) -> bool:
    return move.cell in (deduction.flag if move.action == "flag" else deduction.reveal)
