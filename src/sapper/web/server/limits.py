"""Limits of a request; exceeding one gives a 4xx response with a one-line message."""

from __future__ import annotations

import json
import re

from sapper.board.board import Board
from sapper.errors import RulesError

# A larger board would be slow to draw.
MAX_CELLS = 20_000
# Up to this size a move takes microseconds, and is made in the event loop without a thread.
QUICK_CELLS = 2_500
# Events in one game, undone moves included; replaying that many takes about a second.
MAX_EVENTS = 50_000
# Memory for sessions, in cells of 24 bytes; an event counts as 20 cells. The least recently used
# sessions are dropped, and loaded from disk when they are needed again.
MAX_WEIGHT_IN_MEMORY = 2_000_000
EVENT_WEIGHT = 20

# Maximum bytes of a request body, by what it contains.
SMALL_BODY = 4_096
DOCUMENT_BODY = 65_536
TEXT_BODY = 2_000_000
PICTURE_BODY = 32_000_000
FILE_BODY = 1_000_000_000
# Seconds for each chunk of a body.
BODY_TIMEOUT = 20

_SIZE = re.compile(r"(\d{1,9})\s*x\s*(\d{1,9})", re.ASCII)


def check_size(width: int, height: int) -> None:
    """Reject a board that is too large to draw, before it is built."""
    if width * height > MAX_CELLS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {width}x{height}")


def check_board(board: Board) -> None:
    """Reject a graph, or another board without width and height, that is too large."""
    if len(board) > MAX_CELLS:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {len(board):,}")


def check_text(text: str) -> None:
    """Reject the text of a position on a board that is too large, before the board is built.

    Without a header, the size follows from the number of characters. JSON is parsed, because its
    strings may be escaped.
    """
    if text.lstrip().startswith("{"):
        text = _json_board(text)
    for match in _SIZE.finditer(text):
        check_size(int(match[1]), int(match[2]))
    characters = len(text) - sum(map(text.count, " \t\r\n"))
    # Besides its cells a position has a few header lines.
    if characters > MAX_CELLS + SMALL_BODY:
        raise RulesError(f"expected at most {MAX_CELLS:,} cells, got {characters:,} characters")


def _json_board(text: str) -> str:
    """Return the tiling and size in the JSON of a position, or an empty string."""
    try:
        return str(json.loads(text).get("board", ""))
    except (ValueError, RecursionError, AttributeError):
        return ""
