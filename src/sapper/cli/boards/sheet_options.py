"""Options and output of the commands that write worksheets."""

from __future__ import annotations

import os
from pathlib import Path

import click

from sapper.cli.options import Decorator, WholeNumber, choice_option, combine, file_option
from sapper.cli.output import print_note, write_atomically
from sapper.render.worksheet import PAPERS, Worksheet
from sapper.serialize.worksheets import WRITERS, find_writer, small_print_warning


def sheet_options(title: str) -> Decorator:
    """Return -o and the options of a worksheet's style."""
    return combine(
        file_option("-o", "--output", help="Write a worksheet: FILE.pdf, .svg or .txt."),
        choice_option("--paper", "Worksheet: paper size", PAPERS, default="a4"),
        click.option("--title", default=title, help=f"Worksheet: title. [{title}]"),
        click.option(
            "--per-page", type=WholeNumber(), metavar="N", help="Worksheet: puzzles per page."
        ),
        click.option("--large-print", is_flag=True, help="Worksheet: large cells and letters."),
        click.option("--high-contrast", is_flag=True, help="Worksheet: black on white."),
        click.option("--no-solutions", is_flag=True, help="Worksheet: without solutions."),
    )


def check_output(output: str | None) -> None:
    """Raise an error before any work is done if the file cannot be written."""
    if output is None:
        return
    find_writer(output)
    folder = Path(output).parent
    if folder.is_dir() and not os.access(folder, os.W_OK):
        raise PermissionError(13, "no write permission", output)


def write_sheet(sheet: Worksheet, output: str | None, as_json: bool) -> None:
    """Write the file of -o and print how to make it again; without -o print the text."""
    if output is None:
        if not as_json:
            click.echo(WRITERS[".txt"].write(sheet), nl=False)
        return
    writer = find_writer(output)
    write_atomically(output, writer.write(sheet))
    warning = small_print_warning(sheet) if writer is not WRITERS[".txt"] else None
    if warning is not None:
        print_note(warning)
    print_note(sheet.footer[-1])
