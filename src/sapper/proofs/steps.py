"""Deduction step by step, easiest first, as a person does it.

`StepFinder` finds the steps. The functions after it prove moves from one or two numbers, by trying
the strategies around a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.errors import Contradiction, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import MINE, OK, PROVED, SAFE, UNKNOWN
from sapper.kernels.proofs.search import prove, set_weights
from sapper.kernels.solvers.human import HumanState, reset_solver
from sapper.kernels.solvers.passes import clear_verdicts, pass_one, pass_two, update_marks
from sapper.proofs.constraints import Constraints, Knowledge, initial_knowledge
from sapper.proofs.difficulty import DIFFICULTIES, NO_LIMIT, difficulty_of
from sapper.proofs.prover import Proof, Prover
from sapper.solvers.human import make_human_state
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, read_constraint, read_pair

# The most steps of a search for a proof of three or more numbers; expert positions take 300.
MAX_PROOF_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class DeductionStep:
    """All moves of the lowest difficulty that has any; cells ascending."""

    difficulty: str
    flag: tuple[int, ...]
    reveal: tuple[int, ...]


def found_moves(human: HumanState, cells: int) -> Knowledge:
    """Return the moves that the last pass of the kernel found: SAFE or MINE by cell."""
    found_cells, count, verdict = human.found_cells()
    moves = np.full(cells, UNKNOWN, dtype=np.uint8)
    decided = np.asarray(found_cells)[:count]
    moves[decided] = np.asarray(verdict)[decided]
    return moves


class StepFinder:
    """Finds deduction steps, easiest first, and stores what they decided.

    `known` has UNKNOWN, SAFE or MINE for each cell, and is extended by each step.
    A cell that is known to be safe shows no number until `update` is called with a position in
    which it is revealed.
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
        self._use_mine_count = use_mine_count
        self._limit = limit or DEFAULT_BUDGET.start()
        self._analyses: dict[bool, Analysis] = {}
        self._human = make_human_state(
            position.board, np.empty(len(position.board), dtype=np.int32)
        )
        reset_solver(self._human)
        clear_verdicts(self._human)

    def update(self, position: Position) -> None:
        """Continue with a later position of the same game."""
        self.position = position
        self.known[position.marks >= 0] = SAFE
        self._analyses.clear()

    def step(self) -> DeductionStep | None:
        """Take the next step; None if nothing more can be deduced.

        The position must have a solution: with a contradictory one the moves may be wrong before
        the contradiction is noticed.
        """
        graded_moves = self.moves()
        if graded_moves is None:
            return None
        difficulty, moves = graded_moves
        np.copyto(self.known, moves, where=moves != UNKNOWN)
        flag, reveal = (tuple(np.flatnonzero(moves == value).tolist()) for value in (MINE, SAFE))
        return DeductionStep(difficulty, flag, reveal)

    def moves(self) -> tuple[str, Knowledge] | None:
        """Return the lowest difficulty that has moves, and the moves: SAFE or MINE by cell."""
        self._limit.check("no deduction step found")
        if not (self.known == UNKNOWN).any():
            return None
        if (graded_moves := self.simple_moves()) is not None:
            return graded_moves
        moves = self._certain(use_mine_count=False)
        if (moves != UNKNOWN).any():
            return self._simplest(moves)
        if self._use_mine_count and self.position.mines is not None:
            moves = self._certain(use_mine_count=True)
            if (moves != UNKNOWN).any():
                return difficulty_of(1, uses_mine_count=True), moves
        return None

    def simple_moves(self) -> tuple[str, Knowledge] | None:
        """Return the moves that single numbers prove, or else pairs of numbers, or None."""
        human = self._human
        update_marks(human, view(self.position.marks), view(self.known))
        for numbers, find in enumerate((pass_one, pass_two), 1):
            if find(human) != OK:
                # Contradictory numbers: the analysis of the position will say which.
                return None
            moves = found_moves(human, len(self.known))
            if (moves != UNKNOWN).any():
                return difficulty_of(numbers), moves
        return None

    def analysis(self, use_mine_count: bool = True) -> Analysis:
        """Return the exact analysis of the position, with the known mines as trusted flags."""
        if use_mine_count not in self._analyses:
            marks = self.position.marks.copy()
            marks[marks < 0] = np.where(self.known[marks < 0] == MINE, FLAG, COVERED)
            mines = self.position.mines if use_mine_count else None
            self._analyses[use_mine_count] = analyse(
                Position(self.position.board, marks, mines), trust_flags=True, budget=self._limit
            )
        return self._analyses[use_mine_count]

    def _certain(self, use_mine_count: bool) -> Knowledge:
        """Return every certain move that is not known yet.

        What is known follows from the position, so an analysis is valid until the position changes.
        """
        analysis = self.analysis(use_mine_count)
        moves = np.full(len(self.known), UNKNOWN, dtype=np.uint8)
        moves[analysis.certain_mine_cells] = MINE
        moves[analysis.safe_cells] = SAFE
        moves[self.known != UNKNOWN] = UNKNOWN
        return moves

    def _simplest(self, certain: Knowledge) -> tuple[str, Knowledge]:
        """Return the lowest difficulty above pairs that has certain moves, and these moves."""
        for difficulty in DIFFICULTIES.values():
            if difficulty.uses_mine_count or difficulty.numbers is None or difficulty.numbers <= 2:
                continue
            moves = self._from_numbers(certain, difficulty.numbers)
            if moves is not None:
                return difficulty.name, moves
        return difficulty_of(NO_LIMIT), certain

    def _from_numbers(self, certain: Knowledge, max_numbers: int) -> Knowledge | None:
        """Return those of the certain moves that follow from *max_numbers* numbers, or None."""
        constraints = Constraints.read(self.position, self.known)
        search = constraints.search(certain, self._limit)
        board = self.position.board
        graph = view(board.offsets), view(board.neighbours)
        moves = np.full_like(certain, UNKNOWN)
        set_weights(search, *graph, -1)
        for cell in np.flatnonzero(certain != UNKNOWN).tolist():
            if prove(search, constraints.index_of[cell], max_numbers, MAX_PROOF_STEPS) == PROVED:
                moves[cell] = certain[cell]
            if search.stopped:
                raise self._limit.error("no deduction step found")
        return moves if (moves != UNKNOWN).any() else None


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


def proof_of_move(
    position: Position, move: Move, numbers: tuple[int, ...], limit: Limit
) -> Proof | None:
    """Prove a move that was made, flags trusted; None if it is not certain or takes too long.

    One or two of *numbers*, which the move was deduced from, are used if they prove it; otherwise a
    smallest proof is searched for.

    >>> from sapper.engine.budget import Budget
    >>> proof = proof_of_move(Position.parse("#1F"), Move("reveal", 0), (1,), Budget().start())
    >>> proof.text
    'r1c2 already touches its mine, r1c3, so r1c1 is safe.'
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
