"""Sheets on paper, as the commands write them: their options, and the file that comes of them."""

from __future__ import annotations

import os
from pathlib import Path

import click

from sapper.cli.number_types import WholeNumber
from sapper.cli.options import Decorator, choice_option, combine, file_option
from sapper.cli.output import print_note, write_atomically
from sapper.render.worksheet_pages import PAPERS, Worksheet
from sapper.serialize.worksheets import WRITERS, find_writer, small_print_warning


def sheet_options(title: str, what: str) -> Decorator:
    """-o, and how the sheet looks; *what* stands on it, under this title where none is given."""
    return combine(
        file_option("-o", "--output", help="Write a sheet: FILE.pdf, .svg or .txt."),
        choice_option("--paper", "Sheets", PAPERS, default="a4"),
        click.option("--title", default=title, help=f"Sheets: the title. [{title}]"),
        click.option(
            "--per-page", type=WholeNumber(), metavar="N", help=f"Sheets: {what} on a page."
        ),
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


def write_sheet(output: str, sheet: Worksheet) -> None:
    """Write the file, and say how to make it again."""
    writer = find_writer(output)
    write_atomically(output, writer.write(sheet))
    small = small_print_warning(sheet) if writer is not WRITERS[".txt"] else None
    if small is not None:
        print_note(small)
    print_note(sheet.footer[-1])
