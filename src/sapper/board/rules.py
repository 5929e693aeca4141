"""The rules of a game: board, number of mines, and the rule of the first click."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sapper.board.board import MAX_CELLS, Board
from sapper.board.presentation import parse_text, to_text
from sapper.board.tilings import TILINGS
from sapper.board.tilings import tiling as make_tiling
from sapper.errors import NotationError, RulesError, did_you_mean, unknown_name
from sapper.values import check_int

Rule = Literal["any", "safe", "zero"]
"""What the first click may hit."""
RULES: dict[Rule, str] = {
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

BEST_FIRST = "best"
"""Accepted instead of a cell name: the best first click."""
# On boards of at least this many cells the best first click is one cell further from the corner.
LARGE_BOARD_CELLS = 400

_SIZE = re.compile(r"(\d+)[xX\u00d7](\d+)(?:/(\d+))?", re.ASCII)
# A number in a size has at most this many digits; int() is slow for very long ones.
_MAX_DIGITS = 9


@dataclass(frozen=True, init=False)
class Rules:
    """A board, its number of mines, and the rule of the first click: any, safe or zero."""

    board: Board
    mines: int
    rule: Rule = "zero"

    def __init__(self, board: Board, mines: int, rule: str = "zero") -> None:
        rule = rule.lower() if isinstance(rule, str) else rule
        if rule not in RULES:
            raise unknown_name("rule", rule, RULES)
        mines = check_int(mines, "a number of mines")
        if not 0 <= mines < len(board):
            raise RulesError(f"expected from 0 to {len(board) - 1} mines on {board}, got {mines}")
        # The class is frozen, so its fields cannot be assigned.
        for name, value in (("board", board), ("mines", mines), ("rule", rule)):
            object.__setattr__(self, name, value)

    @classmethod
    def parse(cls, text: str, tiling: str | None = None, rule: str | None = None) -> Rules:
        """Read rules from a level's name or a size such as 30x16/99; `str` is the inverse.

        The text may begin with a tiling and end with a rule; rules of a graph are JSON.
        *tiling* and *rule* apply where the text does not name them; the defaults are square
        and zero.

        >>> Rules.parse("expert")
        Rules(board=<Board square 30x16>, mines=99, rule='zero')
        >>> print(Rules.parse("hexagonal 9x9/10 safe"))
        hexagonal 9x9/10 safe
        """
        if text.lstrip().startswith("{"):
            return cls.of(parse_text(cls, text), tiling, rule)
        text_tiling, size, text_rule = _split_rules(text)
        width, height, mines = parse_size(size)
        if mines is None:
            raise NotationError(f"expected a size with mines such as 30x16/99, got {size!r:.60}")
        tiling = _choose("tiling", text_tiling, tiling, default="square")
        rule = _choose("rule", text_rule, rule, default="zero")
        return cls(make_tiling(tiling, width, height), mines, rule)

    @classmethod
    def of(cls, size: str | Rules, tiling: str | None = None, rule: str | None = None) -> Rules:
        """Parse a text as `parse` does, or return given rules, with *rule* in place of theirs."""
        if not isinstance(size, Rules):
            return cls.parse(size, tiling, rule)
        if tiling is not None and tiling != size.board.tiling:
            raise RulesError(f"expected a board of the tiling {tiling!r:.60}, got {size.board}")
        return size if rule is None else cls(size.board, size.mines, rule)

    def __str__(self) -> str:
        """Return the text that `parse` reads, without the defaults."""
        if self.board.tiling is None:
            return to_text(self)
        prefix = "" if self.board.tiling == "square" else f"{self.board.tiling} "
        return prefix + format_size(self) + ("" if self.rule == "zero" else f" {self.rule}")

    def mine_free_cells(self, first: int) -> Sequence[int]:
        """Return the cells that the rule keeps free of mines when *first* is clicked first."""
        first = self.board.cell(first)
        if self.rule == "any":
            return ()
        if self.rule == "safe":
            return (first,)
        return (first, *map(int, self.board.around(first)))

    def first_cell(self, first: str | int | None = None) -> int:
        """Return the first click: a cell, the middle one (None), or the best one ('best').

        A graph may have a cell named 'best'; then that cell is meant. The best cells are measured
        (`docs/how-it-works/win-rates.md`): without the rule zero a cell with the fewest neighbours,
        which is a zero most often; with it a cell near a corner, whose opening leaves no strip
        along the sides.
        """
        board = self.board
        if first is None:
            return board.middle
        best = isinstance(first, str) and first.lower() == BEST_FIRST
        if not best or (board.tiling is None and first in board.names):
            return board.cell(first)
        fewest_neighbours_cell = int(board.neighbour_counts.argmin())
        if self.rule != "zero":
            return fewest_neighbours_cell
        candidates = [board.middle]
        from_corner = 4 if len(board) >= LARGE_BOARD_CELLS else 3
        if board.tiling is not None and min(board.size) >= from_corner:
            candidates.insert(0, board.cell(f"r{from_corner}c{from_corner}"))
        return next(filter(self.allows_first, candidates), fewest_neighbours_cell)

    def allows_first(self, first: int) -> bool:
        """Return whether a first click on this cell leaves enough cells for the mines."""
        return self.mines <= len(self.board) - len(self.mine_free_cells(first))

    def check_first(self, first: int) -> None:
        """Raise RulesError if a first click on this cell leaves too few cells for the mines."""
        if not self.allows_first(first):
            max_mines = len(self.board) - len(self.mine_free_cells(first))
            raise RulesError(
                f"expected at most {max_mines} mines so that the first click at "
                f"{self.board.name(first)} keeps the rule {self.rule!r}, got {self.mines}"
            )


def _split_rules(text: str) -> tuple[str | None, str, str | None]:
    """Split a text into tiling, size and rule."""
    words = text.split() or [text]
    tiling = words.pop(0) if len(words) > 1 and words[0].lower() in TILINGS else None
    rule = words.pop() if len(words) > 1 and words[-1].lower() in RULES else None
    # A size alone is returned unchanged, so that white space in it is an error.
    return (tiling, " ".join(words), rule) if tiling or rule else (None, text, None)


def _choose(kind: str, in_text: str | None, given: str | None, default: str) -> str:
    """Return the value in the text or the given one; raise RulesError if they differ."""
    if in_text is None:
        return default if given is None else given
    if given is not None and given != in_text:
        raise RulesError(f"expected one {kind}, got {in_text!r:.60} and {given!r:.60}")
    return in_text


def parse_size(text: str) -> tuple[int, int, int | None]:
    """Return width, height and mines of a level, of 30x16/99 or of 30x16 (mines None).

    >>> parse_size("beginner"), parse_size("5x4")
    ((9, 9, 10), (5, 4, None))
    """
    match = _SIZE.fullmatch(LEVELS.get(text.lower(), text))
    if match is None:
        names = ", ".join(LEVELS)
        raise NotationError(
            f"expected a size such as 30x16/99 or a level ({names}), got {text!r:.60}"
            f"{did_you_mean(text, LEVELS)}"
        )
    if max(map(len, match.groups()[:2])) > _MAX_DIGITS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {text!r:.60}")
    if len(match[3] or "") > _MAX_DIGITS:
        raise RulesError(f"expected fewer than {MAX_CELLS:,} mines, got {text!r:.60}")
    mines = None if match[3] is None else int(match[3])
    return int(match[1]), int(match[2]), mines


def format_size(rules: Rules) -> str:
    """Write the size of a tiling's rules, such as 30x16/99."""
    width, height = rules.board.size
    return f"{width}x{height}/{rules.mines}"


def level_of(size: str) -> str | None:
    """Return the level that has this size, or None.

    >>> level_of("30x16/99"), level_of("5x5/3")
    ('expert', None)
    """
    return next((name for name, known in LEVELS.items() if known == size), None)
