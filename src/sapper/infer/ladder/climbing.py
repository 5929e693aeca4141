"""Climbing the table of difficulty: what the simplest hints give, step after step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sapper.infer.budget import DEFAULT, Limit
from sapper.infer.ladder.rungs import ANY_NUMBER, RUNGS, rung_of
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.proofs.evidence import Evidence, Known, known_cells
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.kernels.ladder.rungs import moves_of_one, moves_of_two
from sapper.kernels.proofs.search import PROVED, prove, weigh
from sapper.model.frame import FLAG, Frame

# Steps of the search for a proof of three or more hints; Expert frames take 300 at most for three.
PROOF_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Step:
    """Every move of the lowest rung that moves; cells ascending."""

    rung: str
    flag: tuple[int, ...]
    reveal: tuple[int, ...]


class Climb:
    """Deduction as a person does it: the simplest first, carrying along what is known.

    `known` holds UNKNOWN, FREE or MINE for each cell, and grows with each step.
    A cell that is known to be free shows no hint until `see` brings a frame in which it is
    revealed; on paper it never does.
    """

    def __init__(
        self,
        frame: Frame,
        *,
        trust_flags: bool = False,
        use_count: bool = True,
        limit: Limit | None = None,
    ):
        self.frame = frame
        self.known = known_cells(frame, trust_flags)
        self._use_count = use_count
        self._limit = limit or DEFAULT.start()
        self._analyses: dict[bool, Analysis] = {}
        n = len(frame.board)
        self._need, self._blanks, self._near = (np.zeros(n, dtype=np.int32) for _ in range(3))
        self._shared = np.zeros(n, dtype=np.int32)

    def see(self, frame: Frame) -> None:
        """Go on with a frame of the same game in which more is revealed."""
        self.frame = frame
        self.known[frame.marks >= 0] = FREE
        self._analyses.clear()

    def step(self) -> Step | None:
        """The moves of the lowest rung that moves, which are known from then on; None when stuck.

        The frame must be satisfiable; a contradictory one may give nonsense before it is noticed.
        """
        found = self.moves()
        if found is None:
            return None
        rung, moves = found
        np.copyto(self.known, moves, where=moves != UNKNOWN)
        flag, reveal = (tuple(np.flatnonzero(moves == value).tolist()) for value in (MINE, FREE))
        return Step(rung, flag, reveal)

    def steps(self) -> Iterator[Step]:
        """Step after step until stuck."""
        while (step := self.step()) is not None:
            yield step

    def moves(self) -> tuple[str, Known] | None:
        """The lowest rung that moves and its moves: FREE or MINE, UNKNOWN where there is none."""
        self._limit.check("no step by then")
        moves = np.full(len(self.known), UNKNOWN, dtype=np.uint8)
        if not (self.known == UNKNOWN).any():
            return None
        board, out = self.frame.board, view(moves)
        arrays = (board.offsets, board.neighbours, self.frame.marks, self.known)
        shared = tuple(map(view, arrays))
        if moves_of_one(*shared, view(self._need), view(self._blanks), out):
            return rung_of(1), moves
        pair = (self._need, self._blanks, self._shared, self._near)
        if moves_of_two(*shared, *map(view, pair), out):
            return rung_of(2), moves
        moves = self._certain(with_count=False)
        if (moves != UNKNOWN).any():
            return self._simplest(moves)
        if self._use_count and self.frame.mines is not None:
            moves = self._certain(with_count=True)
            if (moves != UNKNOWN).any():
                return rung_of(1, mine_count=True), moves
        return None

    def analysis(self, with_count: bool = True) -> Analysis:
        """The exact analysis of the frame, with the known mines as trusted flags."""
        if with_count not in self._analyses:
            marks = self.frame.marks.copy()
            marks[marks < 0] = np.where(self.known[marks < 0] == MINE, FLAG, -1)
            mines = self.frame.mines if with_count else None
            self._analyses[with_count] = analyse(
                Frame(self.frame.board, marks, mines), trust_flags=True, budget=self._limit
            )
        return self._analyses[with_count]

    def _certain(self, with_count: bool) -> Known:
        """Every certain move that is not known yet.

        What is known follows from the frame, so that an analysis holds until the frame changes.
        """
        analysis = self.analysis(with_count)
        moves = np.full(len(self.known), UNKNOWN, dtype=np.uint8)
        moves[analysis.flag_cells] = MINE
        moves[analysis.reveal_cells] = FREE
        moves[self.known != UNKNOWN] = UNKNOWN
        return moves

    def _simplest(self, certain: Known) -> tuple[str, Known]:
        """The lowest rung above pairs of hints that gives any of the certain moves."""
        for rung in RUNGS:
            if rung.hints is not None and rung.hints > 2 and not rung.mine_count:
                moves = self._from_hints(certain, rung.hints)
                if moves is not None:
                    return rung.name, moves
        return rung_of(ANY_NUMBER), certain

    def _from_hints(self, certain: Known, most: int) -> Known | None:
        """Those of the certain moves that follow from so many hints, or None."""
        evidence = Evidence.read(self.frame, self.known)
        search = evidence.search(certain, self._limit)
        board = self.frame.board
        graph = view(board.offsets), view(board.neighbours)
        moves = np.full_like(certain, UNKNOWN)
        weigh(search, *graph, -1)
        for cell in np.flatnonzero(certain != UNKNOWN).tolist():
            if prove(search, evidence.place[cell], most, PROOF_STEPS) == PROVED:
                moves[cell] = certain[cell]
            if search.stopped:
                raise self._limit.error("no step by then")
        return moves if (moves != UNKNOWN).any() else None
