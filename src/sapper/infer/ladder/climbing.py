"""Climbing the table of difficulty: what the simplest hints give, step after step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sapper.infer.budget import DEFAULT, Limit
from sapper.infer.ladder.rungs import ANY_NUMBER, RUNGS, rung_of
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.proofs.evidence import Evidence, Known, known_cells
from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, OK, PROVED, UNKNOWN
from sapper.kernels.ladder.human import begin_blank
from sapper.kernels.ladder.passes import follow, forget, pass_one, pass_two
from sapper.kernels.proofs.search import prove, weigh
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
        self._ladder = make_ladder(frame.board, np.empty(len(frame.board), dtype=np.int32))
        begin_blank(self._ladder)
        forget(self._ladder)

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
        if not (self.known == UNKNOWN).any():
            return None
        if (found := self.of_few()) is not None:
            return found
        moves = self._certain(with_count=False)
        if (moves != UNKNOWN).any():
            return self._simplest(moves)
        if self._use_count and self.frame.mines is not None:
            moves = self._certain(with_count=True)
            if (moves != UNKNOWN).any():
                return rung_of(1, mine_count=True), moves
        return None

    def of_few(self) -> tuple[str, Known] | None:
        """What single hints give, or else pairs of hints, or None."""
        ladder = self._ladder
        follow(ladder, view(self.frame.marks), view(self.known))
        for hints, look in enumerate((pass_one, pass_two), 1):
            if look(ladder) != OK:
                # Hints clash, and the analysis of the frame will say which.
                return None
            cells, count, verdict = ladder.finds()
            if count:
                moves = np.full(len(self.known), UNKNOWN, dtype=np.uint8)
                found = np.asarray(cells)[:count]
                moves[found] = np.asarray(verdict)[found]
                return rung_of(hints), moves
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
