"""Climbing the table of difficulty: what the simplest numbers give, step after step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sapper.board.position import FLAG, Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.kernels import view
from sapper.kernels.codes import MINE, OK, PROVED, SAFE, UNKNOWN
from sapper.kernels.proofs.search import prove, set_weights
from sapper.kernels.solvers.human import reset_solver
from sapper.kernels.solvers.passes import clear_verdicts, pass_one, pass_two, update_marks
from sapper.proofs.constraints import Constraints, Knowledge, initial_knowledge
from sapper.proofs.difficulty import DIFFICULTIES, NO_LIMIT, difficulty_of
from sapper.solvers.human_compiled import make_human_state

# Steps of the search for a proof of three or more numbers; Expert positions take 300 at most for three.
PROOF_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class DeductionStep:
    """Every move of the lowest difficulty that moves; cells ascending."""

    difficulty: str
    flag: tuple[int, ...]
    reveal: tuple[int, ...]


class StepFinder:
    """Deduction as a person does it: the simplest first, carrying along what is known.

    `known` holds UNKNOWN, SAFE or MINE for each cell, and grows with each step.
    A cell that is known to be free shows no number until `see` brings a position in which it is
    revealed; on paper it never does.
    """

    def __init__(
        self,
        position: Position,
        *,
        trust_flags: bool = False,
        use_mine_count: bool = True,
        limit: Limit | None = None,
    ):
        self.position = position
        self.known = initial_knowledge(position, trust_flags)
        self._use_count = use_mine_count
        self._limit = limit or DEFAULT_BUDGET.start()
        self._analyses: dict[bool, Analysis] = {}
        self._ladder = make_human_state(
            position.board, np.empty(len(position.board), dtype=np.int32)
        )
        reset_solver(self._ladder)
        clear_verdicts(self._ladder)

    def see(self, position: Position) -> None:
        """Go on with a position of the same game in which more is revealed."""
        self.position = position
        self.known[position.marks >= 0] = SAFE
        self._analyses.clear()

    def step(self) -> DeductionStep | None:
        """The moves of the lowest difficulty that moves, which are known from then on; None when stuck.

        The position must be satisfiable; a contradictory one may give nonsense before it is noticed.
        """
        found = self.moves()
        if found is None:
            return None
        difficulty, moves = found
        np.copyto(self.known, moves, where=moves != UNKNOWN)
        flag, reveal = (tuple(np.flatnonzero(moves == value).tolist()) for value in (MINE, SAFE))
        return DeductionStep(difficulty, flag, reveal)

    def steps(self) -> Iterator[DeductionStep]:
        """Step after step until stuck."""
        while (step := self.step()) is not None:
            yield step

    def moves(self) -> tuple[str, Knowledge] | None:
        """The lowest difficulty that moves and its moves: SAFE or MINE, UNKNOWN where there is none."""
        self._limit.check("no step by then")
        if not (self.known == UNKNOWN).any():
            return None
        if (found := self.simple_moves()) is not None:
            return found
        moves = self._certain(with_count=False)
        if (moves != UNKNOWN).any():
            return self._simplest(moves)
        if self._use_count and self.position.mines is not None:
            moves = self._certain(with_count=True)
            if (moves != UNKNOWN).any():
                return difficulty_of(1, uses_mine_count=True), moves
        return None

    def simple_moves(self) -> tuple[str, Knowledge] | None:
        """What single numbers give, or else pairs of numbers, or None."""
        ladder = self._ladder
        update_marks(ladder, view(self.position.marks), view(self.known))
        for numbers, look in enumerate((pass_one, pass_two), 1):
            if look(ladder) != OK:
                # Numbers clash, and the analysis of the position will say which.
                return None
            cells, count, verdict = ladder.found_cells()
            if count:
                moves = np.full(len(self.known), UNKNOWN, dtype=np.uint8)
                found = np.asarray(cells)[:count]
                moves[found] = np.asarray(verdict)[found]
                return difficulty_of(numbers), moves
        return None

    def analysis(self, with_count: bool = True) -> Analysis:
        """The exact analysis of the position, with the known mines as trusted flags."""
        if with_count not in self._analyses:
            marks = self.position.marks.copy()
            marks[marks < 0] = np.where(self.known[marks < 0] == MINE, FLAG, -1)
            mines = self.position.mines if with_count else None
            self._analyses[with_count] = analyse(
                Position(self.position.board, marks, mines), trust_flags=True, budget=self._limit
            )
        return self._analyses[with_count]

    def _certain(self, with_count: bool) -> Knowledge:
        """Every certain move that is not known yet.

        What is known follows from the position, so that an analysis holds until the position changes.
        """
        analysis = self.analysis(with_count)
        moves = np.full(len(self.known), UNKNOWN, dtype=np.uint8)
        moves[analysis.certain_mine_cells] = MINE
        moves[analysis.safe_cells] = SAFE
        moves[self.known != UNKNOWN] = UNKNOWN
        return moves

    def _simplest(self, certain: Knowledge) -> tuple[str, Knowledge]:
        """The lowest difficulty above pairs of numbers that gives any of the certain moves."""
        for difficulty in DIFFICULTIES.values():
            if (
                difficulty.numbers is not None
                and difficulty.numbers > 2
                and not difficulty.uses_mine_count
            ):
                moves = self._from_numbers(certain, difficulty.numbers)
                if moves is not None:
                    return difficulty.name, moves
        return difficulty_of(NO_LIMIT), certain

    def _from_numbers(self, certain: Knowledge, most: int) -> Knowledge | None:
        """Those of the certain moves that follow from so many numbers, or None."""
        constraints = Constraints.read(self.position, self.known)
        search = constraints.search(certain, self._limit)
        board = self.position.board
        graph = view(board.offsets), view(board.neighbours)
        moves = np.full_like(certain, UNKNOWN)
        set_weights(search, *graph, -1)
        for cell in np.flatnonzero(certain != UNKNOWN).tolist():
            if prove(search, constraints.place[cell], most, PROOF_STEPS) == PROVED:
                moves[cell] = certain[cell]
            if search.stopped:
                raise self._limit.error("no step by then")
        return moves if (moves != UNKNOWN).any() else None
