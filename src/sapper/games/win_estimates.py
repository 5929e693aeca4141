"""Estimates of win chances: the samples, the games that a player finishes on them, the intervals.

Samples are drawn in blocks, and block i depends on the position, the seed and i alone. So the same
seed gives the same layouts for every player, move and number of threads, and two moves are compared
on the same mines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log

import numpy as np

from sapper.board.board import Board
from sapper.board.position import COVERED, Position
from sapper.board.random_stream import SEED_COUNT, check_seed
from sapper.board.rules import Rules
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Limit
from sapper.engine.sampling import draw_solutions
from sapper.errors import IllegalMove, OutOfBudget, RulesError
from sapper.games.batch import Bools, GameRunner, make_runner, map_in_order
from sapper.games.play_many import wilson
from sapper.players.endgame import Endgame, endgame
from sapper.players.networks import weights_for
from sapper.players.player import Player
from sapper.players.registry import PLAYERS
from sapper.players.rollouts import Comparison
from sapper.values import check_int, check_type

NO_MOVE = -1
PERFECT = "perfect"
"""The name of the player of exact values."""
BLOCK_SAMPLES = 125
"""The samples in a block; fewer on a board so large that they have more than BLOCK_CELLS cells."""
BLOCK_CELLS = 1_000_000
MAX_SAMPLES = 10_000_000
# The end game is searched up to these numbers of solutions and of sets of solutions.
MAX_EXACT_SOLUTIONS = 2_000.0
MAX_EXACT_NODES = 20_000
MAX_THOUGHTFUL_CELLS = 2_000
"""Beyond this size `careful` plays: the others take too long."""
# Multiplied by the block number and added to the seed, so that blocks have unrelated seeds.
SEED_STEP = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class WinChance:
    """How often a player wins from a position, with the 95 % interval of the estimate."""

    value: float
    low: float
    high: float
    samples: int
    """The number of games behind the estimate; 0 where it is exact."""
    exact: bool
    fraction: Fraction | None
    """The exact chance; None for an estimate."""
    player: str
    """The player that finishes the games; "perfect" where the value is exact."""

    def __str__(self) -> str:
        """Return the chance as a percentage, with its interval if it is an estimate."""
        if self.exact:
            return f"{100 * self.value:.1f}% (exact)"
        return f"{100 * self.value:.1f}% ({100 * self.low:.1f} to {100 * self.high:.1f})"


@dataclass(frozen=True)
class MoveWinChance:
    """The win chance after revealing a cell, and how far it is behind the best of the moves."""

    cell: int
    risk: float
    """The probability that the cell is a mine."""
    win_chance: WinChance
    behind: float
    """The win chance of the best move minus that of this one."""
    error: float
    """The standard error of `behind`, smaller than that of the two: they share their layouts."""


def default_player(board: Board) -> Player:
    """Return the strongest player that is fast enough on a board.

    >>> from sapper import tiling
    >>> default_player(tiling("square", 30, 16)).name, default_player(tiling("torus", 9, 9)).name
    ('learned', 'thoughtful')
    """
    if len(board) > MAX_THOUGHTFUL_CELLS:
        return PLAYERS["careful"]
    # On other tilings `learned` is weaker: on hexagonal 30x16/99 by 0.3 to 0.6 points.
    uses_network = board.tiling == "square" and weights_for(board) is not None
    return PLAYERS["learned" if uses_network else "thoughtful"]


def check_samples(samples: int) -> int:
    """Return a number of samples; raise RulesError unless it is from 1 to MAX_SAMPLES."""
    samples = check_int(samples, "a number of samples")
    if not 1 <= samples <= MAX_SAMPLES:
        raise RulesError(f"expected 1 to {MAX_SAMPLES:,} samples, got {samples}")
    return samples


class WinChanceRequest:
    """A request for the win chance of a position, with the player and the seed of the layouts."""

    def __init__(
        self,
        position: Position,
        player: str | Player | None,
        seed: int,
        threads: int,
        trust_flags: bool,
        limit: Limit,
    ):
        check_type(position, Position, "a position")
        if position.mines is None:
            raise RulesError("a win chance needs the mine count")
        self.seed = check_seed(seed)
        self.threads = check_int(threads, "a number of threads")
        if self.threads < 1:
            raise RulesError(f"expected at least 1 thread, got {threads}")
        self.position = position if trust_flags else position.without_flags()
        self.limit = limit
        self.analysis: Analysis = analyse(self.position, trust_flags=True, budget=limit)
        if len(position.board) - position.mines == int((position.marks >= 0).sum()):
            raise IllegalMove("no win chance: every safe cell is revealed")
        self.try_exact = player is None
        self.player = default_player(position.board) if player is None else PLAYERS.find(player)
        self.rules = Rules(position.board, position.mines, "any")

    def exact(self) -> WinChance | None:
        """Return the value of perfect play if it is requested and can be searched."""
        solved = self.solve()
        return None if solved is None else exact_chance(solved.value)

    def solve(self) -> Endgame | None:
        """Return the end game if no player is named and it can be searched."""
        if not self.try_exact or self.analysis.ln_solutions > log(MAX_EXACT_SOLUTIONS):
            return None
        try:
            return endgame(
                self.position, trust_flags=True, nodes=MAX_EXACT_NODES, budget=self.limit
            )
        except OutOfBudget:
            self.limit.check("the end game")
            return None

    def exact_moves(self, cells: list[int]) -> tuple[MoveWinChance, ...]:
        """Return the exact win chances of reveals, the best first; none if they are not known."""
        solved = self.solve()
        if solved is None:
            return ()
        try:
            chances = solved.win_chances(self.limit)
        except OutOfBudget:
            self.limit.check("the end game")
            return ()
        values = {cell: chances.get(cell, Fraction(0)) for cell in cells}
        return tuple(
            MoveWinChance(
                cell,
                float(self.analysis.probability_array[cell]),
                exact_chance(values[cell]),
                float(max(values.values()) - values[cell]),
                0.0,
            )
            for cell in sorted(values, key=lambda cell: -values[cell])
        )

    def chance(self, wins: int, samples: int) -> WinChance:
        """Return the estimate of a number of wins."""
        low, high = wilson(wins, samples)
        return WinChance(wins / samples, low, high, samples, False, None, self.player.name)

    def estimate(self, samples: int) -> WinChance:
        """Return the share of the samples that the player wins."""
        wins = [won[:, 0] for won, _ in self.play([NO_MOVE], samples)]
        return self.chance(int(sum(block.sum() for block in wins)), sum(map(len, wins)))

    def compare(self, cells: list[int], samples: int) -> tuple[MoveWinChance, ...]:
        """Return the win chances of reveals on the same layouts, the best first."""
        if not cells:
            return ()
        estimates = MoveEstimates(self, cells)
        for won, hits in self.play(cells, samples):
            estimates.add(won, hits)
        return estimates.best_first()

    def check_cells(self, cells: list[int]) -> list[int]:
        """Return the cells, each once; raise IllegalMove unless all are covered."""
        for cell in cells:
            if self.position.marks[cell] != COVERED:
                raise IllegalMove(f"expected a covered cell, got {self.position.board.name(cell)}")
        return list(dict.fromkeys(cells))

    def play(
        self, cells: list[int], samples: int, first_samples: int = BLOCK_SAMPLES
    ) -> Iterator[tuple[Bools, Bools]]:
        """Yield blocks of games: whether each was won, and whether its first move hit a mine.

        A row for each sample, a column for each cell to reveal first. The first block is yielded in
        two parts if it has more than *first_samples* samples.
        """
        size = max(1, min(BLOCK_SAMPLES, BLOCK_CELLS // len(self.position.board)))
        idle: list[GameRunner] = []

        def parts() -> Iterator[tuple[int, int, int]]:
            for i, start in enumerate(range(0, samples, size)):
                stop = min(size, samples - start)
                split = first_samples if i == 0 and first_samples < stop else stop
                yield i, 0, split
                if split < stop:
                    yield i, split, stop

        def play_part(part: tuple[int, int, int]) -> tuple[Bools, Bools]:
            index, start, stop = part
            seed = (self.seed + index * SEED_STEP) % SEED_COUNT
            layouts = draw_solutions(self.position, stop, seed, True, self.limit)[start:]
            try:
                runner = idle.pop()
            except IndexError:
                runner = make_runner(self.rules, 0, self.player)
            won = [
                runner.finish(self.position, layouts, cell, seed + start, self.limit)
                for cell in cells
            ]
            idle.append(runner)
            hits = layouts[:, cells] if cells != [NO_MOVE] else np.zeros((len(layouts), 1), bool)
            return np.stack(won, axis=1), hits

        done = False
        try:
            for result in map_in_order(play_part, parts(), self.threads):
                yield result
                done = True
        except OutOfBudget:
            # An estimate of fewer samples is better than none.
            if not done or self.limit.cancelled:
                raise


class MoveEstimates:
    """Win chances of reveals, estimated on the same layouts."""

    def __init__(self, request: WinChanceRequest, cells: list[int]):
        self._player = request.player.name
        self._risks = [float(request.analysis.probability_array[cell]) for cell in cells]
        self._comparison = Comparison(cells, self._risks)
        self._wins, self._safe_samples = np.zeros((2, len(cells)), dtype=np.int64)

    def add(self, won: Bools, hits: Bools) -> None:
        """Add a block of games."""
        self._comparison.add(won.astype(np.float64), hits)
        self._wins += won.sum(axis=0)
        self._safe_samples += (~hits).sum(axis=0)

    def best_first(self) -> tuple[MoveWinChance, ...]:
        """Return the estimates so far."""
        comparison = self._comparison
        order = comparison.order()
        return tuple(
            MoveWinChance(
                comparison.cells[i],
                self._risks[i],
                self._chance_after(self._risks[i], int(self._wins[i]), int(self._safe_samples[i])),
                *comparison.lead(order[0], i),
            )
            for i in order
        )

    def _chance_after(self, risk: float, wins: int, safe_samples: int) -> WinChance:
        """Return the win chance of a move: its risk is known, and only the rest is estimated."""
        rate = wins / safe_samples if safe_samples else 0.0
        low, high = wilson(wins, safe_samples) if safe_samples else (0.0, 1.0)
        value, low, high = ((1.0 - risk) * chance for chance in (rate, low, high))
        return WinChance(value, low, high, self._comparison.samples, False, None, self._player)


def exact_chance(fraction: Fraction) -> WinChance:
    """Return a win chance that is known exactly."""
    value = float(fraction)
    return WinChance(value, value, value, 0, True, fraction, PERFECT)
