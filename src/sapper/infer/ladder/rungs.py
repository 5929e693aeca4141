"""The table of difficulty: how many hints a step takes at once, and where a rung exists."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.model.board import Board
from sapper.model.family import Family


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of the table; `hints` is the most that it takes at once, if there is a most."""

    name: str
    hints: int | None
    mine_count: bool
    about: str
    label: str
    """How hard a table of this rung is, in a pupil's words."""
    number: int
    """What the code of a sheet calls it, fixed for ever; 0 is no rung."""


RUNGS = Family(
    "rung",
    (
        Rung("one", 1, False, "a single hint: strategies 1 and 2", "one number at a time", 1),
        Rung("two", 2, False, "a pair of hints: strategies 3 to 7", "two numbers together", 2),
        Rung("three", 3, False, "three hints together", "three numbers together", 3),
        Rung("four", None, False, "four or more hints together", "four or more together", 4),
        Rung("count", None, True, "the mine count is needed", "all numbers and the mine count", 5),
    ),
)

# More hints than any rung with a most takes at once.
ANY_NUMBER = 2**31


def rung_of(hints: int, mine_count: bool = False) -> str:
    """The name of the rung of a proof from so many hints.

    >>> rung_of(2), rung_of(7), rung_of(1, mine_count=True)
    ('two', 'four', 'count')
    """
    for rung in RUNGS:
        if rung.mine_count == mine_count and (rung.hints is None or hints <= rung.hints):
            return rung.name
    raise AssertionError("the table has no end")


def pairs_tell_more(board: Board) -> bool:
    """Whether two hints together can tell more on a board than each of them alone.

    Two hints that share a single blank cannot: to fill or free it, one of them has to be decided
    already. So there must be two cells with two neighbours in common.
    """
    for cell in board.cells:
        met: set[int] = set()
        for near in board.around(cell).tolist():
            others = [other for other in board.around(near).tolist() if other != cell]
            if not met.isdisjoint(others):
                return True
            met.update(others)
    return False
