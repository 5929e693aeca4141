"""File formats of worksheets: PDF, SVG and text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from sapper.errors import NotationError
from sapper.worksheets.pages import Page, cell_size, pages, with_best_orientation
from sapper.worksheets.sheet import Worksheet, worksheet_text


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
        Writer(".txt", "text/plain; charset=utf-8", worksheet_text),
    )
}


def find_writer(file: str) -> Writer:
    """Return the writer for a file name such as 'set.pdf', by its suffix."""
    suffix = PurePath(file).suffix.lower()
    if suffix not in WRITERS:
        raise NotationError(f"expected a file name in {', '.join(WRITERS)}, got {file!r:.200}")
    return WRITERS[suffix]
