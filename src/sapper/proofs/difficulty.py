"""Difficulties: how many numbers a deduction step needs at once."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.board.board import Board
from sapper.registry import Registry


@dataclass(frozen=True, slots=True)
class Difficulty:
    """An entry of DIFFICULTIES."""

    name: str
    numbers: int | None
    """How many numbers a step may use at most; None means no upper bound."""
    uses_mine_count: bool
    about: str
    """Its description in commands."""
    text: str
    """What a step needs, as part of a sentence."""
    label: str
    """Its description on worksheets."""


DIFFICULTIES = Registry(
    "difficulty",
    (
        Difficulty(
            name="one",
            numbers=1,
            uses_mine_count=False,
            about="a single number: strategies 1 and 2",
            text="one number",
            label="one number at a time",
        ),
        Difficulty(
            name="two",
            numbers=2,
            uses_mine_count=False,
            about="a pair of numbers: strategies 3 to 7",
            text="two numbers",
            label="two numbers together",
        ),
        Difficulty(
            name="three",
            numbers=3,
            uses_mine_count=False,
            about="three numbers together",
            text="three numbers",
            label="three numbers together",
        ),
        Difficulty(
            name="four",
            numbers=None,
            uses_mine_count=False,
            about="four or more numbers together",
            text="four or more numbers",
            label="four or more together",
        ),
        Difficulty(
            name="count",
            numbers=None,
            uses_mine_count=True,
            about="the mine count is needed",
            text="counting mines",
            label="all numbers and the mine count",
        ),
    ),
)

# More numbers than any difficulty with a limit allows.
NO_LIMIT = 2**31


def difficulty_of(numbers: int, uses_mine_count: bool = False) -> str:
    """Return the name of the difficulty of a proof from this many numbers.

    >>> difficulty_of(2), difficulty_of(7), difficulty_of(1, uses_mine_count=True)
    ('two', 'four', 'count')
    """
    for difficulty in DIFFICULTIES.values():
        if difficulty.uses_mine_count == uses_mine_count and (
            difficulty.numbers is None or numbers <= difficulty.numbers
        ):
            return difficulty.name
    raise AssertionError("no difficulty without an upper bound")


def pairs_are_useful(board: Board) -> bool:
    """Return whether two numbers together can decide more on a board than each one alone.

    Two numbers that share only one covered cell cannot: one of them must decide that cell by
    itself. So there must be two cells with two common neighbours.
    """
    for cell in board.cells:
        seen: set[int] = set()
        for near in board.around(cell).tolist():
            others = [other for other in board.around(near).tolist() if other != cell]
            if not seen.isdisjoint(others):
                return True
            seen.update(others)
    return False
