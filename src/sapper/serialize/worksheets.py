"""Worksheets of paper puzzles: style, contents and file formats."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sapper.errors import NotationError, RulesError, unknown_name
from sapper.generators.paper_puzzles.codes import encode
from sapper.generators.paper_puzzles.make import PaperPuzzle
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.worksheet import PAPERS, Worksheet, WorksheetItem
from sapper.render.worksheet_pages import Page, cell_size, pages, with_best_orientation
from sapper.serialize.cells import Json

TITLE = "Paper Minesweeper"
MAX_PER_PAGE = 80
# Lone surrogates: undecodable bytes of a command line, or half a character from the page.
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class SheetStyle:
    """The appearance of a worksheet."""

    paper: str = "a4"
    title: str = TITLE
    per_page: int | None = None
    large_print: bool = False
    high_contrast: bool = False
    solutions: bool = True

    def __post_init__(self) -> None:
        if _SURROGATES.search(self.title):
            raise NotationError(f"the title contains invalid characters: {self.title!a:.60}")
        if self.paper not in PAPERS:
            raise unknown_name("paper", self.paper, PAPERS)
        if self.per_page is not None and not 1 <= self.per_page <= MAX_PER_PAGE:
            raise RulesError(
                f"expected from 1 to {MAX_PER_PAGE} puzzles on a page, got {self.per_page}"
            )


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
    origin = f"seed {seed}" + (f", code {code}" if code else "")
    return Worksheet(
        [_item(puzzle) for puzzle in puzzles],
        style.title,
        (_command(rules, len(puzzles), seed, file), origin),
        style.paper,
        style.large_print,
        style.high_contrast,
        style.per_page,
        style.solutions,
    )


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


def paper_puzzle_json(puzzle: PaperPuzzle) -> Json:
    """Return the facts about a paper puzzle, without its position, solution and seed."""
    return {
        "difficulty": puzzle.difficulty,
        "unique_by": puzzle.unique_by,
        "reason": puzzle.reason,
        "numbers": len(puzzle.position.revealed),
        "tries": puzzle.tries,
    }


def lay_out(sheet: Worksheet) -> tuple[tuple[Page, ...], tuple[float, float]]:
    """Return the pages and their size."""
    sheet = with_best_orientation(sheet)
    return pages(sheet), sheet.size


def small_print_warning(sheet: Worksheet) -> str | None:
    """Return a warning if the board is too large for large print."""
    sheet = with_best_orientation(sheet)
    size = cell_size(sheet)
    if not sheet.large or size >= 0.999 * sheet.look.cell[0]:
        return None
    return f"{sheet.board} leaves only {size:.1f} mm for a cell, too little for large print"


def _as_pdf(sheet: Worksheet) -> bytes:
    from sapper.render.pdf import pages_pdf

    made, size = lay_out(sheet)
    return pages_pdf(made, size, sheet.title)


def _as_svg(sheet: Worksheet) -> str:
    from sapper.render.svg import pages_svg

    made, size = lay_out(sheet)
    return pages_svg(made, size, sheet.title)


def _as_text(sheet: Worksheet) -> str:
    from sapper.render.worksheet import worksheet_text

    return worksheet_text(sheet)


@dataclass(frozen=True)
class Writer:
    """A row of WRITERS: a file format of worksheets."""

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
