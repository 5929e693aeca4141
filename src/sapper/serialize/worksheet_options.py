"""What a sheet of tables is made from.

It is the same wish from the options of a command, from the form of the page, and from the code at
the foot of a sheet.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, fields, replace

from sapper.board.board import MAX_CELLS, Board
from sapper.board.rules import parse_size
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError, RulesError
from sapper.formats.registry import parse_board
from sapper.generators.paper_puzzles.codes import decode
from sapper.generators.paper_puzzles.make import PaperPuzzleRules, paper_puzzle_rules
from sapper.serialize.worksheets import SheetStyle

# The part of a wish that says how its sheet looks.
STYLE_FIELDS = tuple(field.name for field in fields(SheetStyle))


@dataclass(frozen=True)
class WorksheetOptions(SheetStyle):
    """Which tables, and how their sheet looks; None leaves a choice to `paper_puzzle_rules`.

    `board` is the JSON of a graph; `size` and `tiling` name any other board.
    """

    size: str | None = None
    tiling: str = "square"
    board: str | None = None
    open: str | None = None
    open_cells: str | None = None
    method: str | None = None
    mine_density: float | None = None
    difficulty: str | None = None
    or_easier: bool = False
    count: int = 1
    seed: int = 0

    @property
    def tables(self) -> WorksheetOptions:
        """The part that decides which tables these are."""
        return replace(self, **{name: getattr(WorksheetOptions, name) for name in STYLE_FIELDS})

    def resolved(self, rules: PaperPuzzleRules) -> WorksheetOptions:
        """The same wish with nothing left open."""
        named = rules.open_set if isinstance(rules.open_set, str) else None
        return replace(
            self,
            open=named,
            open_cells=self.open_cells if named is None else None,
            method=rules.method,
            mine_density=rules.share,
            difficulty=rules.difficulty,
            or_easier=rules.or_easier,
        )


def short_seed() -> int:
    """A fresh seed of at most six digits: short enough to be copied from a sheet by hand."""
    return secrets.randbelow(10**6)


def rules_from_options(options: WorksheetOptions, max_cells: int = MAX_CELLS) -> PaperPuzzleRules:
    """The rules of a wish; a board of more cells is refused before it is built."""
    board = _board(options, max_cells)
    return paper_puzzle_rules(
        board,
        open_set=_own_cells(board, options) or options.open,
        method=options.method,
        share=options.mine_density,
        difficulty=options.difficulty,
        or_easier=options.or_easier,
    )


def options_from_code(
    code: str, options: WorksheetOptions, max_cells: int = MAX_CELLS
) -> WorksheetOptions:
    """The wish of a code, with the looks of *wish*; so are a graph and open cells by name."""
    said = decode(code)
    if said.tiling in TILINGS:
        width, height = said.size
        options = replace(options, board=None, size=f"{width}x{height}", tiling=said.tiling)
    board = None if options.size is None and options.board is None else _board(options, max_cells)
    rules = said.rules(board, None if board is None else _own_cells(board, options))
    return replace(options.resolved(rules), count=said.count, seed=said.seed)


def _board(options: WorksheetOptions, max_cells: int) -> Board:
    if options.board is not None:
        board = parse_board(options.board)
        if len(board) > max_cells:
            raise RulesError(f"expected at most {max_cells:,} cells, got {len(board):,}")
        return board
    if options.size is None:
        raise NotationError("expected a size such as 9x10, a graph or a code, got none")
    width, height, mines = parse_size(options.size)
    if mines is not None:
        raise NotationError(f"expected a size without mines such as 9x10, got {options.size!r:.60}")
    if width * height > max_cells:
        raise RulesError(f"expected at most {max_cells:,} cells, got {width}x{height}")
    return tiling(options.tiling, width, height)


def _own_cells(board: Board, options: WorksheetOptions) -> tuple[int, ...] | None:
    if options.open_cells is None:
        return None
    if options.open is not None:
        raise NotationError("expected an open set or names of open cells, got both")
    names = re.findall(r"[^\s,]+", options.open_cells)
    if not names:
        raise NotationError("expected names of open cells such as r1c1,r1c3, got none")
    return tuple(sorted({board.cell(name) for name in names}))
