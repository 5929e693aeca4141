"""Shards: games of consecutive seeds, as a worker hands them over and as a file keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

import numpy as np
import numpy.typing as npt

from sapper.errors import Unavailable
from sapper.games.batch import FIELDS, play_games
from sapper.games.campaign import Campaign
from sapper.lab.runners import build

Bits = npt.NDArray[np.bool_]

LONGEST = 8192
"""Games in a shard at most: a row of a kilobyte, three to a page of the file."""

WON, GUESSES = FIELDS.index("won"), FIELDS.index("guesses")


@dataclass(frozen=True)
class PlayedShard:
    """Games of consecutive seeds with the guesses of each: what a worker hands over."""

    seeds: range
    won: bytes
    """One bit a game in the order of the seeds, the highest bit of a byte first."""
    guesses: bytes
    """Two bytes a game, of numpy's '<u2'."""
    seconds: float
    """How long the worker played."""
    version: str

    def part(self, seeds: range) -> Shard:
        """The shard of some of its seeds."""
        start, stop = seeds.start - self.seeds.start, seeds.stop - self.seeds.start
        won = bits_of(self.won, len(self.seeds))[start:stop]
        guesses = np.frombuffer(self.guesses, dtype="<u2")[start:stop]
        seconds = self.seconds * len(seeds) / len(self.seeds)
        return Shard(seeds, packed(won), np.bincount(guesses).tolist(), seconds, self.version)

    @property
    def shard(self) -> Shard:
        """All of it."""
        return self.part(self.seeds)


@dataclass(frozen=True)
class Shard:
    """Games of consecutive seeds as a file keeps them: who won each, and guesses in all."""

    seeds: range
    won: bytes
    by_guesses: Sequence[int]
    """How many games took 0, 1, 2, ... guesses."""
    seconds: float
    version: str

    @property
    def bits(self) -> Bits:
        """Whether each game was won."""
        return bits_of(self.won, len(self.seeds))

    @property
    def wins(self) -> int:
        """How many games were won."""
        return int(self.bits.sum())

    @property
    def guesses(self) -> int:
        """Guesses in all games together."""
        return sum(count * games for count, games in enumerate(self.by_guesses))


def play_shard(text: str, start: int, stop: int, version: str) -> PlayedShard:
    """The games of a campaign's text on the seeds start..stop - 1: the work of a worker.

    A pure function of its arguments but for the seconds; they are plain values, so that a worker
    with another version of Sapper can read them and say so.
    """
    if version != build():
        raise Unavailable(f"expected sapper {version} on every worker, got one with {build()}")
    started = perf_counter()
    rows = play_games(_campaign(text).on(range(start, stop)))
    seconds = perf_counter() - started
    won = packed(rows[:, WON] != 0)
    guesses = np.minimum(rows[:, GUESSES], 65535).astype("<u2").tobytes()
    return PlayedShard(range(start, stop), won, guesses, seconds, version)


@lru_cache(maxsize=8)
def _campaign(text: str) -> Campaign:
    return Campaign.parse(text, range(0))


def bits_of(data: bytes, count: int) -> Bits:
    """The first bits of some bytes."""
    return np.unpackbits(np.frombuffer(data, np.uint8), count=count).astype(np.bool_)


def packed(bits: Bits) -> bytes:
    """Bits as bytes; the last byte is filled up with zeros."""
    return np.packbits(bits).tobytes()


def join(shards: Sequence[Shard]) -> Shard:
    """Shards that follow each other as one."""
    return Shard(
        range(shards[0].seeds.start, shards[-1].seeds.stop),
        packed(np.concatenate([shard.bits for shard in shards])),
        added(shard.by_guesses for shard in shards),
        sum(shard.seconds for shard in shards),
        shards[0].version,
    )


def added(histograms: Iterable[Sequence[int]]) -> list[int]:
    """Counts by number, added up; they may be of different lengths."""
    total: list[int] = []
    for counts in histograms:
        total += [0] * (len(counts) - len(total))
        for number, count in enumerate(counts):
            total[number] += count
    return total
