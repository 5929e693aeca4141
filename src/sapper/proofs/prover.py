"""Smallest proofs that a move is certain, and smallest contradictions.

A proof uses revealed numbers alone, and the mine count only if it must; it uses no earlier
conclusion. A proof without the mine count is preferred, then one with the fewest numbers, then the
one with the least sum of distances on the board from the cell, then the lowest cells.

>>> from sapper.board.position import Position
>>> proof = explain(Position.parse("1 # # / 1 # # / # # #".replace("/", chr(10))), "reveal r3c1")
>>> proof.numbers, proof.difficulty
(('r1c1', 'r2c1'), 'two')
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.presentation import MAX_NOTEBOOK_CELLS
from sapper.engine import workspace
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.conflicts import (
    contradiction_of_numbers,
    marks_with_numbers,
    require_solution,
    shrink,
)
from sapper.errors import Contradiction, IllegalMove, NotationError, NotCertain, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import MINE, NOT_CERTAIN, PROVED, SAFE, UNKNOWN
from sapper.kernels.proofs.repair import ProofSearch
from sapper.kernels.proofs.search import prove, set_weights
from sapper.proofs.arguments import Argument
from sapper.proofs.constraints import Constraints, Knowledge, initial_knowledge
from sapper.proofs.difficulty import difficulty_of
from sapper.proofs.proof_text import describe
from sapper.sentences import Sentence, plain_text
from sapper.values import check_type
from sapper.wording import percent

MAX_STEPS = 500_000
"""The most steps of a search for a smallest set; after that the proof has an irreducible set."""


@dataclass(frozen=True)
class Proof:
    """A certain move and the numbers from which it follows, in cell order.

    `smallest` is False if the search stopped early: then no number can be dropped, but a smaller
    set may exist.
    """

    position: Position = field(repr=False)
    move: Move
    number_cells: tuple[int, ...]
    uses_mine_count: bool
    smallest: bool = True
    trust_flags: bool = False

    @property
    def cell(self) -> int:
        """The cell of the move."""
        assert self.move.cell is not None
        return self.move.cell

    @property
    def is_mine(self) -> bool:
        """Whether the cell is a mine."""
        return self.move.action == "flag"

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the cells whose numbers are used."""
        return self.position.names(self.number_cells)

    @property
    def difficulty(self) -> str:
        """The name of its difficulty."""
        return difficulty_of(len(self.number_cells), self.uses_mine_count)

    @cached_property
    def text(self) -> str:
        """The proof in words, on one line."""
        return plain_text(self.sentence, self.position.board.names)

    @cached_property
    def sentence(self) -> Sentence:
        """The proof in words, with references to its cells."""
        return self.describe()

    def describe(self, is_premise: bool = False, cell_label: str = "the marked cell") -> Sentence:
        """Return the proof in words, with a label of its cell for a view of the board.

        As a premise, it is shown beside the proof of another move.
        """
        return describe(
            Argument(
                self.position,
                self.number_cells,
                self.uses_mine_count,
                self.cell,
                self.is_mine,
                self.trust_flags,
                is_premise,
                cell_label,
            )
        )

    def __str__(self) -> str:
        return f"{self.move.format(self.position.board)}: {self.text}"

    def _repr_svg_(self) -> str | None:
        # Imported here because render is a layer above.
        from sapper.render.svg import proof_svg

        if len(self.position.board) > MAX_NOTEBOOK_CELLS:
            return None
        return proof_svg(self.position, [self.move], self.number_cells)


def explain(
    position: Position,
    move: Move | str,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Proof:
    """Return a smallest proof of a certain move, or of what is certain about a named cell.

    Raises NotCertain, with the probability, if the move is not certain, and Contradiction, with a
    smallest set of contradictory numbers, if the position has no solution.
    """
    check_type(position, Position, "a position")
    check_type(move, (Move, str), "a move such as 'reveal r1c1', or a cell's name")
    target = _read_move(position, move, trust_flags)
    prover = Prover(position, start_limit(budget, cancel), trust_flags=trust_flags)
    assert target.cell is not None
    if prover.certain[target.cell] not in _accepted_states(target.action):
        raise prover.not_certain(target)
    return prover.proof(target.cell)


def explain_all(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> tuple[Proof, ...]:
    """Return a smallest proof of each certain move, in cell order."""
    check_type(position, Position, "a position")
    return tuple(Prover(position, start_limit(budget, cancel), trust_flags=trust_flags).proofs())


class Prover:
    """Proves the certain moves of one position; its proofs share one analysis and search."""

    def __init__(self, position: Position, limit: Limit, *, trust_flags: bool = False):
        self.position, self.limit, self.trust_flags = position, limit, trust_flags
        try:
            self.analysis: Analysis = analyse(position, trust_flags=trust_flags, budget=limit)
        except Contradiction as error:
            raise smallest_contradiction(position, trust_flags, error, limit) from None
        self.known = initial_knowledge(position, trust_flags)
        self.certain: Knowledge = np.full(len(position.board), UNKNOWN, dtype=np.uint8)
        self.certain[self.analysis.certain_mine_cells] = MINE
        self.certain[self.analysis.safe_cells] = SAFE
        # Trusted flags are known, so there is nothing to prove.
        self.certain[self.known == MINE] = UNKNOWN

    @property
    def cells(self) -> list[int]:
        """The cells of the certain moves, ascending."""
        return [int(cell) for cell in np.flatnonzero(self.certain != UNKNOWN)]

    def proofs(self) -> Iterator[Proof]:
        """Yield the proofs of all certain moves, in cell order."""
        done: list[Proof] = []
        for cell in self.cells:
            try:
                done.append(self.proof(cell))
            except OutOfBudget as error:
                progress = f"{len(done)} of {len(self.cells)} proofs found"
                raise OutOfBudget(f"{progress}; {error}", tuple(done)) from None
            yield done[-1]

    def proof(self, cell: int) -> Proof:
        """Return a smallest proof of the certain move on a cell."""
        self._check_limit(cell)
        found = self._find_numbers(cell, use_mine_count=False)
        uses_mine_count = found is None
        if found is None:
            found = self._find_numbers(cell, use_mine_count=True)
            assert found is not None
        numbers, smallest = found
        move = Move("flag" if self.certain[cell] == MINE else "reveal", cell)
        return Proof(self.position, move, numbers, uses_mine_count, smallest, self.trust_flags)

    def not_certain(self, move: Move) -> NotCertain:
        """Return the error for a move that is not certain, with the probability of its cell."""
        assert move.cell is not None
        name = self.position.board.name(move.cell)
        probability = float(self.analysis.probability_array[move.cell])
        if self.certain[move.cell] != UNKNOWN:
            state = "a mine" if self.certain[move.cell] == MINE else "safe"
            text = move.format(self.position.board)
            return NotCertain(f"cannot prove {text!r}: {name} is certainly {state}", probability)
        if math.isnan(probability):
            return NotCertain(
                f"{name} is not certain: it touches no number, and the mine count is unknown"
            )
        risk = percent(probability)
        return NotCertain(
            f"{name} is not certain: it is a mine with probability {risk}", probability
        )

    def _find_numbers(self, cell: int, use_mine_count: bool) -> tuple[tuple[int, ...], bool] | None:
        """Return the numbers of a proof and whether it is smallest; None if it needs the count."""
        constraints, search = (
            self._search_with_count if use_mine_count else self._search_without_count
        )
        if cell not in constraints.index_of:
            return None
        board = self.position.board
        set_weights(search, view(board.offsets), view(board.neighbours), cell)
        status = prove(search, constraints.index_of[cell], len(constraints.cells), MAX_STEPS)
        self._check_search(search)
        if status == PROVED:
            return constraints.cells_of(search.best, search.best_count), True
        if status == NOT_CERTAIN:
            return None
        numbers = tuple(constraints.cells.tolist())
        if search.upper_count >= 0:
            numbers = constraints.cells_of(search.upper, search.upper_count)
        irreducible = self._irreducible(cell, numbers, use_mine_count)
        return None if irreducible is None else (irreducible, False)

    @cached_property
    def _search_without_count(self) -> tuple[Constraints, ProofSearch]:
        return self._search(use_mine_count=False)

    @cached_property
    def _search_with_count(self) -> tuple[Constraints, ProofSearch]:
        return self._search(use_mine_count=True)

    def _search(self, use_mine_count: bool) -> tuple[Constraints, ProofSearch]:
        constraints = Constraints.read(self.position, self.known, use_mine_count)
        search = constraints.search(self.certain, self.limit)
        self._check_search(search)
        return constraints, search

    def _check_search(self, search: ProofSearch) -> None:
        """Raise OutOfBudget if the limit stopped the search."""
        if search.stopped:
            raise self.limit.error("no proof found yet")

    def _check_limit(self, cell: int) -> None:
        if self.limit.expired:
            raise self.limit.error(f"no proof found yet for {self.position.board.name(cell)}")

    def _irreducible(
        self, cell: int, numbers: tuple[int, ...], use_mine_count: bool
    ) -> tuple[int, ...] | None:
        """Drop numbers while the engine still finds the move certain; None if it never was."""
        position, limit = self.position, self.limit
        state = self.certain[cell]
        with workspace.borrow_workspace(limit, self.trust_flags) as ws:

            def follows(subset: Sequence[int]) -> bool:
                self._check_limit(cell)
                mines = position.mines if use_mine_count else None
                marks = marks_with_numbers(position, subset)
                workspace.run(ws, position.board, marks, mines, limit)
                return bool(workspace.copy_known(ws, len(position.board))[cell] == state)

            return tuple(shrink(numbers, follows)) if follows(numbers) else None


def _accepted_states(action: str) -> tuple[int, ...]:
    """Return what a cell must be for a move; either state for a cell without a move."""
    return {"reveal": (SAFE,), "flag": (MINE,)}.get(action, (SAFE, MINE))


def _read_move(position: Position, move: Move | str, trust_flags: bool) -> Move:
    """Return the move to explain; its action is "either" for a cell without a move."""
    if isinstance(move, str):
        if len(move.split()) == 1 and move != "continue":
            move = Move("either", position.board.cell(move.strip()))
        else:
            move = Move.parse(move, position.board)
    if move.cell is None or move.action not in ("reveal", "flag", "either"):
        raise NotationError(
            f"can only explain reveal and flag moves, got {move.format(position.board)!r:.60}"
        )
    cell = position.board.cell(move.cell)
    name, mark = position.board.name(cell), int(position.marks[cell])
    if mark >= 0:
        raise IllegalMove(f"cannot explain {name}: it is revealed and shows {mark}")
    if mark == FLAG and trust_flags:
        raise IllegalMove(f"cannot explain {name}: it is flagged, and flags are trusted")
    return move


def find_contradiction(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Contradiction | None:
    """Return the error for a contradictory position with a smallest set of numbers, else None.

    A set without the mine count is preferred, then the fewest numbers, then the lowest cells.
    """
    limit = start_limit(budget, cancel)
    try:
        require_solution(position, trust_flags, limit)
    except Contradiction as error:
        return smallest_contradiction(position, trust_flags, error, limit)
    return None


def smallest_contradiction(
    position: Position, trust_flags: bool, error: Contradiction, limit: Limit
) -> Contradiction:
    """Return the error with a smallest set of numbers, or *error* if the search stops early."""
    no_conclusions = np.full(len(position.board), UNKNOWN, dtype=np.uint8)
    known = initial_knowledge(position, trust_flags)
    constraints = Constraints.read(position, known, error.uses_mine_count)
    search = constraints.search(no_conclusions, limit)
    board = position.board
    set_weights(search, view(board.offsets), view(board.neighbours), -1)
    if prove(search, -1, len(constraints.cells), MAX_STEPS) != PROVED:
        return error
    numbers = constraints.cells_of(search.best, search.best_count)
    return contradiction_of_numbers(position, numbers, error.uses_mine_count, trust_flags)
