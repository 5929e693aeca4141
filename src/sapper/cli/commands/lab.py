"""`sapper lab`: play campaigns, store, report, merge, plot and compare their results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sapper.board.rules import Rules
from sapper.board.symmetries import outline_classes
from sapper.cli.command_table import LAB_COMMANDS, Group
from sapper.cli.input import rules_options
from sapper.cli.options import (
    CommandWithLists,
    FileName,
    Number,
    WholeNumber,
    choice_option,
    file_option,
    json_option,
    name_rows,
    parse_settings,
    seed_option,
    settings_option,
)
from sapper.cli.output import data_folder, print_json, print_note, write_atomically
from sapper.cli.workers import Workers, progress_bar, worker_options
from sapper.errors import NotationError, WorkersLost
from sapper.games.campaign import Campaign
from sapper.games.play_many import wilson
from sapper.lab.compare import CampaignResults, PairedCounts, Sprt, SprtResult, run_sprt
from sapper.lab.compare import compare as compare_campaigns
from sapper.lab.plots import FILE_FORMATS, PLOTS, draw_plot
from sapper.lab.report import as_csv, as_markdown, as_text, report_json, summary_line
from sapper.lab.results import CampaignTotals, ResultFile
from sapper.lab.results import merge as merge_files
from sapper.lab.run import Progress, run_campaign
from sapper.lab.runners import RUNNERS, WorkerPool
from sapper.players.registry import PLAYERS

EVERY_FIRST = "every"
"""The value of --first for a campaign with each first cell."""
MAX_PAIRS = 10_000_000
"""The number of layouts after which a sequential test stops undecided."""


RESULT_FILE = FileName("-", ":memory:", path_type=Path)


@click.group(cls=Group, sections={"Commands": LAB_COMMANDS})
def lab() -> None:
    """Measure how strong players are: win rates with error bars, on one machine or many."""


@click.command(
    cls=CommandWithLists, lists={"Players": name_rows(PLAYERS), "Runners": name_rows(RUNNERS)}
)
@rules_options
@choice_option("--player", "Player", PLAYERS.names, required=True)
@settings_option
@click.option(
    "--first",
    metavar="CELL",
    help=f"First click, such as r3c5, or best, or {EVERY_FIRST}: a campaign for each cell, but "
    "only one for cells that are mirror images. [default: the middle cell]",
)
@click.option(
    "--games",
    required=True,
    type=WholeNumber(1),
    metavar="N",
    help="How many games; their seeds are S, S + 1, ...",
)
@seed_option
@file_option("--out", type=RESULT_FILE, help="Result file.")
@worker_options()
@json_option
def run(
    rules: Rules,
    player: str,
    settings: tuple[str, ...],
    first: str | None,
    games: int,
    seed: int | None,
    out: Path | None,
    workers: Workers,
    as_json: bool,
) -> None:
    """Let a player play many games on SIZE, and report how many it wins.

    SIZE is a level's name or WIDTHxHEIGHT/MINES. The games of a player on a board are a campaign,
    whose results are stored in FILE, or without --out in the user's data folder. Games that are
    already there are not played again: an interrupted run continues, and a larger --games adds
    games.
    """
    entry = PLAYERS.find(player).with_settings(parse_settings(settings))
    every_cell = first == EVERY_FIRST
    campaigns = [Campaign.of(rules, entry, games, seed, first=None if every_cell else first)]
    if every_cell:
        # One first cell of each class of mirror images.
        classes = outline_classes(rules.board)
        campaigns = [replace(campaigns[0], first=cells[0]) for cells in classes]
    path = out
    if path is None:
        folder = data_folder() / "lab"
        folder.mkdir(parents=True, exist_ok=True)
        suffix = "-every-first-cell" if len(campaigns) > 1 else ""
        path = folder / f"{campaigns[0].slug}{suffix}.sqlite"
    # A file that another run has just created is empty.
    if path.exists() and path.stat().st_size:
        with ResultFile(path) as results:
            results.check_campaigns(campaigns)
    with (
        _note_on_failure(f"finished games are in {path}, and the same command continues"),
        workers.pool(compiled=entry.compiled is not None) as pool,
        ResultFile(path, write=True) as results,
    ):
        for campaign in campaigns:
            _play_campaign(results, campaign, pool)
        rows = [report_json(results.totals(campaign, campaign.seeds)) for campaign in campaigns]
    if as_json:
        print_json({"campaigns": rows} if every_cell else rows[0])
        return
    click.echo(as_text(rows) if every_cell else summary_line(rows[0]))
    print_note(f"results in {path}")


@contextmanager
def _note_on_failure(note: str) -> Iterator[None]:
    """Add a note to the message if the run is interrupted or its workers are lost."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(note) from None
    except WorkersLost as error:
        raise WorkersLost(f"{error}; {note}") from None


def _play_campaign(results: ResultFile, campaign: Campaign, pool: WorkerPool) -> None:
    stored = results.totals(campaign, campaign.seeds)
    first = campaign.rules.board.name(campaign.first)
    with progress_bar(f"{campaign.player} {first}", len(campaign.seeds)) as update:

        def show(progress: Progress) -> None:
            games, wins = stored.games + progress.games, stored.wins + progress.wins
            low, high = wilson(wins, games)
            speed = progress.games / max(progress.seconds, 1e-9)
            update(games, f"{100 * low:.2f} to {100 * high:.2f}% won, {speed:,.0f} games/s")

        run_campaign(results, campaign, pool, show)


_files_argument = click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=RESULT_FILE
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
    format_rows = as_markdown if markdown else as_csv if csv else as_text
    rows = [report_json(totals) for totals in _read_totals(files)]
    if as_json:
        print_json({"campaigns": rows})
    else:
        click.echo(format_rows(rows))


@click.command()
@click.argument("files", metavar="A B...", nargs=-1, required=True, type=RESULT_FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    type=RESULT_FILE,
    metavar="C",
    help="File to write; it may be one of A B...",
)
@json_option
def merge(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Merge the result files A B... into C.

    A game that is in several files counts once; if the files disagree, nothing is written.
    """
    if len(files) < 2:
        raise NotationError(f"expected at least 2 files to merge, got {len(files)}")
    if output.exists() and not any(output.samefile(path) for path in files if path.exists()):
        raise NotationError(f"the output {output} exists and is not one of the inputs")
    write_atomically(str(output), merge_files(files))
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
    help=f"File to write: {', '.join(f'FILE.{name}' for name in FILE_FORMATS)}.",
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


@click.command(cls=CommandWithLists, lists={"Runners": name_rows(RUNNERS)})
@click.argument("file_a", metavar="A", type=RESULT_FILE)
@click.argument("file_b", metavar="B", type=RESULT_FILE)
@click.option(
    "--sprt",
    type=Number(),
    metavar="POINTS",
    help="Play more games until a difference of this many percentage points is decided "
    "(sequential probability ratio test, error rates 5%).",
)
@click.option(
    "--games",
    type=WholeNumber(1),
    metavar="N",
    help=f"With --sprt: stop undecided after this many layouts. [default: {MAX_PAIRS:,}]",
)
@worker_options()
@json_option
def compare(
    file_a: Path,
    file_b: Path,
    sprt: float | None,
    games: int | None,
    workers: Workers,
    as_json: bool,
) -> None:
    """Compare the campaigns in A and B on the layouts that both have played.

    The gain is the win rate of B minus that of A, with Tango's 95% interval; the p-value is that
    of the exact McNemar test.
    """
    result: SprtResult | None = None
    if sprt is None:
        if games is not None:
            raise click.UsageError("--games needs --sprt")
        with ResultFile(file_a) as results_a, ResultFile(file_b) as results_b:
            a, b = CampaignResults.of(results_a), CampaignResults.of(results_b)
            pairs = compare_campaigns(a, b)
    else:
        max_pairs = MAX_PAIRS if games is None else games
        test = Sprt(sprt)
        with (
            _note_on_failure("finished games are stored, and the same command continues"),
            workers.pool(compiled=_is_compiled(file_a) and _is_compiled(file_b)) as pool,
            ResultFile(file_a, write=True) as results_a,
            ResultFile(file_b, write=True) as results_b,
            progress_bar("layouts", max_pairs) as update,
        ):
            a, b = CampaignResults.of(results_a), CampaignResults.of(results_b)

            def show(counts: PairedCounts) -> None:
                update(counts.games, _gain_text(counts))

            result = run_sprt(a, b, test, pool, max_pairs, show)
            pairs = result.pairs
    if as_json:
        print_json(_comparison_json(pairs, result))
        return
    click.echo(f"a: {a.campaign}\nb: {b.campaign}")
    click.echo(
        f"{pairs.games:,} layouts: both won {pairs.both:,}, only a {pairs.only_a:,}, "
        f"only b {pairs.only_b:,}, neither {pairs.neither:,}"
    )
    click.echo(f"{_gain_text(pairs)}, p = {pairs.p_value:.3g}")
    if result is not None:
        click.echo(_decision_text(result))


def _is_compiled(path: Path) -> bool:
    with ResultFile(path) as results:
        return PLAYERS.find(results.only_campaign().player).compiled is not None


def _gain_text(pairs: PairedCounts) -> str:
    low, high = pairs.interval
    return f"b gains {100 * pairs.gain:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f})"


def _decision_text(result: SprtResult) -> str:
    fixed_size = f"a test of fixed size needs {result.fixed_size:,} layouts"
    if result.decision is None:
        return f"undecided after {result.pairs.games:,} layouts; {fixed_size}"
    saved = f"{result.saved:,} games saved" if result.saved >= 0 else "none saved"
    return (
        f"decided after {result.pairs.games:,} layouts: {result.decision}; {fixed_size}: {saved} "
        f"({result.played:,} played)"
    )


def _comparison_json(pairs: PairedCounts, result: SprtResult | None) -> dict[str, Any]:
    low, high = pairs.interval
    keys = ("games", "both", "only_a", "only_b", "neither", "gain")
    row = {
        **{name: getattr(pairs, name) for name in keys},
        "low": low,
        "high": high,
        "p_value": pairs.p_value,
    }
    if result is not None:
        row |= {
            name: getattr(result, name) for name in ("decision", "fixed_size", "played", "saved")
        }
    return row
