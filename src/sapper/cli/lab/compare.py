"""`sapper lab compare`: two campaigns on the same deals, paired."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.number_types import Number, WholeNumber
from sapper.cli.options import json_option
from sapper.cli.output import print_json
from sapper.cli.workers import WorkerOptions, progress_bar, worker_options_decorator
from sapper.lab.compare import CampaignResults, SprtResult, run_sprt
from sapper.lab.compare import compare as compare_sides
from sapper.lab.results import ResultFile
from sapper.lab.runners import RUNNERS
from sapper.lab.sprt import Sprt
from sapper.lab.statistics import PairedCounts
from sapper.players.registry import PLAYERS

MOST = 10_000_000


@click.command(cls=CommandWithLists, lists={"Runners": name_rows(RUNNERS)})
@click.argument("file_a", metavar="A", type=click.Path(path_type=Path))
@click.argument("file_b", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--sprt",
    type=Number(),
    metavar="POINTS",
    help="Play on until a difference of so many percent of all games is decided, error rates 5 %.",
)
@click.option(
    "--games",
    type=WholeNumber(1),
    metavar="N",
    help=f"With --sprt: deals after which it stays undecided. [{MOST}]",
)
@worker_options_decorator
@json_option
def compare(
    file_a: Path,
    file_b: Path,
    sprt: float | None,
    games: int | None,
    worker_options: WorkerOptions,
    as_json: bool,
) -> None:
    """Compare the campaigns in A and B on the deals that both have played.

    The gain is the win rate of B minus that of A, with Tango's 95 % interval; the p-value is that
    of the exact McNemar test.
    """
    found: SprtResult | None = None
    if sprt is None and games is not None:
        raise click.UsageError("expected --sprt to go with --games, got it alone")
    most = MOST if games is None else games
    if sprt is None:
        with ResultFile(file_a) as a, ResultFile(file_b) as b:
            names = str(a.only_campaign()), str(b.only_campaign())
            pairs = compare_sides(CampaignResults.of(a), CampaignResults.of(b))
    else:
        test = Sprt(sprt)
        compiled = _compiled(file_a) and _compiled(file_b)
        with (
            worker_options.worker_pool(compiled=compiled) as workers,
            ResultFile(file_a, write=True) as a,
            ResultFile(file_b, write=True) as b,
            progress_bar("deals", most) as update,
        ):
            names = str(a.only_campaign()), str(b.only_campaign())

            def say(now: PairedCounts) -> None:
                update(now.games, _gain(now))

            found = run_sprt(CampaignResults.of(a), CampaignResults.of(b), test, workers, most, say)
            pairs = found.pairs
    if as_json:
        print_json(_describe(pairs, found))
        return
    click.echo(f"a: {names[0]}\nb: {names[1]}")
    click.echo(
        f"{pairs.games:,} deals: both won {pairs.both:,}, only a {pairs.only_a:,}, "
        f"only b {pairs.only_b:,}, neither {pairs.neither:,}"
    )
    click.echo(f"{_gain(pairs)}, p = {pairs.p_value:.3g}")
    if found is not None:
        click.echo(_decided(found))


def _compiled(path: Path) -> bool:
    """Whether the player of a file has a compiled twin."""
    with ResultFile(path) as results:
        return PLAYERS.find(results.only_campaign().player).twin is not None


def _gain(pairs: PairedCounts) -> str:
    low, high = pairs.interval
    return f"b gains {100 * pairs.gain:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f})"


def _decided(found: SprtResult) -> str:
    against = f"a test of fixed size takes {found.fixed_size:,} deals"
    if found.decision is None:
        return f"undecided after {found.pairs.games:,} deals; {against}"
    spared = f"{found.saved:,} games saved" if found.saved >= 0 else "none saved"
    return f"decided after {found.pairs.games:,} deals: {found.decision}; {against}: {spared}"


def _describe(pairs: PairedCounts, found: SprtResult | None) -> dict[str, Any]:
    low, high = pairs.interval
    row = {
        "games": pairs.games,
        "both": pairs.both,
        "only_a": pairs.only_a,
        "only_b": pairs.only_b,
        "neither": pairs.neither,
        "gain": pairs.gain,
        "low": low,
        "high": high,
        "p_value": pairs.p_value,
    }
    if found is None:
        return row
    return row | {
        "decision": found.decision,
        "fixed_size": found.fixed_size,
        "saved": found.saved,
    }
