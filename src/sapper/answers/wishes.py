"""What a sheet of tables is made from.

It is the same wish from the options of a command, from the form of the page, and from the code at
the foot of a sheet.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, fields, replace

from sapper.answers.worksheets import Style
from sapper.errors import NotationError, RulesError
from sapper.generate.tables.codes import decode
from sapper.generate.tables.make import TableRules, table_rules
from sapper.model.board import MAX_CELLS, Board
from sapper.model.formats import parse_board
from sapper.model.rules import parse_size
from sapper.model.tilings import TILINGS, tiling

# The part of a wish that says how its sheet looks.
LOOKS = tuple(field.name for field in fields(Style))


@dataclass(frozen=True)
class Wish(Style):
    """Which tables, and how their sheet looks; None leaves a choice to `table_rules`.

    `board` is the JSON of a graph; `size` and `tiling` name any other board.
    """

    size: str | None = None
    tiling: str = "square"
    board: str | None = None
    open: str | None = None
    open_cells: str | None = None
    method: str | None = None
    mines_share: float | None = None
    rung: str | None = None
    at_most: bool = False
    count: int = 1
    seed: int = 0

    @property
    def tables(self) -> Wish:
        """The part that decides which tables these are."""
        return replace(self, **{name: getattr(Wish, name) for name in LOOKS})

    def settled(self, rules: TableRules) -> Wish:
        """The same wish with nothing left open."""
        named = rules.open_set if isinstance(rules.open_set, str) else None
        return replace(
            self,
            open=named,
            open_cells=self.open_cells if named is None else None,
            method=rules.method,
            mines_share=rules.share,
            rung=rules.rung,
            at_most=rules.at_most,
        )


def short_seed() -> int:
    """A fresh seed of at most six digits: short enough to be copied from a sheet by hand."""
    return secrets.randbelow(10**6)


def rules_of(wish: Wish, most_cells: int = MAX_CELLS) -> TableRules:
    """The rules of a wish; a board of more cells is refused before it is built."""
    board = _board(wish, most_cells)
    return table_rules(
        board,
        open_set=_own_cells(board, wish) or wish.open,
        method=wish.method,
        share=wish.mines_share,
        rung=wish.rung,
        at_most=wish.at_most,
    )


def of_code(code: str, wish: Wish, most_cells: int = MAX_CELLS) -> Wish:
    """The wish of a code, with the looks of *wish*; so are a graph and open cells by name."""
    said = decode(code)
    if said.tiling in TILINGS:
        width, height = said.size
        wish = replace(wish, board=None, size=f"{width}x{height}", tiling=said.tiling)
    board = None if wish.size is None and wish.board is None else _board(wish, most_cells)
    rules = said.rules(board, None if board is None else _own_cells(board, wish))
    return replace(wish.settled(rules), count=said.count, seed=said.seed)


def _board(wish: Wish, most_cells: int) -> Board:
    if wish.board is not None:
        board = parse_board(wish.board)
        if len(board) > most_cells:
            raise RulesError(f"expected at most {most_cells:,} cells, got {len(board):,}")
        return board
    if wish.size is None:
        raise NotationError("expected a size such as 9x10, a graph or a code, got none")
    width, height, mines = parse_size(wish.size)
    if mines is not None:
        raise NotationError(f"expected a size without mines such as 9x10, got {wish.size!r:.60}")
    if width * height > most_cells:
        raise RulesError(f"expected at most {most_cells:,} cells, got {width}x{height}")
    return tiling(wish.tiling, width, height)


def _own_cells(board: Board, wish: Wish) -> tuple[int, ...] | None:
    if wish.open_cells is None:
        return None
    if wish.open is not None:
        raise NotationError("expected an open set or names of open cells, got both")
    names = re.findall(r"[^\s,]+", wish.open_cells)
    if not names:
        raise NotationError("expected names of open cells such as r1c1,r1c3, got none")
    return tuple(sorted({board.cell(name) for name in names}))
