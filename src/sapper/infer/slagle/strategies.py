"""Strategies 1 to 7 for one hint or a pair of hints, numbered as in Slagle, §2.1.

p, q      two revealed cells, read as hints
need      the mines that a hint still lacks after its flags (the paper's m)
blanks    the blanks around a hint (B)
shared    the blanks around both p and q (I); only_p and only_q are the rest of theirs
fewest    the least number of mines that can be in shared (i_min)
most      the greatest (i_max)

Example: in the frame ``#### / 1211`` take p at r2c1 and q at r2c2. Both see r1c1 and r1c2, and p
allows one mine there, so the second mine of q is in r1c3: strategy 4.

With the bounds below, the seven strategies find every certain move that a pair of hints allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sapper.infer.solution import Deduction
from sapper.model.board import Board
from sapper.model.frame import BLANK, FLAG, Frame


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as the strategies see it: what it still needs, and the blanks it can have it from."""

    cell: int
    need: int
    blanks: frozenset[int]

    @property
    def possible(self) -> bool:
        """Whether the hint can be met at all."""
        return 0 <= self.need <= len(self.blanks)


class Pair:
    """Two hints and what can be said of the blanks that they share."""

    __slots__ = ("fewest", "most", "only_p", "only_q", "p", "q", "shared")

    def __init__(self, p: Hint, q: Hint):
        self.p, self.q = p, q
        self.shared = p.blanks & q.blanks
        self.only_p = p.blanks - self.shared
        self.only_q = q.blanks - self.shared
        # The paper prints max for the upper bound, with which strategies 3 and 4 never fire,
        # and forgets 0 in the lower one, with which 6 and 7 miss moves (docs/errata.md, 1 and 2).
        self.most = min(p.need, q.need, len(self.shared))
        self.fewest = max(0, p.need - len(self.only_p), q.need - len(self.only_q))

    @property
    def possible(self) -> bool:
        """Whether the two hints can be met together, given that each alone can."""
        return self.fewest <= self.most


def read_hint(frame: Frame, cell: str | int) -> Hint:
    """The hint of a revealed cell of a frame, flags trusted."""
    index = frame.board.cell(cell)
    return Hint(index, frame.need(index), frozenset(frame.blanks_around(index)))


def unmet_hints(frame: Frame) -> list[Hint]:
    """The hints that still say something: the fringe, and any that lacks mines without blanks."""
    board, marks = frame.board, frame.marks
    blanks = _count_around(board, marks == BLANK)
    need = marks - _count_around(board, marks == FLAG)
    cells = np.flatnonzero((marks >= 0) & ((blanks > 0) | (need != 0)))
    return [
        Hint(cell, lack, frozenset(near[marks[near] == BLANK].tolist()))
        for cell, lack in zip(cells.tolist(), need[cells].tolist(), strict=True)
        for near in (board.around(cell),)
    ]


def _count_around(board: Board, member: Any) -> Any:
    """How many neighbours of each cell are members."""
    sums = np.concatenate(([0], np.cumsum(member[board.neighbours])))
    return sums[board.offsets[1:]] - sums[board.offsets[:-1]]


def read_pair(frame: Frame, p: str | int, q: str | int) -> Pair:
    """Two hints of a frame as a pair, flags trusted."""
    return Pair(read_hint(frame, p), read_hint(frame, q))


def strategy_1(p: Hint) -> Deduction:
    """A hint that needs as many mines as it has blanks: flag them all."""
    return _flag("strategy 1", p.blanks if p.need == len(p.blanks) else (), p)


def strategy_2(p: Hint) -> Deduction:
    """A hint that needs no more mines: reveal its blanks."""
    return _reveal("strategy 2", p.blanks if p.need == 0 else (), p)


def strategy_3(pair: Pair) -> Deduction:
    """Even with the most mines in the shared blanks, p needs all of its own: flag them."""
    full = pair.p.need - pair.most == len(pair.only_p)
    return _flag("strategy 3", pair.only_p if full else (), pair.p, pair.q)


def strategy_4(pair: Pair) -> Deduction:
    """Strategy 3 with p and q exchanged."""
    full = pair.q.need - pair.most == len(pair.only_q)
    return _flag("strategy 4", pair.only_q if full else (), pair.p, pair.q)


def strategy_5(pair: Pair) -> Deduction:
    """At least as many mines must be shared as there are shared blanks: flag them."""
    full = pair.fewest == len(pair.shared)
    return _flag("strategy 5", pair.shared if full else (), pair.p, pair.q)


def strategy_6(pair: Pair) -> Deduction:
    """The shared blanks must hold all the mines that p needs: reveal its own."""
    spent = pair.fewest == pair.p.need
    return _reveal("strategy 6", pair.only_p if spent else (), pair.p, pair.q)


def strategy_7(pair: Pair) -> Deduction:
    """Strategy 6 with p and q exchanged."""
    spent = pair.fewest == pair.q.need
    return _reveal("strategy 7", pair.only_q if spent else (), pair.p, pair.q)


ONE_HINT: tuple[Callable[[Hint], Deduction], ...] = (strategy_1, strategy_2)
TWO_HINTS: tuple[Callable[[Pair], Deduction], ...] = (
    strategy_3,
    strategy_4,
    strategy_5,
    strategy_6,
    strategy_7,
)
STRATEGIES: dict[str, str] = {
    strategy.__name__.replace("_", " "): (strategy.__doc__ or "").partition("\n")[0]
    for strategy in (*ONE_HINT, *TWO_HINTS)
}


def _flag(by: str, cells: Iterable[int], *hints: Hint) -> Deduction:
    return Deduction(by, flag=tuple(sorted(cells)), hints=_cells(hints)) if cells else NOTHING


def _reveal(by: str, cells: Iterable[int], *hints: Hint) -> Deduction:
    return Deduction(by, reveal=tuple(sorted(cells)), hints=_cells(hints)) if cells else NOTHING


def _cells(hints: Iterable[Hint]) -> tuple[int, ...]:
    return tuple(sorted(hint.cell for hint in hints))


NOTHING = Deduction("nothing")
