"""`sapper lab plot`: pictures of what was measured."""

from __future__ import annotations

from pathlib import Path

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.options import choice_option, file_option
from sapper.cli.output import write_atomically
from sapper.errors import NotationError
from sapper.lab.plots import FORMATS, PLOTS, picture
from sapper.lab.results import ResultFile


@click.command(cls=CommandWithLists, lists={"Kinds": name_rows(PLOTS)})
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@file_option(
    "-o",
    "--output",
    required=True,
    metavar="PICTURE",
    help=f"What to write: {', '.join(f'FILE.{name}' for name in FORMATS)}.",
)
@choice_option("--kind", "Which picture", PLOTS.names, "as the files suggest")
@click.option("--title", help="The line above it. [what the campaigns share]")
def plot(files: tuple[Path, ...], output: str, kind: str | None, title: str | None) -> None:
    """Draw the campaigns in FILE...: by mines, by first cell, or by guesses."""
    suffix = Path(output).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise NotationError(f"expected a file .svg, .png or .pdf, got {output!r:.200}")
    sums = []
    for path in files:
        with ResultFile(path) as results:
            sums += [results.sums(one) for one in results.campaigns()]
    write_atomically(output, picture(sums, suffix, kind, title))
