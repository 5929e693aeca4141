"""The table of difficulty: how many numbers a step takes at once, and where a difficulty exists."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.board.board import Board
from sapper.registry import Registry


@dataclass(frozen=True, slots=True)
class Difficulty:
    """One step of the table; `numbers` is the most that it takes at once, if there is a most."""

    name: str
    numbers: int | None
    uses_mine_count: bool
    about: str
    label: str
    """How hard a table of this difficulty is, in a pupil's words."""
    number: int
    """What the code of a sheet calls it, fixed for ever; 0 is no difficulty."""


DIFFICULTIES = Registry(
    "difficulty",
    (
        Difficulty(
            "one", 1, False, "a single number: strategies 1 and 2", "one number at a time", 1
        ),
        Difficulty(
            "two", 2, False, "a pair of numbers: strategies 3 to 7", "two numbers together", 2
        ),
        Difficulty("three", 3, False, "three numbers together", "three numbers together", 3),
        Difficulty(
            "four", None, False, "four or more numbers together", "four or more together", 4
        ),
        Difficulty(
            "count", None, True, "the mine count is needed", "all numbers and the mine count", 5
        ),
    ),
)

# More numbers than any difficulty with a most takes at once.
NO_LIMIT = 2**31


def difficulty_of(numbers: int, uses_mine_count: bool = False) -> str:
    """The name of the difficulty of a proof from so many numbers.

    >>> difficulty_of(2), difficulty_of(7), difficulty_of(1, uses_mine_count=True)
    ('two', 'four', 'count')
    """
    for difficulty in DIFFICULTIES.values():
        if difficulty.uses_mine_count == uses_mine_count and (
            difficulty.numbers is None or numbers <= difficulty.numbers
        ):
            return difficulty.name
    raise AssertionError("the table has no end")


def pairs_are_useful(board: Board) -> bool:
    """Whether two numbers together can tell more on a board than each of them alone.

    Two numbers that share a single covered cell cannot: to fill or free it, one of them has to be decided
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
