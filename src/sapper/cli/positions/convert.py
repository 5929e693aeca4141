"""`sapper convert`: a position in the format of another tool."""

from __future__ import annotations

import click

from sapper.cli.common import (
    json_option,
    note,
    position_argument,
    print_json,
    read_position,
    write_whole,
)
from sapper.model.formats import FORMATS, file_of, lost
from sapper.model.formats import convert as converted


@click.command()
@position_argument
@click.option(
    "--to",
    "name",
    metavar="FORMAT",
    required=True,
    help=f"One of {', '.join(FORMATS.names)}.",
)
@click.option("-o", "output", metavar="FILE", help="Write it there instead; - prints it.")
@json_option
def convert(file: str, name: str, output: str | None, as_json: bool) -> None:
    """Write a position in the format of another tool.

    What the format has no place for is named on standard error. A format of bytes is printed as
    hex digits, and written as bytes with -o.
    """
    row = FORMATS.find(name)
    position = read_position(file)
    text = converted(position, row.name)
    missing = lost(position, row.name)
    if missing:
        note(f"{row.name} has no place for {' and '.join(missing)}")
    if output not in (None, "-"):
        assert output is not None
        write_whole(output, file_of(text, row.name))
    if as_json:
        print_json({"format": row.name, "hex" if row.binary else "text": text.rstrip("\n")})
    elif output in (None, "-"):
        click.echo(text, nl=False)
