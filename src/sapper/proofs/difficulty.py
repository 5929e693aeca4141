"""Difficulties: how many numbers a deduction step needs at once."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.board.board import Board
from sapper.registry import Registry


@dataclass(frozen=True, slots=True)
class Difficulty:
    """An entry of DIFFICULTIES; `numbers` is the most that a step may use, or None."""

    name: str
    numbers: int | None
    uses_mine_count: bool
    about: str
    text: str
    """What a step needs, in a few words."""
    label: str
    """How hard a paper puzzle of this difficulty is, as printed on worksheets."""
    code: int
    """Its number in worksheet codes, which must not change; 0 means no difficulty."""


DIFFICULTIES = Registry(
    "difficulty",
    (
        Difficulty(
            *("one", 1, False, "a single number: strategies 1 and 2"),
            *("one number", "one number at a time", 1),
        ),
        Difficulty(
            *("two", 2, False, "a pair of numbers: strategies 3 to 7"),
            *("two numbers", "two numbers together", 2),
        ),
        Difficulty(
            *("three", 3, False, "three numbers together"),
            *("three numbers", "three numbers together", 3),
        ),
        Difficulty(
            *("four", None, False, "four or more numbers together"),
            *("four or more numbers", "four or more together", 4),
        ),
        Difficulty(
            *("count", None, True, "the mine count is needed"),
            *("counting mines", "all numbers and the mine count", 5),
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
    raise AssertionError("some difficulty has no limit")


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
