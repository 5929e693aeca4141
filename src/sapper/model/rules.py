"""The rules: what a user chooses before the game."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sapper.errors import NotationError, RulesError
from sapper.model.board import Board
from sapper.model.tilings import tiling as make_tiling

Promise = Literal["any", "safe", "zero"]
PROMISES: dict[Promise, str] = {
    "any": "the first click may hit a mine",
    "safe": "the first click is not a mine",
    "zero": "the first click is not a mine and has no mine around it",
}

LEVELS: dict[str, str] = {
    "beginner": "9x9/10",
    "classic": "8x8/10",
    "intermediate": "16x16/40",
    "expert": "30x16/99",
}

_SIZE = re.compile(r"(\d{1,9})x(\d{1,9})(?:/(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class Rules:
    """A board, its number of mines, and what the first click is promised."""

    board: Board
    mines: int
    promise: Promise = "zero"

    def __post_init__(self) -> None:
        if self.promise not in PROMISES:
            raise RulesError(f"expected a rule ({', '.join(PROMISES)}), got {self.promise!r:.60}")
        object.__setattr__(self, "mines", operator.index(self.mines))
        if not 0 <= self.mines < len(self.board):
            raise RulesError(
                f"expected from 0 to {len(self.board) - 1} mines on {self.board}, got {self.mines}"
            )

    @classmethod
    def parse(cls, size: str, tiling: str = "square", promise: str = "zero") -> Rules:
        """Rules from a level's name or a size such as 30x16/99.

        >>> Rules.parse("expert")
        Rules(board=<Board square 30x16>, mines=99, promise='zero')
        """
        width, height, mines = parse_size(size)
        if mines is None:
            raise NotationError(f"expected a size with mines such as 30x16/99, got {size!r:.60}")
        if promise not in get_args(Promise):
            raise RulesError(f"expected a rule ({', '.join(PROMISES)}), got {promise!r:.60}")
        return cls(make_tiling(tiling, width, height), mines, promise)  # type: ignore[arg-type]

    def kept_free(self, first: int) -> Sequence[int]:
        """The cells that the promise keeps free of mines when *first* is clicked first."""
        if self.promise == "any":
            return ()
        if self.promise == "safe":
            return (first,)
        return (first, *map(int, self.board.around(first)))

    def check_first(self, first: int) -> None:
        """Refuse a first click that leaves too few cells for the mines."""
        room = len(self.board) - len(self.kept_free(first))
        if self.mines > room:
            raise RulesError(
                f"expected at most {room} mines so that the first click at "
                f"{self.board.name(first)} keeps the rule {self.promise!r}, got {self.mines}"
            )


def parse_size(text: str) -> tuple[int, int, int | None]:
    """Width, height and mines of a level's name, of 30x16/99 or of 30x16 (no mines).

    >>> parse_size("beginner"), parse_size("5x4")
    ((9, 9, 10), (5, 4, None))
    """
    match = _SIZE.fullmatch(LEVELS.get(text, text))
    if match is None:
        names = ", ".join(LEVELS)
        raise NotationError(
            f"expected a size such as 30x16/99 or a level ({names}), got {text!r:.60}"
        )
    mines = None if match[3] is None else int(match[3])
    return int(match[1]), int(match[2]), mines


def format_size(rules: Rules) -> str:
    """The size of a tiling's rules as players write it."""
    width, height = rules.board.size
    return f"{width}x{height}/{rules.mines}"


def level_of(size: str) -> str | None:
    """The name of the level that has this size, if one has.

    >>> level_of("30x16/99"), level_of("5x5/3")
    ('expert', None)
    """
    return next((name for name, known in LEVELS.items() if known == size), None)
