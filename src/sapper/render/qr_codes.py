"""QR codes of links, for a terminal and for print."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from sapper.board.board import Point
from sapper.render.shapes import Polygon

_BLOCKS = {"00": "█", "01": "▀", "10": "▄", "11": " "}


@lru_cache(maxsize=16)
def qr_rows(text: str) -> tuple[str, ...]:
    """Return a QR code as rows of 1 (dark) and 0 (light), without its light border."""
    import segno

    return tuple("".join(map(str, row)) for row in segno.make_qr(text, error="l").matrix)


def qr_lines(text: str, *, colours: bool) -> list[str]:
    """Return a QR code for a terminal, two of its rows in each line of half blocks.

    Without colours the blocks are the light parts, for a terminal with a dark background.
    """
    border = 2
    rows = qr_rows(text)
    side = "0" * border
    width = len(rows) + 2 * border
    empty = ["0" * width] * border
    full = [*empty, *(side + row + side for row in rows), *empty]
    if len(full) % 2:
        full.append("0" * width)
    lines = [
        "".join(_BLOCKS[upper + lower] for upper, lower in zip(top_row, bottom_row, strict=True))
        for top_row, bottom_row in zip(full[::2], full[1::2], strict=True)
    ]
    return [f"\x1b[97;40m{line}\x1b[0m" for line in lines] if colours else lines


def qr_shapes(text: str, corner: Point, module: float) -> Iterator[Polygon]:
    """Yield the dark parts of a QR code, whose upper left corner is *corner*.

    *module* is the width of its smallest square.
    """
    left, top = corner
    for y, row in enumerate(qr_rows(text)):
        x = 0
        for digit, run in groupby(row):
            width = len(list(run))
            if digit == "1":
                x0, x1 = left + x * module, left + (x + width) * module
                y0, y1 = top + y * module, top + (y + 1) * module
                yield Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), "ink", None, 0)
            x += width
