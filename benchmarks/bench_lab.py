"""The overhead of `sapper lab run` and its workers; run by `make bench PART=lab`.

The two sides of a comparison play the same games alternately, so that other load on the machine
hardly changes their ratio.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from sapper import play_many
from sapper.games.campaign import Campaign
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import WorkerPool, worker_pool

ROUNDS = 5
GAMES = 20_000
RULES = {"rule": "safe", "first": "r1c1"}

Seconds = tuple[float, float]
"""Wall-clock seconds, and CPU seconds of this process and its descendants."""


def read_clocks() -> Seconds:
    """Return the current value of both clocks."""
    process = psutil.Process()
    times = [p.cpu_times() for p in (process, *process.children(recursive=True))]
    return time.perf_counter(), sum(cpu.user + cpu.system for cpu in times)


def measure(work: Callable[[], object]) -> Seconds:
    """Return the seconds that a function takes."""
    started = read_clocks()
    work()
    return tuple(end - start for start, end in zip(started, read_clocks(), strict=True))


def measure_lab_run(campaign: Campaign, workers: WorkerPool) -> Seconds:
    """Return the seconds that a campaign takes with a new result file."""
    with tempfile.TemporaryDirectory() as folder:

        def run() -> None:
            with ResultFile(Path(folder) / "r", write=True) as results:
                run_campaign(results, campaign, workers)

        return measure(run)


def campaigns() -> list[Campaign]:
    """Return a campaign for each round, on different seeds."""
    return [Campaign.of("expert", "careful", GAMES, 1 + k * GAMES, **RULES) for k in range(ROUNDS)]


def compare_with_play_many(jobs: int) -> None:
    """Compare `lab run` with `play_many` on threads."""
    pairs = []
    with worker_pool("threads", jobs) as workers:
        for campaign in campaigns():
            start = campaign.seeds.start

            def play(start: int = start) -> None:
                play_many("expert", "careful", GAMES, start, threads=jobs, **RULES)

            pairs.append((measure(play), measure_lab_run(campaign, workers)))
    report("play_many", "lab run", f"{jobs} threads", pairs)


def compare_dask_with_processes() -> None:
    """Compare two workers of a Dask cluster with two processes, after a warm-up."""
    with worker_pool("processes", 2) as processes, worker_pool("dask", 2) as dask:
        for workers in (processes, dask):
            measure_lab_run(Campaign.of("expert", "careful", 2000, 10**9, **RULES), workers)
        pairs = [
            (measure_lab_run(campaign, processes), measure_lab_run(campaign, dask))
            for campaign in campaigns()
        ]
    report("processes", "dask", "2 workers", pairs)


def report(name: str, other_name: str, workers: str, pairs: list[tuple[Seconds, Seconds]]) -> None:
    """Print the best rate of each side, and the median of the first time / the second time."""
    for clock, clock_name in enumerate(("wall-clock time", "CPU time")):
        rates = [
            GAMES / min(seconds[clock] for seconds in side) for side in zip(*pairs, strict=True)
        ]
        ratio = statistics.median(first[clock] / second[clock] for first, second in pairs)
        print(
            f"{workers}, {clock_name}: {name} {rates[0]:,.0f} games/s, "
            f"{other_name} {rates[1]:,.0f} games/s; "
            f"median ratio of {ROUNDS} rounds {ratio:.0%}"
        )


if __name__ == "__main__":
    compare_with_play_many(1)
    compare_with_play_many(2)
    compare_dask_with_processes()
