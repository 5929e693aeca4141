"""`sapper lab report`: what was measured."""

from __future__ import annotations

from pathlib import Path

import click

from sapper.cli.options import json_option
from sapper.cli.output import print_json
from sapper.lab.report import as_csv, as_markdown, as_text, describe
from sapper.lab.results import ResultFile


@click.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--markdown", is_flag=True, help="As a table for a page.")
@click.option("--csv", is_flag=True, help="As a table for other programs.")
@json_option
def report(files: tuple[Path, ...], markdown: bool, csv: bool, as_json: bool) -> None:
    """Report the campaigns in FILE...: rates with Wilson's 95 % intervals."""
    if markdown + csv + as_json > 1:
        raise click.UsageError("expected one of --markdown, --csv and --json, got several")
    write = as_markdown if markdown else as_csv if csv else as_text
    rows = []
    for path in files:
        with ResultFile(path) as results:
            rows += [describe(results.sums(one)) for one in results.campaigns()]
    if as_json:
        print_json({"campaigns": rows})
    else:
        click.echo(write(rows))
