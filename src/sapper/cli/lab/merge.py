"""`sapper lab merge`: result files put together."""

from __future__ import annotations

from pathlib import Path

import click

from sapper.cli.options import json_option
from sapper.cli.output import print_json
from sapper.errors import NotationError
from sapper.lab.report import as_text, describe
from sapper.lab.results import ResultFile
from sapper.lab.results import merge as merge_files


@click.command()
@click.argument("files", metavar="A B...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="C",
    help="The file to write: a new one, or one of the others.",
)
@json_option
def merge(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Put the result files A B... together into C.

    Games that several of them hold are counted once; where they differ, nothing is written.
    """
    if len(files) < 2:
        raise NotationError(f"expected at least 2 files to merge, got {len(files)}")
    merge_files(files, output)
    with ResultFile(output) as results:
        rows = [describe(results.sums(one)) for one in results.campaigns()]
    if as_json:
        print_json({"campaigns": rows})
    else:
        click.echo(as_text(rows))
