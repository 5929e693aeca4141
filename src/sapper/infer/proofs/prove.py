"""Why a move is certain: a smallest set of hints from which it follows.

A proof uses the revealed hints alone, and the mine count only where it must; no earlier
conclusion. Among proofs, one without the mine count comes first, then the fewest hints, then the
least sum of distances on the board from the cell, then the lowest cells.

>>> from sapper.model.frame import Frame
>>> proof = explain(Frame.parse("1 # # / 1 # # / # # #".replace("/", chr(10))), "reveal r3c1")
>>> proof.hints, proof.rung
(('r1c1', 'r2c1'), 'two')
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sapper.errors import Contradiction, IllegalMove, NotationError, NotCertain, OutOfBudget
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.ladder.rungs import rung_of
from sapper.infer.odds import engine
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.proofs import words
from sapper.infer.proofs.argument import Argument
from sapper.infer.proofs.contradictions import STEPS, smallest
from sapper.infer.proofs.evidence import Evidence, Known, known_cells
from sapper.infer.proofs.sentences import Sentence, named
from sapper.infer.proofs.subsets import only, shrink
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, NOT_CERTAIN, PROVED, UNKNOWN
from sapper.kernels.proofs.repair import Search
from sapper.kernels.proofs.search import prove, weigh
from sapper.model.board import MOST_IN_NOTEBOOK
from sapper.model.frame import FLAG, Frame
from sapper.model.move import Move
from sapper.percent import percent
from sapper.values import need


@dataclass(frozen=True)
class Proof:
    """A certain move and the hints from which it follows.

    `smallest` is False where the search stopped early: then no hint can be dropped, but a smaller
    set may exist. Hints are in cell order.
    """

    frame: Frame = field(repr=False)
    move: Move
    hint_cells: tuple[int, ...]
    mine_count: bool
    smallest: bool = True
    trust_flags: bool = False

    @property
    def hints(self) -> tuple[str, ...]:
        """The names of the cells whose hints are used."""
        return self.frame.names(self.hint_cells)

    @property
    def rung(self) -> str:
        """The rung of a proof from so many hints."""
        return rung_of(len(self.hint_cells), self.mine_count)

    @cached_property
    def text(self) -> str:
        """The proof in words, on one line."""
        return named(self.sentence)

    @cached_property
    def sentence(self) -> Sentence:
        """The proof in words that can point at the cells they speak of."""
        assert self.move.cell is not None
        known = known_cells(self.frame, self.trust_flags)
        return words.tell(
            Argument(
                *(self.frame, known, self.hint_cells, self.mine_count),
                *(self.move.cell, self.move.action == "flag"),
            )
        )

    def __str__(self) -> str:
        return f"{self.move.format(self.frame.board)}: {self.text}"

    def _repr_svg_(self) -> str | None:
        # An import upwards, as in Frame: a notebook asks the proof for its picture.
        from sapper.render.svg import proof_svg

        few = len(self.frame.board) <= MOST_IN_NOTEBOOK
        return proof_svg(self.frame, self.move, self.hint_cells) if few else None


def explain(
    frame: Frame,
    move: Move | str,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Proof:
    """A smallest proof of a certain move; *move* is a move, or the name of a cell for what it is.

    Raises NotCertain, with the odds, when the move does not follow from the frame, and
    Contradiction, with a smallest set of hints that cannot hold together, when nothing does.
    """
    need(frame, Frame, "a frame")
    need(move, (Move, str), "a move such as 'reveal r1c1', or a cell's name")
    wanted = _read_move(frame, move, trust_flags)
    prover = Prover(frame, started(budget, cancel), trust_flags=trust_flags)
    assert wanted.cell is not None
    if prover.certain[wanted.cell] not in _values(wanted.action):
        raise prover.not_certain(wanted)
    return prover.proof(wanted.cell)


def explain_all(
    frame: Frame,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> tuple[Proof, ...]:
    """A smallest proof of each certain move, in cell order."""
    need(frame, Frame, "a frame")
    return tuple(Prover(frame, started(budget, cancel), trust_flags=trust_flags).proofs())


class Prover:
    """Proves the certain moves of one frame; what one proof finds out serves the others."""

    def __init__(self, frame: Frame, limit: Limit, *, trust_flags: bool = False):
        self.frame, self.limit, self.trust_flags = frame, limit, trust_flags
        try:
            self.analysis: Analysis = analyse(frame, trust_flags=trust_flags, budget=limit)
        except Contradiction as found:
            raise smallest(frame, trust_flags, found, limit) from None
        self.known = known_cells(frame, trust_flags)
        self.certain: Known = np.full(len(frame.board), UNKNOWN, dtype=np.uint8)
        self.certain[self.analysis.flag_cells] = MINE
        self.certain[self.analysis.reveal_cells] = FREE

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
        with_count, (hints, smallest) = False, self._try(cell, with_count=False)
        if hints is None:
            with_count, (hints, smallest) = True, self._try(cell, with_count=True)
        assert hints is not None
        action = "flag" if self.certain[cell] == MINE else "reveal"
        return Proof(
            *(self.frame, Move(action, cell), hints, with_count, smallest, self.trust_flags)
        )

    def not_certain(self, move: Move) -> NotCertain:
        """The error for a move that does not follow, with the odds of its cell."""
        assert move.cell is not None
        name, odds = self.frame.board.name(move.cell), float(self.analysis.probability[move.cell])
        asked = f"expected a certain move, got {move.format(self.frame.board)}"
        if move.action not in ("reveal", "flag"):
            asked = f"expected a cell that is certain, got {name}"
        if self.certain[move.cell] != UNKNOWN:
            known = "a mine" if self.certain[move.cell] == MINE else "free"
            return NotCertain(f"{asked}: {name} is certainly {known}", odds)
        if odds != odds:
            return NotCertain(f"{asked}: no hint sees {name} and there is no mine count", None)
        return NotCertain(f"{asked}: {name} is a mine with odds of {percent(odds)}", odds)

    def _try(self, cell: int, with_count: bool) -> tuple[tuple[int, ...] | None, bool]:
        """The hints of a proof, and whether it is smallest; None where the count is needed."""
        evidence, search = self._plain if not with_count else self._counted
        if cell not in evidence.place:
            return None, True
        board = self.frame.board
        weigh(search, view(board.offsets), view(board.neighbours), cell)
        status = prove(search, evidence.place[cell], len(evidence.cells), STEPS)
        self._check(search)
        if status == PROVED:
            return evidence.cells_of(search.best_at, search.best_count), True
        if status == NOT_CERTAIN:
            return None, True
        start = (
            evidence.cells_of(search.upper_at, search.upper_count)
            if search.upper_count >= 0
            else tuple(evidence.cells.tolist())
        )
        return self._irreducible(cell, start, with_count), False

    @cached_property
    def _plain(self) -> tuple[Evidence, Search]:
        return self._search(with_count=False)

    @cached_property
    def _counted(self) -> tuple[Evidence, Search]:
        return self._search(with_count=True)

    def _search(self, with_count: bool) -> tuple[Evidence, Search]:
        evidence = Evidence.read(self.frame, self.known, with_count)
        search = evidence.search(self.certain, self.limit)
        self._check(search)
        return evidence, search

    def _check(self, search: Search) -> None:
        """Stop if the limit stopped the search."""
        if search.stopped:
            raise self.limit.error("no proof by then")

    def _irreducible(
        self, cell: int, hints: tuple[int, ...], with_count: bool
    ) -> tuple[int, ...] | None:
        """Drop hints while the move still follows, by the exact engine; None if it never did."""
        frame, limit = self.frame, self.limit
        value = self.certain[cell]
        with engine.borrow(limit, self.trust_flags) as ws:

            def follows(some: Sequence[int]) -> bool:
                limit.check("no proof by then")
                mines = frame.mines if with_count else None
                engine.run(ws, frame.board, only(frame, some), mines, limit)
                return bool(engine.known_cells(ws, len(frame.board))[cell] == value)

            return tuple(shrink(hints, follows)) if follows(hints) else None


def _values(action: str) -> tuple[int, ...]:
    """What a cell must certainly be for a move; either will do where a cell alone was named."""
    return {"reveal": (FREE,), "flag": (MINE,)}.get(action, (FREE, MINE))


def _read_move(frame: Frame, move: Move | str, trust_flags: bool) -> Move:
    """The move that is asked for, on a cell that can have one."""
    if isinstance(move, str):
        if len(move.split()) == 1 and move != "continue":
            move = Move("either", frame.board.cell(move.strip()))
        else:
            move = Move.parse(move, frame.board)
    if move.cell is None or move.action not in ("reveal", "flag", "either"):
        raise NotationError(
            f"expected a move to reveal or to flag a cell, got {move.format(frame.board)!r:.60}"
        )
    cell = frame.board.cell(move.cell)
    name, mark = frame.board.name(cell), int(frame.marks[cell])
    if mark >= 0:
        raise IllegalMove(f"cannot explain {name}: it is revealed and shows {mark}")
    if mark == FLAG and trust_flags:
        raise IllegalMove(f"cannot explain {name}: it is flagged, and flags are trusted")
    return move
