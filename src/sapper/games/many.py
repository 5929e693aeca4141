"""Many whole games by a player, on several threads.

Game i is played on the layout of seed + i, so `sapper watch` can show any game of a run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter

import numpy as np

from sapper.board.board import Ints
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel
from sapper.errors import RulesError
from sapper.games.batch import FIELDS, GameRunner, make_runner
from sapper.games.campaign import Campaign
from sapper.games.tally import GamesTally
from sapper.players.registry import PLAYERS, Player
from sapper.values import check_int, check_type

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
    check: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    progress: Callable[[int], None] | None = None,
) -> GamesTally:
    """Play whole games, game i on the layout of seed + i, and return their totals.

    *size* is a level, a size such as 30x16/99, or Rules; *rule* and *first* are as in `generate`.
    *player* is a name of PLAYERS or your own `Player`; one without a compiled form is some
    hundred times slower, and its calls of the engine are not counted.
    With *check*, losses while a safe cell existed are counted, which takes one more call of the
    engine for each lost game. *progress* is called with the number of games done so far.
    *budget* applies to each call of the engine.

    >>> play_many("beginner", games=100, seed=1, rule="safe", first="r1c1").wins
    92
    """
    row = PLAYERS.find(player)
    campaign = Campaign.of(size, row, games, seed, rule, first, tiling=tiling)
    sums = np.zeros(len(FIELDS), dtype=np.int64)
    done = 0
    started = perf_counter()
    for rows in _rows(campaign, row, check_int(threads, "a number of threads"), check, budget):
        sums += rows.sum(axis=0)
        done += len(rows)
        if progress is not None:
            progress(done)
    seconds = perf_counter() - started
    won, guesses, reveals, asked, blunders = sums.tolist()
    return GamesTally(
        rules=campaign.rules,
        first=campaign.first,
        player=row.name,
        seed=campaign.seeds.start,
        games=len(campaign.seeds),
        wins=won,
        guesses=guesses,
        reveals=reveals,
        asked=asked,
        blunders=blunders if check else None,
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
    check: bool = False,
    budget: Budget = DEFAULT_BUDGET,
) -> Ints:
    """Play the games of `play_many`; return an array with a row per game and a column per FIELDS.

    Use it to compare players game by game on the same layouts.
    """
    row = PLAYERS.find(player)
    campaign = Campaign.of(size, row, games, seed, rule, first, tiling=tiling)
    rows = list(_rows(campaign, row, check_int(threads, "a number of threads"), check, budget))
    return np.concatenate(rows) if rows else np.empty((0, len(FIELDS)), dtype=np.int32)


def _rows(
    campaign: Campaign, player: Player, threads: int, check: bool, budget: Budget
) -> Iterator[Ints]:
    """Yield the rows of the games in order, in blocks of at most MAX_BATCH."""
    check_type(budget, Budget, "a budget")
    if threads < 1:
        raise RulesError(f"expected at least 1 thread, got {threads}")
    seeds = campaign.seeds
    step = max(1, min(MAX_BATCH, -(-len(seeds) // (4 * threads))))
    blocks = (seeds[i : i + step] for i in range(0, len(seeds), step))
    cancel = Cancel()
    idle: list[GameRunner] = []

    def play(block: range) -> Ints:
        try:
            runner = idle.pop()
        except IndexError:
            runner = make_runner(campaign, player, check=check, budget=budget)
        rows = runner.play(block, cancel)
        idle.append(runner)
        return rows

    if threads == 1:
        yield from map(play, blocks)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Ints]] = deque()
        try:
            for block in blocks:
                waiting.append(pool.submit(play, block))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            cancel.set()
            pool.shutdown(cancel_futures=True)
            raise
