"""What the lab costs beside the games themselves; `--long` also plays ten million Beginner games.

Runs take turns, and the best of each counts: on a busy machine the ratios are still those of an
idle one, nearly.
"""

import resource
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psutil

from sapper import play_many
from sapper.games.campaign import Campaign
from sapper.games.many import wilson
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import WorkerPool, worker_pool

ROUNDS = 5
GAMES = 20_000
LONG_GAMES = 10_000_000
ASKED = {"rule": "safe", "first": "r1c1"}


class Stopwatch:
    """Games a second by the clock, and by the CPU time of this process and all that it started."""

    def __enter__(self) -> "Stopwatch":
        self._begun = time.perf_counter(), cpu_seconds()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock = time.perf_counter() - self._begun[0]
        self.cpu = cpu_seconds() - self._begun[1]


def cpu_seconds() -> float:
    """CPU time of this process and its descendants so far."""
    me = psutil.Process()
    times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def timed_run(campaign: Campaign, workers: WorkerPool) -> Stopwatch:
    """Time a run into a new file."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stopwatch() as watch,
        ResultFile(Path(folder) / "r", write=True) as results,
    ):
        run_campaign(results, campaign, workers)
    return watch


def timed_plain(campaign: Campaign, threads: int) -> Stopwatch:
    """Time the same games with `play_many`."""
    with Stopwatch() as watch:
        play_many("expert", "careful", GAMES, campaign.seeds.start, threads=threads, **ASKED)
    return watch


def campaign_of(number: int) -> Campaign:
    """Round after round on new seeds."""
    return Campaign.of("expert", "careful", GAMES, 1 + number * GAMES, **ASKED)


def against_play_many() -> None:
    """`lab run` beside `play_many`, on the same games."""
    for jobs in (1, 2):
        pairs = []
        with worker_pool("threads", jobs) as workers:
            for number in range(ROUNDS):
                one = campaign_of(number)
                pairs.append((timed_plain(one, jobs), timed_run(one, workers)))
        report("lab run", "play_many", f"{jobs} thread{'s' if jobs > 1 else ''}", pairs)


def dask_against_processes() -> None:
    """Two workers of a Dask cluster beside two processes, both settled in."""
    pairs = []
    with ExitStack() as stack:
        processes = stack.enter_context(worker_pool("processes", 2))
        dask = stack.enter_context(worker_pool("dask", 2))
        for workers in (processes, dask):
            timed_run(Campaign.of("expert", "careful", 2000, 10**9, **ASKED), workers)
        for number in range(ROUNDS):
            one = campaign_of(number)
            pairs.append((timed_run(one, processes), timed_run(one, dask)))
    report("dask", "processes", "2 workers", pairs)


def report(name: str, beside: str, workers: str, pairs: list[tuple[Stopwatch, Stopwatch]]) -> None:
    """Print one comparison."""
    for what in ("clock", "cpu"):
        old, new = (
            GAMES / min(getattr(w, what) for w in side) for side in zip(*pairs, strict=True)
        )
        ratios = [getattr(old, what) / getattr(new, what) for old, new in pairs]
        print(
            f"{name} beside {beside}, {workers}, by the {what}: {new:,.0f} and {old:,.0f} games "
            f"a second, {100 * new / old:.0f} % (median of {ROUNDS} rounds "
            f"{100 * statistics.median(ratios):.0f} %)"
        )


def many_games() -> None:
    """Memory and file after ten million Beginner games."""
    with tempfile.TemporaryDirectory() as folder, worker_pool("threads", 2) as workers:
        path = Path(folder) / "r"
        one = Campaign.of("beginner", "careful", LONG_GAMES, 1, **ASKED)
        peaks = []
        with ResultFile(path, write=True) as results:
            for share in (10, 1):
                run_campaign(results, one.with_seeds(range(1, 1 + LONG_GAMES // share)), workers)
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            sums = results.totals(one)
        low, high = wilson(sums.wins, sums.games)
        print(
            f"{sums.games:,} Beginner games: {path.stat().st_size / 1e6:.2f} MB of file, "
            f"peak memory {peaks[0]:.0f} MB after a tenth and {peaks[1]:.0f} MB after all; "
            f"{100 * low:.3f} to {100 * high:.3f} % won"
        )


def main() -> None:
    """Print all of it."""
    against_play_many()
    dask_against_processes()
    if "--long" in sys.argv:
        many_games()


if __name__ == "__main__":
    main()
