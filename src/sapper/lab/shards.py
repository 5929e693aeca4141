"""Shards: games of consecutive seeds, as workers return them and as files store them.

A set of seeds is a sorted list of ranges that neither touch nor overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np
import numpy.typing as npt

from sapper.games.batch import FIELDS, Bools, play_games
from sapper.games.campaign import Campaign
from sapper.lab.runners import build_id

GAME = np.dtype("<u2")
"""A game as two bytes: twice its number of guesses, and 1 more if it was won."""
MAX_GUESSES = 2**15 - 1

MAX_LISTED = 3
"""More ranges than this are abbreviated: an interrupted run may leave dozens of them."""

WON, GUESSES = FIELDS.index("won"), FIELDS.index("guesses")


@dataclass(frozen=True)
class Shard:
    """The results of games on consecutive seeds."""

    seeds: range
    games: bytes
    """A GAME for each seed."""
    seconds: float
    """The time that the worker took."""
    version: str

    def part(self, seeds: range) -> Shard:
        """Return the games on some of the seeds, with their share of the time."""
        start, stop = (
            GAME.itemsize * (end - self.seeds.start) for end in (seeds.start, seeds.stop)
        )
        seconds = self.seconds * len(seeds) / len(self.seeds)
        return Shard(seeds, self.games[start:stop], seconds, self.version)


def won_games(shards: Iterable[Shard]) -> Bools:
    """Return whether each game was won."""
    won: Bools = unpack_games(shards) & 1 == 1
    return won


def count_by_guesses(shards: Iterable[Shard]) -> tuple[int, ...]:
    """Return the number of games with 0, 1, 2, ... guesses."""
    return tuple(np.bincount(unpack_games(shards) >> 1).tolist())


def unpack_games(shards: Iterable[Shard]) -> npt.NDArray[np.uint16]:
    """Return a GAME for each seed of the shards."""
    return np.frombuffer(b"".join(shard.games for shard in shards), GAME)


def play_shard(text: str, seeds: range) -> Shard:
    """Play the games of a campaign's text on the seeds; this runs in a worker.

    The result depends only on the arguments and the version, except for the time.
    """
    started = perf_counter()
    rows = play_games(parse_campaign(text).with_seeds(seeds))
    seconds = perf_counter() - started
    games = 2 * np.minimum(rows[:, GUESSES], MAX_GUESSES) + (rows[:, WON] != 0)
    return Shard(seeds, games.astype(GAME).tobytes(), seconds, build_id())


@lru_cache(maxsize=8)
def parse_campaign(text: str) -> Campaign:
    """Return the campaign of a text, without seeds."""
    return Campaign.parse(text, range(0))


def merge_ranges(ranges: Iterable[range]) -> list[range]:
    """Return the union of the ranges as the fewest ranges, ascending.

    >>> merge_ranges([range(5, 9), range(1, 3), range(3, 6)])
    [range(1, 9)]
    """
    merged: list[range] = []
    for seeds in sorted(filter(None, ranges), key=lambda seeds: seeds.start):
        if merged and seeds.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, seeds.stop))
        else:
            merged.append(seeds)
    return merged


def missing_ranges(wanted: range, present: Iterable[range]) -> list[range]:
    """Return the parts of *wanted* that are not in *present*.

    >>> missing_ranges(range(0, 10), [range(2, 4), range(8, 20)])
    [range(0, 2), range(4, 8)]
    """
    merged = merge_ranges(present)
    starts = [wanted.start, *(seeds.stop for seeds in merged)]
    stops = [*(seeds.start for seeds in merged), wanted.stop]
    gaps = map(range, starts, stops)
    return [part for gap in gaps if (part := overlap(wanted, gap))]


def overlap(a: range, b: range) -> range:
    """Return the intersection of two ranges."""
    start = max(a.start, b.start)
    return range(start, max(start, min(a.stop, b.stop)))


def common_ranges(a: Iterable[range], b: Iterable[range]) -> list[range]:
    """Return the intersection of two sets of seeds.

    >>> common_ranges([range(0, 10)], [range(2, 4), range(8, 20)])
    [range(2, 4), range(8, 10)]
    """
    b = merge_ranges(b)
    return merge_ranges(overlap(x, y) for x in merge_ranges(a) for y in b)


def format_ranges(ranges: Sequence[range], *, short: bool = False) -> str:
    """Return the ranges as text; if *short*, more than MAX_LISTED are abbreviated.

    >>> format_ranges([range(1, 101), range(200, 201)])
    '1 to 100, 200'
    >>> format_ranges([range(k, k + 5) for k in range(0, 90, 10)], short=True)
    '0 to 84 with 8 gaps'
    """
    if short and len(ranges) > MAX_LISTED:
        return f"{ranges[0].start} to {ranges[-1].stop - 1} with {len(ranges) - 1} gaps"
    return ", ".join(
        f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"{seeds[0]}" for seeds in ranges
    )
