"""Proofs from one or two hints by looking around a cell, where there is no time for more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.proofs.prove import Proof
from sapper.infer.slagle.strategies import ONE_HINT, TWO_HINTS, read_hint, read_pair
from sapper.infer.solution import Deduction
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.model.frame import FLAG, Frame
from sapper.model.move import Move


def simple_step(frame: Frame) -> list[Proof]:
    """The moves of the first step beyond mines of single hints that one or two hints give.

    Nothing is believed of flags: a wrong one comes first, and a right one is no move.
    """
    climb = Climb(frame.without_flags())
    flagged = frame.marks == FLAG
    while (found := climb.of_few()) is not None:
        rung, moves = found
        cells = np.flatnonzero(moves == FREE)
        cells = cells[flagged[cells]] if flagged[cells].any() else cells
        if not len(cells):
            new = np.flatnonzero((moves == MINE) & ~flagged)
            if rung == RUNGS[0].name or not len(new):
                climb.known[moves == MINE] = MINE
                continue
            cells = new
        marks = dict.fromkeys(np.flatnonzero(climb.known == MINE).tolist(), FLAG)
        seen = frame.without_flags().with_marks(marks)
        return [look_around(seen, int(cell)) for cell in cells]
    return []


def simple_knowledge(frame: Frame) -> tuple[list[int], list[int]]:
    """The mines and the free cells that one or two hints at a time give, as on paper."""
    climb = Climb(frame.without_flags())
    while (found := climb.of_few()) is not None:
        _, moves = found
        np.copyto(climb.known, moves, where=moves != UNKNOWN)
    covered = frame.marks < 0
    mines, free = ((climb.known == value) & covered for value in (MINE, FREE))
    return np.flatnonzero(mines).tolist(), np.flatnonzero(free).tolist()


def look_around(frame: Frame, cell: int) -> Proof:
    """The proof of a move that one or two hints give, flags trusted."""
    for deduction in _deductions(frame, cell):
        if cell in deduction.flag or cell in deduction.reveal:
            move = Move("flag" if cell in deduction.flag else "reveal", cell)
            return Proof(frame, move, deduction.hints, mine_count=False, trust_flags=True)
    raise AssertionError("one or two hints were said to give it")


def _deductions(frame: Frame, cell: int) -> Iterator[Deduction]:
    around = [int(hint) for hint in frame.board.around(cell) if frame.marks[hint] >= 0]
    for hint in around:
        for single in ONE_HINT:
            yield single(read_hint(frame, hint))
    for hint in around:
        for other in _sharing(frame, hint):
            for double in TWO_HINTS:
                yield double(read_pair(frame, hint, other))


def _sharing(frame: Frame, hint: int) -> list[int]:
    """The other hints that see a blank of this one, ascending."""
    found = {
        int(other)
        for blank in frame.blanks_around(hint)
        for other in frame.board.around(blank)
        if frame.marks[other] >= 0
    }
    return sorted(found - {hint})
