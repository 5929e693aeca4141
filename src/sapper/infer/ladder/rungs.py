"""The table of difficulty: how many hints a step takes at once."""

from __future__ import annotations

from dataclasses import dataclass

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
