"""The end game of a frame: its exact value and its best reveal, part by part.

Three facts stand behind the search, besides that only the set of placements matters:

- A certain reveal never hurts. What it tells can be ignored, and the cell must be revealed anyway.
- A blank that shows the same number wherever it is free (a *dead* one) can wait while there is a
  living one: a strategy that reveals it now wins the same placements if it leaves it to the end.
- Where all blanks are dead nothing will ever be told, so a strategy is a fixed list of cells,
  and with the mine count given such a list can win one placement only.

Blanks fall into parts that tell nothing about each other. A part whose placements all have the
same number of mines has nothing to do with the rest: chances multiply, and the order is free.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from sapper.errors import NotationError, OutOfBudget
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, SHOWN
from sapper.kernels.play import listing as kernel
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.play.endgame.placements import Placements, check_room, make_ending
from sapper.values import Frozen, need, whole

# Placements up to which a part is listed by itself to see whether it can be played apart.
MOST_APART = 2000
STEPS_A_ROW = 64


@dataclass(frozen=True)
class Part:
    """Blanks that tell nothing about the others, with all their placements."""

    _listed: Placements
    wins: int
    """How many of the placements perfect play wins."""
    best: int
    """The cell to reveal first; among equals, the one that is free most often, then the lowest."""

    @property
    def cells(self) -> tuple[int, ...]:
        """Its blanks, ascending; certain ones that tell something about it are among them."""
        return tuple(sorted(self._listed.cell_of))

    @property
    def placements(self) -> int:
        """How many there are."""
        return self._listed.rows

    @property
    def value(self) -> Fraction:
        """The chance that perfect play gets through this part."""
        return Fraction(self.wins, self._listed.rows)


class Endgame(Frozen):
    """The exact chance of winning from a frame, and of each reveal.

    Two are equal when their analyses are: everything follows from these.
    """

    def __init__(self, frame: Frame, analysis: Analysis, parts: tuple[Part, ...], budget: Budget):
        self._set(
            frame=frame,
            parts=parts,
            _analysis=analysis,
            _certain=tuple(analysis.reveal_cells.tolist()),
            _budget=budget,
        )

    frame: Frame
    parts: tuple[Part, ...]
    _analysis: Analysis
    _certain: tuple[int, ...]
    _budget: Budget

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Endgame) and self._analysis == other._analysis

    def __hash__(self) -> int:
        return hash(self._analysis)

    def __reduce__(self) -> tuple[Any, ...]:
        # Solved again: the search's own memory does not travel.
        return _again, (self.frame, self._analysis.trust_flags, self._budget)

    @cached_property
    def value(self) -> Fraction:
        """The chance of winning with perfect play."""
        return math.prod((part.value for part in self.parts), start=Fraction(1))

    @property
    def best(self) -> int | None:
        """A best cell to reveal: a certain one if there is any; None when all is decided."""
        if self._certain:
            return self._certain[0]
        return self.parts[0].best if self.parts else None

    @property
    def placements(self) -> int:
        """How many placements were weighed: those of all parts, multiplied."""
        return math.prod(part.placements for part in self.parts)

    @cached_property
    def moves(self) -> Mapping[int, Fraction]:
        """For each cell that may be free, the chance of winning by revealing it first."""
        limit = self._budget.start()
        found = dict.fromkeys(self._certain, self.value)
        for part in self.parts:
            others = self.value / part.value
            for cell in part.cells:
                if cell not in found:
                    wins = part._listed.after(0, part.placements, cell, limit)
                    found[cell] = others * Fraction(wins, part.placements)
        return MappingProxyType(dict(sorted(found.items())))

    def __repr__(self) -> str:
        name = "-" if self.best is None else self.frame.board.name(self.best)
        return f"<Endgame of {self.placements:,} placements: {self.value} by {name}>"


def endgame(
    frame: Frame,
    *,
    trust_flags: bool = False,
    nodes: int | None = None,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Endgame:
    """The exact end game of a frame with its mine count.

    Raises OutOfBudget where there are too many placements, or more than *nodes* sets of them to
    look into; its `best` then holds the parts that could be solved apart from the rest.

    >>> solved = endgame(Frame.parse("# 2 # #", mines=2))
    >>> solved.value, solved.frame.board.name(solved.best)
    (Fraction(1, 1), 'r1c4')
    """
    need(frame, Frame, "a frame")
    if frame.mines is None:
        raise NotationError("expected a frame with its mine count, got one without")
    nodes = None if nodes is None else whole(nodes, "a number of sets")
    limit = started(budget, cancel)
    analysis = analyse(frame, trust_flags=trust_flags, budget=limit)
    lister = _Lister(frame, analysis, trust_flags, limit, nodes)
    apart: list[Part] = []
    mines = frame.mines - lister.known_mines
    rest = []
    for part in range(lister.parts):
        found = lister.apart(part)
        if found is None:
            rest.append(part)
        else:
            listed, inside = found
            apart.append(_solve(listed, limit))
            mines -= inside
    try:
        if rest:
            apart.append(_solve(lister.together(rest, mines, _placements(analysis, apart)), limit))
    except OutOfBudget as error:
        raise OutOfBudget(str(error), best=tuple(apart)) from None
    return Endgame(frame, analysis, tuple(apart), budget.afresh())


def _again(frame: Frame, trust_flags: bool, budget: Budget) -> Endgame:
    return endgame(frame, trust_flags=trust_flags, budget=budget)


def _placements(analysis: Analysis, apart: list[Part]) -> float:
    """ln of the placements that are left when those of the parts apart are divided out."""
    return analysis.ln_placements - sum(math.log(part.placements) for part in apart)


def _solve(listed: Placements, limit: Limit) -> Part:
    wins = listed.wins(0, listed.rows, limit)
    best = listed.best
    if best is None:
        best = min(listed.cell_of, key=lambda cell: (-listed.free_rows(cell), cell))
    return Part(listed, wins, best)


class _Lister:
    """The parts of a frame and their placements."""

    def __init__(
        self,
        frame: Frame,
        analysis: Analysis,
        trust_flags: bool,
        limit: Limit,
        nodes: int | None,
    ):
        board: Board = frame.board
        marks = frame.marks if trust_flags else frame.without_flags().marks
        know = np.zeros(len(board), dtype=np.uint8)
        know[frame.marks >= 0] = SHOWN
        know[analysis.flag_cells], know[analysis.reveal_cells] = MINE, FREE
        if trust_flags:
            know[frame.flags] = MINE
        self.known_mines = int((know == MINE).sum())
        self._graph = view(board.offsets), view(board.neighbours)
        self._know = view(know)
        self._limit, self._nodes = limit, nodes
        self._ln_placements = analysis.ln_placements
        self._listing = kernel.Listing(len(board), MOST_APART, STEPS_A_ROW * MOST_APART)
        kernel.find_parts(self._listing, *self._graph, view(marks), self._know)

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return int(self._listing.part_count)

    def apart(self, part: int) -> tuple[Placements, int] | None:
        """The placements of a part that can be played apart, and its mines; None of any other."""
        listing = self._listing
        start, end = int(listing.part_start[part]), int(listing.part_start[part + 1])
        if self.parts > 1 and any(listing.inside[listing.queue[i]] for i in range(start, end)):
            return None
        most = min(float(MOST_APART), math.exp(min(self._ln_placements, 30.0)) * 1.01)
        listing.most_rows, listing.most_steps = int(most), STEPS_A_ROW * MOST_APART
        listed = self._list([part], -1)
        if listed is None or listing.counts_differ:
            return None
        return listed, int(listing.listed_mines)

    def together(self, parts: list[int], mines: int, ln_placements: float) -> Placements:
        """The placements of several parts that hold so many mines."""
        rows = round(math.exp(ln_placements)) if ln_placements < 40 else 1 << 60
        check_room(self._columns(parts), rows, self._limit)
        self._listing.most_rows, self._listing.most_steps = rows, STEPS_A_ROW * max(rows, 10_000)
        listed = self._list(parts, mines)
        if listed is None:
            raise OutOfBudget(f"expected placements that can be listed, got {rows:,} hidden ones")
        return listed

    def _columns(self, parts: list[int]) -> int:
        starts = self._listing.part_start
        return sum(int(starts[part + 1] - starts[part]) for part in parts)

    def _list(self, parts: list[int], mines: int) -> Placements | None:
        listing = self._listing
        for part in range(self.parts):
            listing.taken[part] = part in parts
        columns = self._columns(parts)
        ending = make_ending(columns, int(listing.most_rows))
        if kernel.run(listing, ending, *self._graph, self._know, mines):
            return None
        cells = [int(listing.column_cell[i]) for i in range(columns)]
        return Placements(ending, cells, self._nodes)
