"""`sapper read`: a position from a screenshot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.options import FileName, WholeNumber, file_option, json_option
from sapper.cli.output import print_note, write_or_print
from sapper.errors import NotationError
from sapper.formats.registry import write_text
from sapper.formats.rows import MARKS
from sapper.wording import count_text, percent

if TYPE_CHECKING:
    from sapper.pictures.reading import Reading

# Several characters are read as one mark; the first is written.
_CHARACTERS = {mark: character for character, mark in reversed(MARKS.items())}
_SIZE = re.compile(r"(\d{1,4})[xX](\d{1,4})", re.ASCII)


@click.command()
@click.argument("picture", metavar="PICTURE", type=FileName())
@click.option("--mines", type=WholeNumber(0), metavar="N", help="The mine count of the board.")
@click.option("--size", metavar="WxH", help="Columns and rows, such as 30x16, if known.")
@file_option("-o", "--output", help="Write the position to a file instead; - for standard output.")
@json_option
def read(
    picture: str, mines: int | None, size: str | None, output: str | None, as_json: bool
) -> None:
    """Read a position from a screenshot of any Minesweeper program.

    PICTURE is a PNG, JPEG, GIF, WebP or BMP, or - for standard input. Mines that a lost game shows
    are read as flags, question marks as covered cells. Cells that may have been misread are listed
    on standard error. Other commands take a picture as FILE too.
    """
    from sapper.pictures.reading import read as read_picture

    match = None if size is None else _SIZE.fullmatch(size.strip())
    if size is not None and match is None:
        raise NotationError(f"expected a size such as 30x16, got {size!r:.60}")
    columns_and_rows = None if match is None else (int(match[1]), int(match[2]))
    try:
        reading = read_picture(picture, mines=mines, size=columns_and_rows)
    except FileNotFoundError:
        raise NotationError(f"no such file {picture!r}") from None
    data = _reading_json(reading)
    write_or_print(output, write_text(reading.position), data if as_json else None)
    if as_json:
        return
    for note in reading.notes:
        print_note(note)
    if data["unsure"]:
        print_note(f"{count_text(len(data['unsure']), 'cell')} unsure:")
    for item in data["unsure"]:
        others = ", ".join(item["alternatives"])
        print_note(
            f"  {item['cell']}: {item['read']} ({percent(item['confidence'])}); may be {others}"
        )


def _reading_json(reading: Reading) -> dict[str, Any]:
    """Return a reading as JSON: the position as text, and the unsure cells."""
    position, lattice = reading.position, reading.lattice
    return {
        "position": write_text(position).rstrip("\n"),
        "width": lattice.columns,
        "height": lattice.rows,
        "confidence": round(reading.confidence, 4),
        "unsure": [
            {
                "cell": position.board.name(item.cell),
                "read": _CHARACTERS[item.read],
                "confidence": round(item.confidence, 4),
                "alternatives": [_CHARACTERS[mark] for mark in item.alternatives],
            }
            for item in reading.unsure_cells
        ],
        "notes": list(reading.notes),
        "board": {
            "left": round(lattice.left, 2),
            "top": round(lattice.top, 2),
            "cell_width": round(lattice.width, 3),
            "cell_height": round(lattice.height, 3),
        },
    }
