"""How much one request may ask for. Beyond it, a 4xx with one line, and the server goes on."""

from __future__ import annotations

import json
import re
from typing import Any, TypeGuard

from sapper.board.board import Board
from sapper.errors import RulesError

# A larger board would be slow to draw, and a slow page is no page.
MAX_CELLS = 20_000
# On a board up to this size a move takes microseconds, and is made without leaving the event loop.
QUICK_CELLS = 2_500
# Moves in one game, undone ones included; reading them all again takes a second or so.
MAX_EVENTS = 50_000
# What the sessions in memory may take together, in cells of 24 bytes; an event weighs as much as
# 20 cells. The games touched longest ago make room, and come back from disk when asked for.
MAX_WEIGHT_IN_MEMORY = 2_000_000
EVENT_WEIGHT = 20

SMALL_BODY = 4_096
DOCUMENT_BODY = 65_536
TEXT_BODY = 2_000_000
FILE_BODY = 1_000_000_000
BODY_TIMEOUT = 20

_SURROGATE = re.compile("[\ud800-\udfff]")
_SIZE = re.compile(r"(\d{1,9})\s*x\s*(\d{1,9})", re.ASCII)


def check_cells(width: int, height: int) -> None:
    """Refuse a board that is too large to draw, before it is built."""
    if width * height > MAX_CELLS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {width}x{height}")


def check_board(board: Board) -> None:
    """Refuse a board that came without a size, such as a graph."""
    if len(board) > MAX_CELLS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {len(board):,}")


def check_text(text: str) -> None:
    """Refuse a position on a board that is too large, before it is built.

    Rows may come without a header, and JSON may spell its size in escapes.
    """
    if text.lstrip().startswith("{"):
        text = _board_in(text)
    for match in _SIZE.finditer(text):
        check_cells(int(match[1]), int(match[2]))
    letters = len(text) - sum(map(text.count, " \t\r\n"))
    # Besides its cells a position holds a few header lines.
    if letters > MAX_CELLS + SMALL_BODY:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {letters:,} letters")


def is_text(value: Any) -> TypeGuard[str]:
    """Whether a value is text that can be written to disk: JSON lets half characters in."""
    return isinstance(value, str) and _SURROGATE.search(value) is None


def _board_in(text: str) -> str:
    """The size that the JSON of a position names; a graph has none."""
    try:
        return str(json.loads(text).get("board", ""))
    except (ValueError, RecursionError, AttributeError):
        return ""
