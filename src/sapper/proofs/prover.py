"""Why a move is certain: a smallest set of numbers from which it follows.

A proof uses the revealed numbers alone, and the mine count only where it must; no earlier
conclusion. Among proofs, one without the mine count comes first, then the fewest numbers, then the
least sum of distances on the board from the cell, then the lowest cells.

>>> from sapper.board.position import Position
>>> proof = explain(Position.parse("1 # # / 1 # # / # # #".replace("/", chr(10))), "reveal r3c1")
>>> proof.numbers, proof.difficulty
(('r1c1', 'r2c1'), 'two')
"""

from __future__ import annotations

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
from sapper.engine.conflicts import STEPS, smallest
from sapper.engine.subsets import only, shrink
from sapper.errors import Contradiction, IllegalMove, NotationError, NotCertain, OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import MINE, NOT_CERTAIN, PROVED, SAFE, UNKNOWN
from sapper.kernels.proofs.repair import ProofSearch
from sapper.kernels.proofs.search import prove, set_weights
from sapper.proofs import proof_text
from sapper.proofs.argument import Argument
from sapper.proofs.constraints import Constraints, Knowledge, initial_knowledge
from sapper.proofs.difficulty import difficulty_of
from sapper.sentences import Sentence, named
from sapper.values import check_type
from sapper.wording import percent


@dataclass(frozen=True)
class Proof:
    """A certain move and the numbers from which it follows.

    `smallest` is False where the search stopped early: then no number can be dropped, but a smaller
    set may exist. Numbers are in cell order.
    """

    position: Position = field(repr=False)
    move: Move
    number_cells: tuple[int, ...]
    uses_mine_count: bool
    smallest: bool = True
    trust_flags: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the cells whose numbers are used."""
        return self.position.names(self.number_cells)

    @property
    def difficulty(self) -> str:
        """The difficulty of a proof from so many numbers."""
        return difficulty_of(len(self.number_cells), self.uses_mine_count)

    @cached_property
    def text(self) -> str:
        """The proof in words, on one line."""
        return named(self.sentence)

    @cached_property
    def sentence(self) -> Sentence:
        """The proof in words that can point at the cells they speak of."""
        assert self.move.cell is not None
        known = initial_knowledge(self.position, self.trust_flags)
        return proof_text.describe(
            Argument(
                *(self.position, known, self.number_cells, self.uses_mine_count),
                *(self.move.cell, self.move.action == "flag"),
            )
        )

    def __str__(self) -> str:
        return f"{self.move.format(self.position.board)}: {self.text}"

    def _repr_svg_(self) -> str | None:
        # An import upwards, as in Position: a notebook asks the proof for its picture.
        from sapper.render.svg import proof_svg

        few = len(self.position.board) <= MAX_NOTEBOOK_CELLS
        return proof_svg(self.position, self.move, self.number_cells) if few else None


def explain(
    position: Position,
    move: Move | str,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Proof:
    """A smallest proof of a certain move; *move* is a move, or the name of a cell for what it is.

    Raises NotCertain, with the probabilities, when the move does not follow from the position, and
    Contradiction, with a smallest set of numbers that cannot hold together, when nothing does.
    """
    check_type(position, Position, "a position")
    check_type(move, (Move, str), "a move such as 'reveal r1c1', or a cell's name")
    wanted = _read_move(position, move, trust_flags)
    prover = Prover(position, start_limit(budget, cancel), trust_flags=trust_flags)
    assert wanted.cell is not None
    if prover.certain[wanted.cell] not in _values(wanted.action):
        raise prover.not_certain(wanted)
    return prover.proof(wanted.cell)


def explain_all(
    position: Position,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> tuple[Proof, ...]:
    """A smallest proof of each certain move, in cell order."""
    check_type(position, Position, "a position")
    return tuple(Prover(position, start_limit(budget, cancel), trust_flags=trust_flags).proofs())


class Prover:
    """Proves the certain moves of one position; what one proof finds out serves the others."""

    def __init__(self, position: Position, limit: Limit, *, trust_flags: bool = False):
        self.position, self.limit, self.trust_flags = position, limit, trust_flags
        try:
            self.analysis: Analysis = analyse(position, trust_flags=trust_flags, budget=limit)
        except Contradiction as found:
            raise smallest(position, trust_flags, found, limit) from None
        self.known = initial_knowledge(position, trust_flags)
        self.certain: Knowledge = np.full(len(position.board), UNKNOWN, dtype=np.uint8)
        self.certain[self.analysis.certain_mine_cells] = MINE
        self.certain[self.analysis.safe_cells] = SAFE

    @property
    def cells(self) -> list[int]:
        """The cells of the certain moves, ascending."""
        return [int(cell) for cell in np.flatnonzero(self.certain != UNKNOWN)]

    def proofs(self) -> Iterator[Proof]:
        """The proofs of all certain moves, in cell order."""
        done: list[Proof] = []
        for cell in self.cells:
            try:
                done.append(self.proof(cell))
            except OutOfBudget as error:
                got = f"{len(done)} of {len(self.cells)} proofs by then"
                raise OutOfBudget(
                    f"{str(error).partition(',')[0]}, got {got}", tuple(done)
                ) from None
            yield done[-1]

    def proof(self, cell: int) -> Proof:
        """A smallest proof of the certain move on a cell."""
        self.limit.check("no proof by then")
        with_count, (numbers, smallest) = False, self._try(cell, with_count=False)
        if numbers is None:
            with_count, (numbers, smallest) = True, self._try(cell, with_count=True)
        assert numbers is not None
        action = "flag" if self.certain[cell] == MINE else "reveal"
        return Proof(
            *(self.position, Move(action, cell), numbers, with_count, smallest, self.trust_flags)
        )

    def not_certain(self, move: Move) -> NotCertain:
        """The error for a move that does not follow, with the probabilities of its cell."""
        assert move.cell is not None
        name, probability = (
            self.position.board.name(move.cell),
            float(self.analysis.probability[move.cell]),
        )
        asked = f"expected a certain move, got {move.format(self.position.board)}"
        if move.action not in ("reveal", "flag"):
            asked = f"expected a cell that is certain, got {name}"
        if self.certain[move.cell] != UNKNOWN:
            known = "a mine" if self.certain[move.cell] == MINE else "safe"
            return NotCertain(f"{asked}: {name} is certainly {known}", probability)
        if probability != probability:
            return NotCertain(f"{asked}: no number sees {name} and there is no mine count", None)
        return NotCertain(
            f"{asked}: {name} is a mine with probabilities of {percent(probability)}", probability
        )

    def _try(self, cell: int, with_count: bool) -> tuple[tuple[int, ...] | None, bool]:
        """The numbers of a proof, and whether it is smallest; None where the count is needed."""
        constraints, search = self._plain if not with_count else self._counted
        if cell not in constraints.place:
            return None, True
        board = self.position.board
        set_weights(search, view(board.offsets), view(board.neighbours), cell)
        status = prove(search, constraints.place[cell], len(constraints.cells), STEPS)
        self._check(search)
        if status == PROVED:
            return constraints.cells_of(search.best_at, search.best_count), True
        if status == NOT_CERTAIN:
            return None, True
        start = (
            constraints.cells_of(search.upper_at, search.upper_count)
            if search.upper_count >= 0
            else tuple(constraints.cells.tolist())
        )
        return self._irreducible(cell, start, with_count), False

    @cached_property
    def _plain(self) -> tuple[Constraints, ProofSearch]:
        return self._search(with_count=False)

    @cached_property
    def _counted(self) -> tuple[Constraints, ProofSearch]:
        return self._search(with_count=True)

    def _search(self, with_count: bool) -> tuple[Constraints, ProofSearch]:
        constraints = Constraints.read(self.position, self.known, with_count)
        search = constraints.search(self.certain, self.limit)
        self._check(search)
        return constraints, search

    def _check(self, search: ProofSearch) -> None:
        """Stop if the limit stopped the search."""
        if search.stopped:
            raise self.limit.error("no proof by then")

    def _irreducible(
        self, cell: int, numbers: tuple[int, ...], with_count: bool
    ) -> tuple[int, ...] | None:
        """Drop numbers while the move still follows, by the exact engine; None if it never did."""
        position, limit = self.position, self.limit
        value = self.certain[cell]
        with workspace.borrow_workspace(limit, self.trust_flags) as ws:

            def follows(some: Sequence[int]) -> bool:
                limit.check("no proof by then")
                mines = position.mines if with_count else None
                workspace.run(ws, position.board, only(position, some), mines, limit)
                return bool(workspace.known_cells(ws, len(position.board))[cell] == value)

            return tuple(shrink(numbers, follows)) if follows(numbers) else None


def _values(action: str) -> tuple[int, ...]:
    """What a cell must certainly be for a move; either will do where a cell alone was named."""
    return {"reveal": (SAFE,), "flag": (MINE,)}.get(action, (SAFE, MINE))


def _read_move(position: Position, move: Move | str, trust_flags: bool) -> Move:
    """The move that is asked for, on a cell that can have one."""
    if isinstance(move, str):
        if len(move.split()) == 1 and move != "continue":
            move = Move("either", position.board.cell(move.strip()))
        else:
            move = Move.parse(move, position.board)
    if move.cell is None or move.action not in ("reveal", "flag", "either"):
        raise NotationError(
            f"expected a move to reveal or to flag a cell, got {move.format(position.board)!r:.60}"
        )
    cell = position.board.cell(move.cell)
    name, mark = position.board.name(cell), int(position.marks[cell])
    if mark >= 0:
        raise IllegalMove(f"cannot explain {name}: it is revealed and shows {mark}")
    if mark == FLAG and trust_flags:
        raise IllegalMove(f"cannot explain {name}: it is flagged, and flags are trusted")
    return move
