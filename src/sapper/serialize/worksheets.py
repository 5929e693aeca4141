"""Worksheets of paper puzzles and training puzzles: options, style, contents and file formats."""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath

from sapper.board.board import MAX_CELLS, Board
from sapper.board.rules import format_size, parse_size
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError, RulesError
from sapper.formats.registry import parse_board
from sapper.generators.paper_puzzles.codes import decode, encode
from sapper.generators.paper_puzzles.make import PaperPuzzle
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules, paper_puzzle_rules
from sapper.generators.puzzles import Puzzle, PuzzleRules, puzzle_rules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.worksheet import SheetStyle, Worksheet, WorksheetItem
from sapper.render.worksheet_pages import Page, cell_size, pages, with_best_orientation
from sapper.wording import counted


def worksheet(
    rules: PaperPuzzleRules,
    puzzles: Sequence[PaperPuzzle],
    seed: int,
    style: SheetStyle,
    file: str | None = None,
) -> Worksheet:
    """Return a worksheet of paper puzzles; its footer has the command and code to make it again.

    *file* is the file of the graph, for that command.
    """
    code = encode(rules, len(puzzles), seed)
    footer = (
        _command(rules, len(puzzles), seed, file),
        f"seed {seed}" + (f", code {code}" if code else ""),
    )
    return Worksheet([_item(puzzle) for puzzle in puzzles], footer, style)


def _item(puzzle: PaperPuzzle) -> WorksheetItem:
    difficulty = DIFFICULTIES[puzzle.difficulty]
    return WorksheetItem(
        puzzle.position, puzzle.mine_cells, 1 + DIFFICULTIES.index(difficulty), difficulty.label
    )


def _command(rules: PaperPuzzleRules, count: int, seed: int, file: str | None) -> str:
    board = rules.board
    words = ["sapper", "worksheet"]
    if board.tiling is None or file is not None:
        words += ["--board", file or "board.json"]
    else:
        words.append(f"{board.size[0]}x{board.size[1]}")
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
    if isinstance(rules.open_set, str):
        words += ["--open", rules.open_set]
    else:
        words += ["--open-cells", ",".join(board.name(cell) for cell in rules.open_set)]
    words += ["--method", rules.method, "--mine-density", f"{rules.mine_density:g}"]
    words += [] if rules.difficulty is None else ["--difficulty", rules.difficulty]
    words += ["--or-easier"] if rules.or_easier else []
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])


def lay_out(sheet: Worksheet) -> tuple[tuple[Page, ...], tuple[float, float]]:
    """Return the pages and their size."""
    sheet = with_best_orientation(sheet)
    return pages(sheet), sheet.size


def small_print_warning(sheet: Worksheet) -> str | None:
    """Return a warning if the board is too large for large print."""
    sheet = with_best_orientation(sheet)
    size = cell_size(sheet)
    if not sheet.style.large_print or size >= 0.999 * sheet.print_size.cell[0]:
        return None
    return f"{sheet.board} leaves only {size:.1f} mm for a cell, too little for large print"


def _as_pdf(sheet: Worksheet) -> bytes:
    from sapper.render.pdf import pages_pdf

    return pages_pdf(*lay_out(sheet), sheet.style.title)


def _as_svg(sheet: Worksheet) -> str:
    from sapper.render.svg import pages_svg

    return pages_svg(*lay_out(sheet), sheet.style.title)


def _as_text(sheet: Worksheet) -> str:
    from sapper.render.worksheet import worksheet_text

    return worksheet_text(sheet)


@dataclass(frozen=True)
class Writer:
    """An entry of WRITERS: a file format of worksheets."""

    suffix: str
    media_type: str
    write: Callable[[Worksheet], str | bytes]


WRITERS: dict[str, Writer] = {
    row.suffix: row
    for row in (
        Writer(".pdf", "application/pdf", _as_pdf),
        Writer(".svg", "image/svg+xml", _as_svg),
        Writer(".txt", "text/plain; charset=utf-8", _as_text),
    )
}


def find_writer(file: str) -> Writer:
    """Return the writer for a file name such as 'set.pdf', by its suffix."""
    suffix = PurePath(file).suffix.lower()
    if suffix not in WRITERS:
        raise NotationError(f"expected a file name in {', '.join(WRITERS)}, got {file!r:.200}")
    return WRITERS[suffix]


STYLE_FIELDS = tuple(field.name for field in fields(SheetStyle))


@dataclass(frozen=True)
class WorksheetOptions(SheetStyle):
    """The puzzles and the style of a worksheet; None is the default of `paper_puzzle_rules`.

    `board` is a graph as JSON; other boards have `size` and `tiling`.
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
    def without_style(self) -> WorksheetOptions:
        """The options that determine the puzzles, with the default style."""
        return replace(self, **{name: getattr(WorksheetOptions, name) for name in STYLE_FIELDS})

    def resolved(self, rules: PaperPuzzleRules) -> WorksheetOptions:
        """Replace the defaults by the values of *rules*."""
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


def rules_from_options(options: WorksheetOptions, max_cells: int = MAX_CELLS) -> PaperPuzzleRules:
    """Return the rules of the puzzles; too large a board is refused before it is built."""
    board = _board(options, max_cells)
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


PUZZLE_TITLE = "Find the safe cells and the mines"

PUZZLE_TASK = (
    "A flag marks a mine that is already known. Some of the empty cells can be decided: put a "
    "cross where there must be a mine, and a dash where there cannot be one.",
    "The dots show how many numbers must be combined; fewer are not enough. "
    "One cell is enough to solve the puzzle; the solutions show all of them.",
)


def puzzle_sheet(
    rules: PuzzleRules, puzzles: Sequence[Puzzle], style: SheetStyle, file: str | None = None
) -> Worksheet:
    """Return a worksheet of puzzles; its footer has the command that makes it again.

    *file* is the file of the graph, for that command.
    """
    seed = puzzles[0].seed
    footer = (_puzzle_command(rules, len(puzzles), seed, file), f"seed {seed}")
    return Worksheet([_puzzle_item(puzzle) for puzzle in puzzles], footer, style, PUZZLE_TASK)


def _puzzle_item(puzzle: Puzzle) -> WorksheetItem:
    difficulty, position = DIFFICULTIES[puzzle.difficulty], puzzle.position
    left = (position.mines or 0) - len(position.flags)
    return WorksheetItem(
        position,
        puzzle.flag,
        1 + DIFFICULTIES.index(difficulty),
        difficulty.label,
        safe_cells=puzzle.reveal,
        outlined=puzzle.proof.number_cells,
        note=f"{counted(left, 'mine')} left" if difficulty.uses_mine_count else "",
    )


def _puzzle_command(rules: PuzzleRules, count: int, seed: int, file: str | None) -> str:
    words = ["sapper", "puzzle", "--difficulty", rules.difficulty]
    board = rules.rules.board
    if board.tiling is None:
        words += ["--board", file or "board.json", "--size", str(rules.rules.mines)]
    else:
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
        default = puzzle_rules(rules.difficulty, board.tiling).rules
        words += [] if default == rules.rules else ["--size", format_size(rules.rules)]
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])
