"""The options of a worksheet: from the command line, from the page, or from a code."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, fields, replace

from sapper.board.board import MAX_CELLS, Board
from sapper.board.rules import parse_size
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError, RulesError
from sapper.formats.registry import parse_board
from sapper.generators.exercises import ExerciseRules, exercise_rules
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules
from sapper.generators.worksheet_codes import decode
from sapper.generators.worksheets import WorksheetRules
from sapper.render.worksheet import SheetStyle
from sapper.serialize.worksheets import WORKSHEET_KINDS

STYLE_FIELDS = tuple(field.name for field in fields(SheetStyle))
PAPER_PUZZLE_FIELDS = ("open", "open_cells", "method", "or_easier")
"""Options that only paper puzzles have."""


@dataclass(frozen=True)
class WorksheetOptions(SheetStyle):
    """The problems and the style of a worksheet; None is the default of the kind and the board.

    `open`, `open_cells`, `method` and `or_easier` are for paper puzzles alone.
    `board` is a graph as JSON; other boards have `size` and `tiling`.
    """

    kind: str = "puzzle"
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
    def without_style(self) -> WorksheetOptions:
        """The options that determine the puzzles, with the default style."""
        return replace(self, **{name: getattr(WorksheetOptions, name) for name in STYLE_FIELDS})

    def resolved(self, rules: WorksheetRules) -> WorksheetOptions:
        """Replace the defaults by the values of *rules*."""
        if isinstance(rules, ExerciseRules):
            density, difficulty = rules.mine_density, rules.difficulty
            return replace(self, kind=rules.kind, mine_density=density, difficulty=difficulty)
        open_set = rules.open_set if isinstance(rules.open_set, str) else None
        return replace(
            self,
            open=open_set,
            open_cells=self.open_cells if open_set is None else None,
            method=rules.method,
            mine_density=rules.mine_density,
            difficulty=rules.difficulty,
            or_easier=rules.or_easier,
        )


def short_seed() -> int:
    """Return a random seed of at most six digits, easy to copy from a worksheet."""
    return secrets.randbelow(10**6)


def rules_from_options(options: WorksheetOptions, max_cells: int = MAX_CELLS) -> WorksheetRules:
    """Return the rules of the problems; too large a board is refused before it is built."""
    kind = WORKSHEET_KINDS.find(options.kind).name
    if kind != "puzzle":
        given = next((name for name in PAPER_PUZZLE_FIELDS if getattr(options, name)), None)
        if given is not None:
            option = given.replace("_", "-")
            raise NotationError(f"--{option} is for worksheets of puzzles, not of kind {kind!r}")
    board = _board(options, max_cells)
    if kind != "puzzle":
        return exercise_rules(
            board, kind, mine_density=options.mine_density, difficulty=options.difficulty
        )
    return paper_puzzle_rules(
        board,
        open_set=_parse_open_cells(board, options) or options.open,
        method=options.method,
        mine_density=options.mine_density,
        difficulty=options.difficulty,
        or_easier=options.or_easier,
    )


def options_from_code(
    code: str, options: WorksheetOptions, max_cells: int = MAX_CELLS
) -> WorksheetOptions:
    """Return the options of a code; style, graph and chosen open cells come from *options*."""
    decoded = decode(code)
    if decoded.tiling in TILINGS:
        width, height = decoded.size
        options = replace(options, board=None, size=f"{width}x{height}", tiling=decoded.tiling)
    board = None if options.size is None and options.board is None else _board(options, max_cells)
    rules = decoded.rules(board, None if board is None else _parse_open_cells(board, options))
    return replace(options.resolved(rules), count=decoded.count, seed=decoded.seed)


def _board(options: WorksheetOptions, max_cells: int) -> Board:
    if options.board is not None:
        board = parse_board(options.board)
        if len(board) > max_cells:
            raise RulesError(f"expected at most {max_cells:,} cells, got {len(board):,}")
        return board
    if options.size is None:
        raise NotationError("missing size such as 9x10 (or a graph, or a code)")
    width, height, mines = parse_size(options.size)
    if mines is not None:
        raise NotationError(f"expected a size without mines such as 9x10, got {options.size!r:.60}")
    if width * height > max_cells:
        raise RulesError(f"expected at most {max_cells:,} cells, got {width}x{height}")
    return tiling(options.tiling, width, height)


def _parse_open_cells(board: Board, options: WorksheetOptions) -> tuple[int, ...] | None:
    if options.open_cells is None:
        return None
    if options.open is not None:
        raise NotationError("an open set and chosen open cells cannot be combined")
    names = re.findall(r"[^\s,]+", options.open_cells)
    if not names:
        raise NotationError("expected names of open cells such as r1c1,r1c3, got none")
    return tuple(sorted({board.cell(name) for name in names}))
