"""Sheets on paper, as the commands write them: their options, and the file that comes of them."""

from __future__ import annotations

import os
from pathlib import Path

import click

from sapper.answers.worksheets import WRITERS, find_writer, small_print
from sapper.cli.numbers import Whole
from sapper.cli.options import Decorator, file_option, name_option, together
from sapper.cli.writing import note, write_whole
from sapper.render.sheet import PAPERS, Sheet


def sheet_options(title: str, what: str) -> Decorator:
    """-o, and how the sheet looks; *what* stands on it, under this title where none is given."""
    return together(
        file_option("-o", "--output", help="Write a sheet: FILE.pdf, .svg or .txt."),
        name_option("--paper", "Sheets", PAPERS, default="a4"),
        click.option("--title", default=title, help=f"Sheets: the title. [{title}]"),
        click.option("--per-page", type=Whole(), metavar="N", help=f"Sheets: {what} on a page."),
        click.option("--large-print", is_flag=True, help="Sheets: large cells and letters."),
        click.option("--high-contrast", is_flag=True, help="Sheets: black on white, heavy lines."),
        click.option("--no-solutions", is_flag=True, help="Sheets: without the solutions."),
    )


def check_output(output: str | None) -> None:
    """Refuse what cannot be written before any work is done."""
    if output is None:
        return
    path = Path(output)
    find_writer(output)
    folder = path.parent
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "no permission to write there", str(path))


def write_sheet(output: str, sheet: Sheet) -> None:
    """Write the file, and say how to make it again."""
    writer = find_writer(output)
    write_whole(output, writer.write(sheet))
    small = small_print(sheet) if writer is not WRITERS[".txt"] else None
    if small is not None:
        note(small)
    note(sheet.footer[-1])
