"""Run a campaign: play the games that its result file lacks, and store them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from sapper.games.campaign import Campaign
from sapper.lab.results import ResultFile
from sapper.lab.runners import WorkerPool
from sapper.lab.shards import Shard, missing_ranges, play_shard, won_games
from sapper.lab.tasks import BatchSizer, Task, run_tasks

FIRST_GAMES, MAX_GAMES = 16, 8192
"""The games in the first shards, and the most games in a shard."""
COMMIT_SECONDS = 0.5
"""The time between two commits; each commit waits for the disk."""
VERIFY_GAMES = 16
"""The games of a file that are played again before others are added to it."""


@dataclass(frozen=True)
class Progress:
    """The games that a run has played itself, and the time since its start."""

    games: int
    wins: int
    seconds: float


def run_campaign(
    results: ResultFile,
    campaign: Campaign,
    pool: WorkerPool,
    report: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play the games of a campaign that a file does not contain yet.

    Results are stored every COMMIT_SECONDS, and also when the run is interrupted or its workers
    are lost.
    """
    stored = results.stored_seeds(campaign)
    missing = missing_ranges(campaign.seeds, stored)
    if not missing:
        return
    # Some games are played again, so that results of a changed player do not mix.
    first = stored[0][:VERIFY_GAMES] if stored else range(0)
    again = ((campaign.text, range(seed, seed + 1)) for seed in first)
    results.add(campaign, [shard for _, shard in run_tasks(pool, play_shard, again)])
    sizer = BatchSizer(FIRST_GAMES, MAX_GAMES)
    tasks = plan_shards(campaign.text, missing, pool, sizer)
    games = wins = 0
    started = committed = time.monotonic()
    unsaved: list[Shard] = []
    try:
        for _, shard in run_tasks(pool, play_shard, tasks):
            sizer.record(len(shard.seeds), shard.seconds)
            unsaved.append(shard)
            games, wins = games + len(shard.seeds), wins + int(won_games([shard]).sum())
            report(Progress(games, wins, time.monotonic() - started))
            if time.monotonic() - committed > COMMIT_SECONDS:
                results.add(campaign, unsaved)
                unsaved.clear()
                committed = time.monotonic()
    finally:
        results.add(campaign, unsaved)


def plan_shards(
    text: str, missing: Collection[range], pool: WorkerPool, sizer: BatchSizer
) -> Iterator[Task]:
    """Divide seeds into shards, sized by the time that the last ones took."""
    left = sum(map(len, missing))
    for seeds in missing:
        rest = seeds
        while rest:
            # Shards shrink towards the end so that the workers finish together, but not so far
            # that the cost of sending them counts.
            share = left // (2 * max(1, pool.count_workers()))
            size = max(1, sizer.size // 8, min(sizer.size, share))
            yield text, rest[:size]
            left -= len(rest[:size])
            rest = rest[size:]
