"""Run a campaign: play the games that its result file lacks, and store them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sapper.errors import Unavailable
from sapper.games.campaign import Campaign
from sapper.lab.results import ResultFile
from sapper.lab.runners import WorkerPool, build_id
from sapper.lab.shards import MAX_SHARD_GAMES, PlayedShard, missing_ranges, play_shard
from sapper.lab.tasks import BatchSizer, Task, run_tasks

FIRST_GAMES = 16
COMMIT_SECONDS = 0.5
"""The time between two commits; each commit waits for the disk."""
VERIFY_SECONDS, VERIFY_GAMES = 1.0, 64
"""How much of a file is played again before games are added to it."""


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

    Results are stored every COMMIT_SECONDS, and also when the run is interrupted.
    """
    stored = results.stored_seeds(campaign)
    missing = list(missing_ranges(campaign.seeds, stored))
    if not missing:
        return
    if stored and campaign.text not in results.verified:
        verify_stored_games(results, campaign)
    results.verified.add(campaign.text)
    planner = ShardPlanner(campaign, missing, pool)
    games = wins = 0
    started = committed = time.monotonic()
    unsaved: list[PlayedShard] = []
    try:
        for _, played in run_tasks(pool, play_shard, planner):
            planner.record(played)
            unsaved.append(played)
            games, wins = games + len(played.seeds), wins + played.wins
            report(Progress(games, wins, time.monotonic() - started))
            if time.monotonic() - committed > COMMIT_SECONDS:
                committed = time.monotonic()
                done, unsaved = unsaved, []
                results.add(campaign, done)
    finally:
        results.add(campaign, unsaved)
    results.compact(campaign)


class ShardPlanner:
    """Divides seeds into shards, sized by the time that the last ones took."""

    def __init__(self, campaign: Campaign, ranges: Iterable[range], pool: WorkerPool):
        self._text = campaign.text
        self._ranges = list(ranges)
        self._pool = pool
        self._sizer = BatchSizer(FIRST_GAMES, MAX_SHARD_GAMES)
        self._left = sum(map(len, self._ranges))

    def __iter__(self) -> Iterator[Task]:
        for seeds in self._ranges:
            start = seeds.start
            while start < seeds.stop:
                # Shards shrink towards the end so that the workers finish together, but not so far
                # that the cost of sending them counts.
                size = self._sizer.size
                size = max(1, size // 8, min(size, self._left // (2 * self._pool.workers)))
                stop = min(start + size, seeds.stop)
                self._left -= stop - start
                yield self._text, start, stop, build_id()
                start = stop

    def record(self, played: PlayedShard) -> None:
        """Record the time that a shard took."""
        self._sizer.record(len(played.seeds), played.seconds)


def verify_stored_games(results: ResultFile, campaign: Campaign) -> None:
    """Play the first games of a file again, so that results of a changed player do not mix."""
    first = next(results.shards(campaign))
    deadline = time.monotonic() + VERIFY_SECONDS
    for seed, won in zip(first.seeds, first.won_bits()[:VERIFY_GAMES], strict=False):
        again = play_shard(campaign.text, seed, seed + 1, build_id())
        if again.won_bits()[0] != won:
            raise Unavailable(
                f"seed {seed} is {'won' if won else 'lost'} in {results.path} (sapper "
                f"{first.version}), but not with sapper {build_id()}: choose another file"
            )
        if time.monotonic() > deadline:
            return
