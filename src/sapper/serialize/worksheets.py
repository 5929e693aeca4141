"""Tables as a worksheet: what stands on it, the command that makes it again, its files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sapper.errors import NotationError, RulesError, unknown_name
from sapper.generators.paper_puzzles.codes import encode
from sapper.generators.paper_puzzles.make import PaperPuzzle, PaperPuzzleRules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.worksheet_pages import (
    PAPERS,
    Page,
    Worksheet,
    WorksheetItem,
    cell_size,
    pages,
    with_best_orientation,
)
from sapper.serialize.cells import Json

TITLE = "Paper Minesweeper"
MAX_PER_PAGE = 80
# Halves of characters: bytes of a command line that are no text, or a page's lone surrogates.
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class SheetStyle:
    """How a sheet looks."""

    paper: str = "a4"
    title: str = TITLE
    per_page: int | None = None
    large_print: bool = False
    high_contrast: bool = False
    solutions: bool = True

    def __post_init__(self) -> None:
        if _SURROGATES.search(self.title):
            raise NotationError(f"expected a title of whole characters, got {self.title!a:.60}")
        if self.paper not in PAPERS:
            raise unknown_name("paper", self.paper, PAPERS)
        if self.per_page is not None and not 1 <= self.per_page <= MAX_PER_PAGE:
            raise RulesError(
                f"expected from 1 to {MAX_PER_PAGE} tables on a page, got {self.per_page}"
            )


def worksheet(
    rules: PaperPuzzleRules,
    tables: Sequence[PaperPuzzle],
    seed: int,
    style: SheetStyle,
    file: str | None = None,
) -> Worksheet:
    """The sheet of these tables; its foot says how to make it again (*file* is a graph's)."""
    code = encode(rules, len(tables), seed)
    again = f"seed {seed}" + (f", code {code}" if code else "")
    return Worksheet(
        [_entry(one) for one in tables],
        style.title,
        (command(rules, len(tables), seed, file), again),
        style.paper,
        style.large_print,
        style.high_contrast,
        style.per_page,
        style.solutions,
    )


def _entry(table: PaperPuzzle) -> WorksheetItem:
    difficulty = DIFFICULTIES[table.difficulty]
    return WorksheetItem(
        table.position, table.mine_cells, 1 + DIFFICULTIES.index(difficulty), difficulty.label
    )


def command(rules: PaperPuzzleRules, count: int, seed: int, file: str | None = None) -> str:
    """The command that makes these tables again."""
    board = rules.board
    words = ["sapper", "table"]
    if board.tiling is None or file is not None:
        words += ["--board", file or "board.json"]
    else:
        words.append(f"{board.size[0]}x{board.size[1]}")
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
    if isinstance(rules.open_set, str):
        words += ["--open", rules.open_set]
    else:
        words += ["--open-cells", ",".join(board.name(cell) for cell in rules.open_set)]
    words += ["--method", rules.method, "--mines-share", f"{rules.share:g}"]
    words += [] if rules.difficulty is None else ["--difficulty", rules.difficulty]
    words += ["--at-most"] if rules.or_easier else []
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])


def paper_puzzle_json(one: PaperPuzzle) -> Json:
    """What is known of a table besides its position, its solution and its seed."""
    return {
        "difficulty": one.difficulty,
        "unique_by": one.unique_by,
        "reason": one.reason,
        "numbers": len(one.position.revealed),
        "tries": one.tries,
    }


def printed(sheet: Worksheet) -> tuple[tuple[Page, ...], tuple[float, float]]:
    """The pages and their size."""
    sheet = with_best_orientation(sheet)
    return pages(sheet), sheet.size


def small_print_warning(sheet: Worksheet) -> str | None:
    """What to say where a large board leaves no room for large print."""
    sheet = with_best_orientation(sheet)
    size = cell_size(sheet)
    if not sheet.large or size >= 0.999 * sheet.look.cell[0]:
        return None
    return f"{sheet.board} leaves only {size:.1f} mm for a cell, too little for large print"


def _as_pdf(sheet: Worksheet) -> bytes:
    from sapper.render.pdf import pages_pdf

    made, size = printed(sheet)
    return pages_pdf(made, size, sheet.title)


def _as_svg(sheet: Worksheet) -> str:
    from sapper.render.svg import pages_svg

    made, size = printed(sheet)
    return pages_svg(made, size, sheet.title)


def _as_text(sheet: Worksheet) -> str:
    from sapper.render.worksheet_text import worksheet_text

    return worksheet_text(sheet)


@dataclass(frozen=True)
class Writer:
    """One kind of file that a sheet is written as."""

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
    """The writer of a file such as 'set.pdf', by its suffix."""
    suffix = PurePath(file).suffix.lower()
    if suffix not in WRITERS:
        raise NotationError(f"expected a file {', '.join(WRITERS)}, got {file!r:.200}")
    return WRITERS[suffix]
