"""Reviews by win chance: what each move of a game cost, and what luck added.

One reference player is fixed. V(s) is its win chance from position s, and Q(s, a) its win chance if
move a is made first. A move from s to s' has the cost V(s) - Q(s, a) and the luck V(s') - Q(s, a),
so over a game the result minus V(start) is the sum of the luck minus the sum of the costs.

The reference makes every certain move before it guesses, in any order, so a certain move costs
nothing. Win chances are estimated at guesses, mistakes and every tenth certain move; V is
interpolated between them. The chain starts after a first click that the rule keeps safe, because
its layouts are not drawn uniformly from those of the empty position, and ends at the first loss or
undo.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, sqrt
from typing import Literal, TypeVar

import numpy as np

from sapper.board.position import FLAG, Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import OutOfBudget
from sapper.games.batch import Bools
from sapper.games.play_many import Z_95
from sapper.games.review import TOLERANCE, Review, ReviewedMove
from sapper.games.win_chance import win_chance
from sapper.games.win_estimates import (
    NO_MOVE,
    WinChance,
    WinChanceRequest,
    check_samples,
    default_player,
)
from sapper.players.player import Player
from sapper.players.registry import PLAYERS
from sapper.players.rollouts import Floats
from sapper.values import check_type

T = TypeVar("T")
Severity = Literal["inaccuracy", "mistake", "blunder"]

SAMPLES = 200
"""The default number of samples for a position."""
CERTAIN_STEP = 10
"""One in this number of certain moves is estimated."""
SEVERITIES: tuple[tuple[Severity, float], ...] = (
    ("blunder", 0.10),
    ("mistake", 0.05),
    ("inaccuracy", 0.02),
)
"""The least cost of each severity, the worst first."""
SIGNIFICANT_ERRORS = 2.0
"""A cost below this number of standard errors has no severity: it may be noise."""


@dataclass(frozen=True, slots=True)
class MoveCost:
    """The win chances that give the cost of a move: V(s) and Q(s, a)."""

    best: float
    """V(s): the reference player chooses the move."""
    with_move: float
    """Q(s, a): the move is made, then the reference player plays on."""
    error: float
    """The standard error of `best` minus `with_move`."""


@dataclass(frozen=True, slots=True)
class MoveWinReview:
    """The win chances before and after a move; None where they are not known."""

    before: float | None = None
    after: float | None = None
    cost: float | None = None
    """The win chance that the move lost compared with the reference; negative if it was better."""
    error: float = 0.0
    """The standard error of the cost."""

    @property
    def luck(self) -> float | None:
        """The change of the win chance by what the move revealed: numbers or a mine."""
        if self.before is None or self.after is None or self.cost is None:
            return None
        return self.after - self.before + self.cost

    @property
    def severity(self) -> Severity | None:
        """How bad the move was; None for a small cost or one that may be noise."""
        if self.cost is None or self.cost < SIGNIFICANT_ERRORS * self.error:
            return None
        return next((name for name, least in SEVERITIES if self.cost >= least), None)


@dataclass(frozen=True)
class WinReview:
    """The win chances of a game for a reference player."""

    moves: tuple[MoveWinReview, ...]
    """An entry for each move of the review; without values for those outside the chain."""
    start: float | None
    """The win chance at the start of the chain; None if it is not known."""
    end: float | None
    """The win chance at its end: 1 after a win, 0 after a loss."""
    cost: float | None
    """The sum of the costs; None if one is not known."""
    error: float
    """The standard error of that sum."""
    player: str
    samples: int
    """The number of samples for a position."""

    @property
    def luck(self) -> float | None:
        """The sum of the luck: `end` minus `start` plus `cost`."""
        if self.start is None or self.end is None or self.cost is None:
            return None
        return self.end - self.start + self.cost


def win_review(
    review: Review,
    *,
    player: str | Player | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> WinReview:
    """Return the cost and the luck of each move of a review, in win chance.

    *player* is the reference, by default the strongest that is fast enough on the board. *budget*
    applies to the whole game; values that cannot be computed within it are None.
    """
    check_type(review, Review, "a review")
    board = review.end.board
    reference = default_player(board) if player is None else PLAYERS.find(player)
    limit = start_limit(budget, cancel)
    estimates = _Estimates(reference, check_samples(samples), seed, limit)
    counted = [move for move in review.moves if move.counts]
    unknown = MoveWinReview()
    if not counted:
        moves = (unknown,) * len(review.moves)
        return WinReview(moves, None, None, 0.0, 0.0, reference.name, samples)
    # A first click that the rule or the generator keeps safe is not part of the chain.
    skipped = int(counted[0].move_class == "certain" and not len(counted[0].position.revealed))
    chain = counted[skipped:]
    costs = [estimates.cost(move) for move in chain]
    chances = _chances(chain, costs, review.end, not counted[-1].survived, estimates)
    reviewed = [
        MoveWinReview(before, after)
        if cost is None
        else MoveWinReview(before, after, cost.best - cost.with_move, cost.error)
        for cost, (before, after) in zip(costs, pairwise(chances), strict=True)
    ]
    known = [move.cost for move in reviewed if move.cost is not None]
    return WinReview(
        moves=(
            (unknown,) * skipped + tuple(reviewed) + (unknown,) * (len(review.moves) - len(counted))
        ),
        start=chances[0],
        end=chances[-1],
        cost=fsum(known) if len(known) == len(chain) else None,
        error=sqrt(fsum(move.error**2 for move in reviewed)),
        player=reference.name,
        samples=samples,
    )


CERTAIN = MoveCost(0.0, 0.0, 0.0)
"""The cost of a certain move; its win chances are not estimated."""


@dataclass
class _Estimates:
    """Estimates of win chances by one player; None where the limit is reached."""

    player: Player
    samples: int
    seed: int
    limit: Limit

    def chance(self, position: Position, trust_flags: bool = False) -> WinChance | None:
        """Return the win chance of a position."""
        return self._try(
            lambda: win_chance(
                position,
                player=self.player,
                samples=self.samples,
                seed=self.seed,
                trust_flags=trust_flags,
                budget=self.limit,
            )
        )

    def cost(self, move: ReviewedMove) -> MoveCost | None:
        """Return the cost of a move."""
        if move.move_class == "certain":
            return CERTAIN
        position, cell = move.position.without_flags(), move.move.cell
        assert cell is not None
        if move.move.action == "chord":
            return self._chord_cost(move, cell)
        return self._try(lambda: self._reveal_cost(position, cell))

    def _reveal_cost(self, position: Position, cell: int) -> MoveCost:
        """Compare revealing a cell with the choice of the player, on the same layouts.

        The difference is exactly 0 where the player chooses the same cell.
        """
        request = WinChanceRequest(position, self.player, self.seed, 1, False, self.limit)
        risk = float(request.analysis.probability_array[cell])
        blocks = zip(*request.play([NO_MOVE, cell], self.samples), strict=True)
        won, hits = (np.concatenate(block) for block in blocks)
        chosen, other = won.astype(np.float64).T
        mine = hits[:, 1]
        best, _ = _stratified_mean(chosen, mine, risk)
        with_move, _ = _stratified_mean(other, mine, risk)
        return MoveCost(best, with_move, _stratified_mean(chosen - other, mine, risk)[1])

    def _chord_cost(self, move: ReviewedMove, cell: int) -> MoveCost | None:
        """Return the cost of a chord, after which the flags that it relied on are known mines."""
        chance = self.chance(move.position)
        if chance is None:
            return None
        if move.risk >= 1 - TOLERANCE:
            return MoveCost(chance.value, 0.0, _error(chance))
        around = move.position.board.around(cell)
        flags = around[move.position.marks[around] == FLAG].tolist()
        trusted = move.position.without_flags().with_marks(dict.fromkeys(flags, FLAG))
        after = self.chance(trusted, trust_flags=True)
        if after is None:
            return None
        survival = 1 - move.risk
        error = sqrt(_error(chance) ** 2 + (survival * _error(after)) ** 2)
        return MoveCost(chance.value, survival * after.value, error)

    def _try(self, estimate: Callable[[], T]) -> T | None:
        if self.limit.expired and not self.limit.cancelled:
            return None
        try:
            return estimate()
        except OutOfBudget:
            if self.limit.cancelled:
                raise
            return None


def _stratified_mean(values: Floats, mine: Bools, risk: float) -> tuple[float, float]:
    """Return the mean and its standard error, where *mine* is true with probability *risk*.

    Stratifying by *mine* removes the noise of how often it was true in the sample.
    """
    groups = [(risk, values[mine]), (1.0 - risk, values[~mine])]
    if min(len(group) for _, group in groups) < 2:
        groups = [(1.0, values)]
    mean = sum(weight * group.mean() for weight, group in groups)
    variance = sum(weight**2 * group.var() / max(1, len(group) - 1) for weight, group in groups)
    return float(mean), sqrt(variance)


def _error(chance: WinChance) -> float:
    return (chance.high - chance.low) / (2 * Z_95)


def _chances(
    chain: Sequence[ReviewedMove],
    costs: Sequence[MoveCost | None],
    end: Position,
    lost: bool,
    estimates: _Estimates,
) -> list[float | None]:
    """Return the win chance before each move of a chain and at its end."""
    last = len(chain)
    # Known already: before each guess or mistake, from its cost, and at the end of a finished game.
    chances: dict[int, float | None] = {
        i: None if cost is None else cost.best
        for i, cost in enumerate(costs)
        if cost is not CERTAIN
    }
    if lost:
        chances[last] = 0.0
    elif end.mines == len(end.board) - len(end.revealed):
        chances[last] = 1.0
    certain = [i for i, cost in enumerate(costs) if cost is CERTAIN]
    after_guesses = [i + 1 for i in chances if i < last]
    # In the order of importance, in case the budget ends: the sums need the start and the end.
    for point in (0, last, *after_guesses, *certain[CERTAIN_STEP - 1 :: CERTAIN_STEP]):
        if point not in chances:
            chance = estimates.chance(end if point == last else chain[point].position)
            chances[point] = None if chance is None else chance.value
    return _interpolate(chances)


def _interpolate(known: dict[int, float | None]) -> list[float | None]:
    """Return values at 0, 1, … up to the last point, on straight lines between known points.

    >>> _interpolate({0: 0.5, 2: 1.0, 3: None})
    [0.5, 0.75, 1.0, None]
    """
    points = sorted(known)
    values = [known[0]]
    for a, b in pairwise(points):
        low, high = known[a], known[b]
        between = range(1, b - a)
        if low is None or high is None:
            values += [None for _ in between]
        else:
            values += [low + (high - low) * i / (b - a) for i in between]
        values.append(high)
    return values
