"""Play many games with one player on several threads, and return their totals.

Game i is played on the layout of seed + i, so `sapper watch` can show any game of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter

import numpy as np

from sapper.board.board import Ints
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel
from sapper.errors import RulesError
from sapper.games.batch import FIELDS, GameRunner, make_runner, map_in_order
from sapper.games.campaign import Campaign
from sapper.players.player import Player
from sapper.players.registry import PLAYERS
from sapper.values import check_int, check_type
from sapper.wording import count_text

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


def wilson(successes: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a rate, by default at 95 %.

    Unlike the normal approximation it holds for rates near 0 and 1 and for few trials.

    >>> [round(end, 3) for end in wilson(0, 10)]
    [0.0, 0.278]
    """
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    scale = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half_width = z / scale * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    # Rounding must not put the rate outside of the interval.
    return max(0.0, min(rate, middle - half_width)), min(1.0, max(rate, middle + half_width))


@dataclass(frozen=True)
class GamesTally:
    """The totals of many games by one player.

    Tallies are equal if their games are; time and number of threads are not compared.
    """

    rules: Rules
    first: int
    player: str
    seed: int
    games: int
    wins: int
    guesses: int
    reveals: int
    engine_calls: int
    """The number of calls of the exact engine."""
    blunders: int | None
    """The number of losses while a safe cell existed; None if they were not counted."""
    seconds: float = field(compare=False)
    threads: int = field(compare=False)

    @property
    def win_rate(self) -> float:
        """The share of the games that were won; nan without games."""
        return self.wins / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def speed(self) -> float:
        """The number of games per second."""
        return self.games / self.seconds if self.seconds else float("nan")

    def __str__(self) -> str:
        """Return a line with the win rate, its interval, and what it was measured on."""
        low, high = self.interval
        rules = self.rules
        rate = f"{100 * self.win_rate:.2f} % of {count_text(self.games, 'game')} won"
        span = f"({100 * low:.2f} to {100 * high:.2f})"
        return (
            f"{self.player} on {rules.board}/{rules.mines} {rules.rule} "
            f"{rules.board.name(self.first)}: {f'{rate} {span}' if self.games else 'no games'}, "
            f"seeds from {self.seed}"
        )

    def __repr__(self) -> str:
        return f"<GamesTally {self}>"


# The most games that a thread plays between two checks for cancellation.
MAX_BATCH = 512


def play_many(
    size: str | Rules,
    player: str | Player = "careful",
    games: int = 1000,
    seed: int | None = None,
    rule: str | None = None,
    first: str | int | None = None,
    threads: int = 1,
    *,
    tiling: str | None = None,
    count_blunders: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    progress: Callable[[int], None] | None = None,
) -> GamesTally:
    """Play whole games, game i on the layout of seed + i, and return their totals.

    *size* is a level, a size such as 30x16/99, or Rules; *rule* and *first* are as in `generate`.
    *player* is a name of PLAYERS or your own `Player`; one without a compiled form is some
    hundred times slower, and its calls of the engine are not counted.
    With *count_blunders*, losses while a safe cell existed are counted, which takes one more call
    of the engine for each lost game. *progress* is called with the number of games done so far.
    *budget* applies to each call of the engine.

    >>> play_many("beginner", games=100, seed=1, rule="safe", first="r1c1").wins
    92
    """
    entry = PLAYERS.find(player)
    campaign = Campaign.of(size, entry, games, seed, rule, first, tiling=tiling)
    sums = np.zeros(len(FIELDS), dtype=np.int64)
    done = 0
    started = perf_counter()
    for rows in _rows(
        campaign, entry, check_int(threads, "a number of threads"), count_blunders, budget
    ):
        sums += rows.sum(axis=0)
        done += len(rows)
        if progress is not None:
            progress(done)
    seconds = perf_counter() - started
    won, guesses, reveals, engine_calls, blunders = sums.tolist()
    return GamesTally(
        rules=campaign.rules,
        first=campaign.first,
        player=entry.name,
        seed=campaign.seeds.start,
        games=len(campaign.seeds),
        wins=won,
        guesses=guesses,
        reveals=reveals,
        engine_calls=engine_calls,
        blunders=blunders if count_blunders else None,
        seconds=seconds,
        threads=threads,
    )


def play_each(
    size: str | Rules,
    player: str | Player = "careful",
    games: int = 1000,
    seed: int | None = None,
    rule: str | None = None,
    first: str | int | None = None,
    threads: int = 1,
    *,
    tiling: str | None = None,
    count_blunders: bool = False,
    budget: Budget = DEFAULT_BUDGET,
) -> Ints:
    """Play the games of `play_many`; return an array with a row per game and a column per FIELDS.

    Use it to compare players game by game on the same layouts.
    """
    entry = PLAYERS.find(player)
    campaign = Campaign.of(size, entry, games, seed, rule, first, tiling=tiling)
    rows = list(
        _rows(campaign, entry, check_int(threads, "a number of threads"), count_blunders, budget)
    )
    return np.concatenate(rows) if rows else np.empty((0, len(FIELDS)), dtype=np.int32)


def _rows(
    campaign: Campaign, player: Player, threads: int, count_blunders: bool, budget: Budget
) -> Iterator[Ints]:
    """Yield the rows of the games in order, in blocks of at most MAX_BATCH."""
    check_type(budget, Budget, "a budget")
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    seeds = campaign.seeds
    block_size = max(1, min(MAX_BATCH, -(-len(seeds) // (4 * threads))))
    blocks = (seeds[i : i + block_size] for i in range(0, len(seeds), block_size))
    cancel = Cancel()
    idle: list[GameRunner] = []

    def play(block: range) -> Ints:
        try:
            runner = idle.pop()
        except IndexError:
            runner = make_runner(
                campaign.rules, campaign.first, player, count_blunders=count_blunders, budget=budget
            )
        rows = runner.play(block, cancel)
        idle.append(runner)
        return rows

    yield from map_in_order(play, blocks, threads, cancel)
