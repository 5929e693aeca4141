"""A campaign carried out: what is missing is played, and kept as it comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sapper.errors import Unavailable
from sapper.games.campaign import Campaign
from sapper.lab.results import ResultFile
from sapper.lab.runners import WorkerPool, build
from sapper.lab.seed_ranges import missing
from sapper.lab.shards import LONGEST, PlayedShard, play_shard
from sapper.lab.tasks import BatchSizer, Task, run_tasks

FIRST_GAMES = 16
KEEP_SECONDS = 0.5
"""Time between two commits: each waits for the disk."""
AGAIN_SECONDS, AGAIN_GAMES = 1.0, 64
"""How much of a file is played again before it is added to."""


@dataclass(frozen=True)
class Progress:
    """How far a run has come: what it played itself, and how long that took by the clock."""

    games: int
    wins: int
    seconds: float


def run_campaign(
    results: ResultFile,
    campaign: Campaign,
    worker_pool: WorkerPool,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play the games of a campaign that a file does not hold yet.

    What is done is kept at least every KEEP_SECONDS, also when the run is stopped.
    """
    held = results.held(campaign)
    todo = list(missing(campaign.seeds, held))
    if not todo:
        return
    if held and campaign.text not in results.trusted:
        verify_stored_games(results, campaign)
    results.trusted.add(campaign.text)
    shards = ShardPlanner(campaign, todo, worker_pool)
    games = wins = 0
    started = kept = time.monotonic()
    waiting: list[PlayedShard] = []
    try:
        for _, played in run_tasks(worker_pool, play_shard, shards):
            shards.learn(played)
            waiting.append(played)
            games, wins = games + len(played.seeds), wins + played.shard.wins
            tell(Progress(games, wins, time.monotonic() - started))
            if time.monotonic() - kept > KEEP_SECONDS:
                kept = time.monotonic()
                done, waiting = waiting, []
                results.add(campaign, done)
    finally:
        results.add(campaign, waiting)
    results.tidy(campaign)


class ShardPlanner:
    """Cuts what is to be played into shards, by how long the last ones took."""

    def __init__(self, campaign: Campaign, spans: Iterable[range], worker_pool: WorkerPool):
        self._text = campaign.text
        self._spans = list(spans)
        self._crew = worker_pool
        self._pace = BatchSizer(FIRST_GAMES, LONGEST)
        self._left = sum(map(len, self._spans))
        self._build = build()

    def __iter__(self) -> Iterator[Task]:
        for span in self._spans:
            start = span.start
            while start < span.stop:
                stop = min(start + self._next(), span.stop)
                self._left -= stop - start
                yield self._text, start, stop, self._build
                start = stop

    def learn(self, played: PlayedShard) -> None:
        """Note how long a shard took."""
        self._pace.learn(len(played.seeds), played.seconds)

    def _next(self) -> int:
        # Towards the end in smaller shards, so that the workers finish together; not so small
        # that handing them over counts.
        size = self._pace.size
        return max(1, size // 8, min(size, self._left // (2 * self._crew.workers)))


def verify_stored_games(results: ResultFile, campaign: Campaign) -> None:
    """Play the first games of a file again: results of a player that has changed do not mix."""
    first = next(results.shards(campaign))
    until = time.monotonic() + AGAIN_SECONDS
    for at, won in enumerate(first.bits[:AGAIN_GAMES]):
        seed = first.seeds[at]
        again = play_shard(campaign.text, seed, seed + 1, build())
        if again.shard.wins != won:
            raise Unavailable(
                f"expected seed {seed} to be {'won' if won else 'lost'} as in {results.path} "
                f"by sapper {first.version}, got the other with {build()}: choose another file"
            )
        if time.monotonic() > until:
            return
