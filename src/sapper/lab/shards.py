"""Shards: games of consecutive seeds, as workers return them and as files store them.

A set of seeds is a sorted list of ranges that neither touch nor overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from time import perf_counter

import numpy as np
import numpy.typing as npt

from sapper.errors import Unavailable
from sapper.games.batch import FIELDS, play_games
from sapper.games.campaign import Campaign
from sapper.lab.runners import build_id

Bits = npt.NDArray[np.bool_]

MAX_SHARD_GAMES = 8192
"""The most games in a shard: a row of a kilobyte, three to a page of the file."""

MAX_LISTED = 3
"""More ranges than this are abbreviated: an interrupted run may leave dozens of them."""

WON, GUESSES = FIELDS.index("won"), FIELDS.index("guesses")


@dataclass(frozen=True)
class WonGames:
    """Games of consecutive seeds, and which of them were won."""

    seeds: range
    won: bytes
    """One bit per game in the order of the seeds, the highest bit of a byte first."""

    @property
    def wins(self) -> int:
        """The number of games won."""
        return int(self.won_bits().sum())

    def won_bits(self, seeds: range | None = None) -> Bits:
        """Return whether each game was won, or each of those on *seeds*."""
        won = np.frombuffer(self.won, np.uint8)
        bits = np.unpackbits(won, count=len(self.seeds)).astype(np.bool_)
        if seeds is None:
            return bits
        return bits[seeds.start - self.seeds.start : seeds.stop - self.seeds.start]


@dataclass(frozen=True)
class Shard(WonGames):
    """Games as a file stores them."""

    by_guesses: Sequence[int]
    """The number of games with 0, 1, 2, ... guesses."""
    seconds: float
    """The time that the worker took."""
    version: str


@dataclass(frozen=True)
class PlayedShard(WonGames):
    """Games with the guesses of each one, as a worker returns them."""

    guesses: bytes
    """Two bytes per game, numpy's '<u2'."""
    seconds: float
    version: str

    def part(self, seeds: range) -> Shard:
        """Return the shard of some of the seeds."""
        start, stop = seeds.start - self.seeds.start, seeds.stop - self.seeds.start
        guesses = np.frombuffer(self.guesses, dtype="<u2")[start:stop]
        seconds = self.seconds * len(seeds) / len(self.seeds)
        won = _pack(self.won_bits(seeds))
        return Shard(seeds, won, np.bincount(guesses).tolist(), seconds, self.version)


def play_shard(text: str, start: int, stop: int, version: str) -> PlayedShard:
    """Play the games of a campaign's text on the seeds start..stop - 1; this runs in a worker.

    The result depends only on the arguments, except for the time. They are plain values so that a
    worker with another version of Sapper can read them and report the difference.
    """
    if version != build_id():
        raise Unavailable(f"a worker has sapper {build_id()}, but this is sapper {version}")
    started = perf_counter()
    rows = play_games(parse_campaign(text).with_seeds(range(start, stop)))
    seconds = perf_counter() - started
    guesses = np.minimum(rows[:, GUESSES], 65535).astype("<u2").tobytes()
    return PlayedShard(range(start, stop), _pack(rows[:, WON] != 0), guesses, seconds, version)


@lru_cache(maxsize=8)
def parse_campaign(text: str) -> Campaign:
    """Return the campaign of a text, without seeds."""
    return Campaign.parse(text, range(0))


def join_shards(shards: Sequence[Shard]) -> Shard:
    """Join consecutive shards into one."""
    return Shard(
        range(shards[0].seeds.start, shards[-1].seeds.stop),
        _pack(np.concatenate([shard.won_bits() for shard in shards])),
        add_histograms(shard.by_guesses for shard in shards),
        sum(shard.seconds for shard in shards),
        shards[0].version,
    )


def add_histograms(histograms: Iterable[Sequence[int]]) -> list[int]:
    """Add up histograms, which may differ in length."""
    return [sum(column) for column in zip_longest(*histograms, fillvalue=0)]


def _pack(bits: Bits) -> bytes:
    return np.packbits(bits).tobytes()


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


def missing_ranges(wanted: range, present: Iterable[range]) -> Iterator[range]:
    """Yield the parts of *wanted* that are not in *present*, a result of `merge_ranges`.

    >>> list(missing_ranges(range(0, 10), [range(2, 4), range(8, 20)]))
    [range(0, 2), range(4, 8)]
    """
    start = wanted.start
    for seeds in present:
        if seeds.stop <= start:
            continue
        if seeds.start >= wanted.stop:
            break
        if seeds.start > start:
            yield range(start, seeds.start)
        start = seeds.stop
    if start < wanted.stop:
        yield range(start, wanted.stop)


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
