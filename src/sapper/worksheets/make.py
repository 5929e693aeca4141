"""Make a worksheet from its options."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sapper.board.board import MAX_CELLS, Board
from sapper.board.rules import parse_size
from sapper.board.tilings import tiling
from sapper.errors import NotationError, RulesError
from sapper.formats.registry import parse_board
from sapper.worksheets.kind import WorksheetKind
from sapper.worksheets.options import OPTIONS, STYLE, WorksheetOptions
from sapper.worksheets.registry import WORKSHEET_KINDS
from sapper.worksheets.sheet import Worksheet

MAX_LINK_LENGTH = 300
"""A longer link would need a QR code with too fine a pattern for its space on the page."""


def short_seed() -> int:
    """Return a random seed of at most six digits, easy to copy from a worksheet."""
    return secrets.randbelow(10**6)


def problem_rules(options: WorksheetOptions, max_cells: int = MAX_CELLS) -> Any:
    """Return the rules of the problems; too large a board is refused before it is built."""
    kind = WORKSHEET_KINDS.find(options.kind)
    given = options.given()
    for other in WORKSHEET_KINDS.values():
        for name in other.options:
            if name in given and name not in kind.options:
                option = name.replace("_", "-")
                raise NotationError(f"--{option} is not for worksheets of kind {kind.name!r}")
    values = {name: given[name] for name in kind.options if name in given}
    return kind.rules(_board(options, max_cells), **values)


def _board(options: WorksheetOptions, max_cells: int) -> Board:
    if options.board is not None:
        if options.size is not None:
            raise NotationError("a graph (--board) cannot be combined with a size")
        board = parse_board(options.board)
        if len(board) > max_cells:
            raise RulesError(f"expected at most {max_cells:,} cells, got {len(board):,}")
        return board
    if options.size is None:
        raise NotationError("missing size such as 9x10 (or a graph)")
    width, height, mines = parse_size(options.size)
    if mines is not None:
        raise NotationError(f"expected a size without mines such as 9x10, got {options.size!r:.60}")
    if width * height > max_cells:
        raise RulesError(f"expected at most {max_cells:,} cells, got {width}x{height}")
    return tiling(options.tiling, width, height)


def worksheet(
    options: WorksheetOptions, problems: Iterable[Any], address: str | None = None
) -> Worksheet:
    """Return the worksheet of these problems.

    *address* is that of the page for the link in the footer, unless the options have another.
    """
    kind = WORKSHEET_KINDS.find(options.kind)
    items = [kind.item(problem) for problem in problems]
    link = f"{options.address or address}#/print?{replace(options, address=None).query()}"
    has_link = (options.address or address) and len(link) <= MAX_LINK_LENGTH
    return Worksheet(
        items,
        f"{kind.about.capitalize()}: {_description(options, kind, items[0].position.board)}",
        replace(options, title=options.title or kind.title),
        kind.task,
        link=link if has_link else "",
    )


def _description(options: WorksheetOptions, kind: WorksheetKind, board: Board) -> str:
    """Return what the problems were made from, in the words of the form."""
    parts = [board.title]
    shown = options.given().keys() | {"count", *({"difficulty"} & set(kind.options))}
    for name, row in OPTIONS.items():
        if name in shown - {"kind", "size", "tiling", "board"} and row.group != STYLE:
            value = getattr(options, name)
            label = row.label.lower()
            parts.append(label if value is True else f"{label} {row.text(value)}")
    return ", ".join(parts)
