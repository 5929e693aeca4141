"""`sapper lab report`, `merge` and `plot`: what result files contain."""

from __future__ import annotations

from pathlib import Path

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.options import choice_option, file_option, json_option
from sapper.cli.output import print_json, write_atomically
from sapper.errors import NotationError
from sapper.lab.plots import FORMATS, PLOTS, draw_plot
from sapper.lab.report import as_csv, as_markdown, as_text, report_json
from sapper.lab.results import CampaignTotals, ResultFile
from sapper.lab.results import merge as merge_files

_files_argument = click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)


@click.command()
@_files_argument
@click.option("--markdown", is_flag=True, help="Print a Markdown table.")
@click.option("--csv", is_flag=True, help="Print comma-separated values.")
@json_option
def report(files: tuple[Path, ...], markdown: bool, csv: bool, as_json: bool) -> None:
    """Report the campaigns in FILE...: win rates with 95% Wilson intervals."""
    if markdown + csv + as_json > 1:
        raise click.UsageError("--markdown, --csv and --json cannot be combined")
    write = as_markdown if markdown else as_csv if csv else as_text
    rows = [report_json(totals) for totals in _read_totals(files)]
    if as_json:
        print_json({"campaigns": rows})
    else:
        click.echo(write(rows))


@click.command()
@click.argument("files", metavar="A B...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="C",
    help="File to write: a new one, or one of the others.",
)
@json_option
def merge(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Merge the result files A B... into C.

    A game that is in several files counts once; if the files disagree, nothing is written.
    """
    if len(files) < 2:
        raise NotationError(f"expected at least 2 files to merge, got {len(files)}")
    merge_files(files, output)
    rows = [report_json(totals) for totals in _read_totals((output,))]
    if as_json:
        print_json({"campaigns": rows})
    else:
        click.echo(as_text(rows))


@click.command(cls=CommandWithLists, lists={"Kinds": name_rows(PLOTS)})
@_files_argument
@file_option(
    "-o",
    "--output",
    required=True,
    metavar="PICTURE",
    help=f"File to write: {', '.join(f'FILE.{name}' for name in FORMATS)}.",
)
@choice_option("--kind", "Kind of plot", PLOTS.names, "chosen by what the campaigns vary")
@click.option("--title", help="Title. [default: what the campaigns have in common]")
def plot(files: tuple[Path, ...], output: str, kind: str | None, title: str | None) -> None:
    """Plot the campaigns in FILE...: by mines, by first cell, or by guesses."""
    suffix = Path(output).suffix.lower().removeprefix(".")
    write_atomically(output, draw_plot(_read_totals(files), suffix, kind, title))


def _read_totals(files: tuple[Path, ...]) -> list[CampaignTotals]:
    totals = []
    for path in files:
        with ResultFile(path) as results:
            totals += [results.totals(campaign) for campaign in results.campaigns()]
    return totals
