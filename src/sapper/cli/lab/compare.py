"""`sapper lab compare`: two campaigns on the same layouts, paired."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sapper.cli.groups import CommandWithLists, name_rows
from sapper.cli.options import Number, WholeNumber, json_option
from sapper.cli.output import print_json
from sapper.cli.workers import Workers, progress_bar, worker_options
from sapper.lab.compare import CampaignResults, SprtResult, run_sprt
from sapper.lab.compare import compare as compare_campaigns
from sapper.lab.results import ResultFile
from sapper.lab.runners import RUNNERS
from sapper.lab.statistics import PairedCounts, Sprt
from sapper.players.registry import PLAYERS

MAX_GAMES = 10_000_000


@click.command(cls=CommandWithLists, lists={"Runners": name_rows(RUNNERS)})
@click.argument("file_a", metavar="A", type=click.Path(path_type=Path))
@click.argument("file_b", metavar="B", type=click.Path(path_type=Path))
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
    help=f"With --sprt: stop undecided after this many layouts. [default: {MAX_GAMES:,}]",
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
        max_pairs = MAX_GAMES if games is None else games
        test = Sprt(sprt)
        with (
            workers.pool(compiled=_is_compiled(file_a) and _is_compiled(file_b)) as pool,
            ResultFile(file_a, write=True) as results_a,
            ResultFile(file_b, write=True) as results_b,
            progress_bar("layouts", max_pairs) as update,
        ):
            a, b = CampaignResults.of(results_a), CampaignResults.of(results_b)

            def show(now: PairedCounts) -> None:
                update(now.games, _gain_text(now))

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
    fixed = f"a test of fixed size needs {result.fixed_size:,} layouts"
    if result.decision is None:
        return f"undecided after {result.pairs.games:,} layouts; {fixed}"
    saved = f"{result.saved:,} games saved" if result.saved >= 0 else "none saved"
    return f"decided after {result.pairs.games:,} layouts: {result.decision}; {fixed}: {saved}"


def _comparison_json(pairs: PairedCounts, result: SprtResult | None) -> dict[str, Any]:
    low, high = pairs.interval
    counts = ("games", "both", "only_a", "only_b", "neither", "gain")
    row = {
        **{name: getattr(pairs, name) for name in counts},
        "low": low,
        "high": high,
        "p_value": pairs.p_value,
    }
    if result is not None:
        row |= {name: getattr(result, name) for name in ("decision", "fixed_size", "saved")}
    return row
