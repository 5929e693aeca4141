"""The win chance of a position: how often a stated player wins from there.

Solutions of the position are drawn uniformly, the player finishes the game on each, and its wins
are counted, so the estimate is unbiased for that player. Where the end game can be searched, the
chance of perfect play is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from sapper.board.position import Position
from sapper.engine.analysis import Analysis
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, start_limit
from sapper.games.play_many import Z_95
from sapper.games.win_estimates import (
    MAX_SAMPLES,
    NO_MOVE,
    MoveEstimates,
    MoveWinChance,
    WinChance,
    WinChanceRequest,
    check_samples,
)
from sapper.kernels.ties import quantise
from sapper.players.guess import MAX_CANDIDATES, Candidate, Guess, GuessFact
from sapper.players.player import Player
from sapper.players.reasons import ComparedMove, are_all_cells, win_facts, with_reason

FIRST_SAMPLES = 25
"""Samples of the first estimate that is refined, so that it appears soon."""


@overload
def win_chance(
    position: Position,
    *,
    moves: None = None,
    player: str | Player | None = None,
    samples: int = 1000,
    seed: int = 0,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> WinChance: ...


@overload
def win_chance(
    position: Position,
    *,
    moves: Iterable[int | str],
    player: str | Player | None = None,
    samples: int = 1000,
    seed: int = 0,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> tuple[MoveWinChance, ...]: ...


def win_chance(
    position: Position,
    *,
    moves: Iterable[int | str] | None = None,
    player: str | Player | None = None,
    samples: int = 1000,
    seed: int = 0,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> WinChance | tuple[MoveWinChance, ...]:
    """Return the win chance of a position, or of each of *moves*, the best first.

    *player* finishes the games; with None the value is exact where the end game can be searched,
    else the strongest player that is fast enough on this board plays. *moves* are cells to reveal
    first, compared on the same layouts. Flags count as covered unless trusted. If the budget ends
    after some samples, the estimate has fewer of them.

    Raise RulesError without a mine count, IllegalMove if nothing is left to reveal, Contradiction
    for a position without solutions, and OutOfBudget if the budget ends before the first estimate.

    >>> win_chance(Position.parse("# 1 #", mines=1)).fraction
    Fraction(1, 2)
    """
    request = WinChanceRequest(
        position, player, seed, threads, trust_flags, start_limit(budget, cancel)
    )
    count = check_samples(samples)
    if moves is not None:
        cells = request.check_cells([position.board.cell(cell) for cell in moves])
        return request.exact_moves(cells) or request.compare(cells, count)
    exact = request.exact()
    return request.estimate(count) if exact is None else exact


def refine_win_chance(
    position: Position,
    *,
    player: str | Player | None = None,
    samples: int = MAX_SAMPLES,
    width: float = 0.0,
    seed: int = 0,
    threads: int = 1,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[WinChance]:
    """Yield better and better estimates of a win chance, each with more samples.

    Ends after *samples* samples, when the interval is at most *width* wide, or when the budget
    ends; an exact value is the only one. The arguments are those of `win_chance`.

    >>> position = Position.parse("# 1 #", mines=1)
    >>> [chance.exact for chance in refine_win_chance(position)]
    [True]
    """
    request = WinChanceRequest(
        position, player, seed, threads, trust_flags, start_limit(budget, cancel)
    )
    exact = request.exact()
    if exact is not None:
        yield exact
        return
    wins = done = 0
    for won, _ in request.play([NO_MOVE], check_samples(samples), FIRST_SAMPLES):
        wins += int(won.sum())
        done += len(won)
        chance = request.chance(wins, done)
        yield chance
        if chance.high - chance.low <= width:
            return


def refine_move_win_chances(
    position: Position,
    moves: Iterable[int | str],
    *,
    samples: int = MAX_SAMPLES,
    seed: int = 0,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[tuple[MoveWinChance, ...]]:
    """Yield better and better estimates of the win chances of *moves*, the best first.

    Exact values are the only ones, where the end game can be searched.

    >>> position = Position.parse("# 1 #", mines=1)
    >>> [move.win_chance.fraction for move in next(refine_move_win_chances(position, [0, 2]))]
    [Fraction(1, 2), Fraction(1, 2)]
    """
    limit = start_limit(budget, cancel)
    request = WinChanceRequest(position, None, seed, 1, trust_flags, limit)
    cells = request.check_cells([position.board.cell(cell) for cell in moves])
    if exact_moves := request.exact_moves(cells):
        yield exact_moves
        return
    estimates = MoveEstimates(request, cells)
    for won, hits in request.play(cells, check_samples(samples), FIRST_SAMPLES):
        estimates.add(won, hits)
        yield estimates.best_first()


def add_win_chances(
    guess: Guess, position: Position, *, samples: int, seed: int, trust_flags: bool, budget: Budget
) -> Guess:
    """Return a guess whose candidates have win chances, exact or estimated, the best first.

    They replace its reason, unless the player compared no cells or the guess is a 50/50. In an end
    game the best of all cells become candidates. A move of the table of openings stays as it is,
    since its win rates come from more samples.
    """
    if position.mines is None or any(fact.kind == "simulated" for fact in guess.facts):
        return guess
    request = WinChanceRequest(position, None, seed, 1, trust_flags, budget.start())
    analysis = request.analysis
    by_cell = {candidate.cell: candidate for candidate in guess.candidates}
    compares = len(by_cell) > 1
    cells = list(by_cell) or [guess.cell]
    others = np.flatnonzero(analysis.probability_array < 1.0).tolist() if compares else []
    # Cells of the same win chance stay in the order of the player.
    moves = request.exact_moves(list(dict.fromkeys([*cells, *others])))
    if not moves:
        moves = request.compare(cells, check_samples(samples))
    facts = move_facts(guess.cell, moves, analysis) if compares else ()

    def with_chance(move: MoveWinChance) -> Candidate:
        chance = move.win_chance
        return replace(
            by_cell.get(move.cell, Candidate(move.cell, move.risk)),
            value=chance.fraction,
            rate=chance.value,
            error=(chance.high - chance.low) / (2 * Z_95),
            samples=chance.samples,
        )

    own = next(move for move in moves if move.cell == guess.cell)
    rest = [move for move in moves if move is not own][: MAX_CANDIDATES - 1]
    listed = [move for move in moves if move is own or move in rest]
    guess = replace(guess, candidates=tuple(map(with_chance, listed)))
    if not facts or any(fact.kind == "fifty_fifty" for fact in guess.facts):
        return guess
    return with_reason(guess, *facts)


def best_move(moves: Sequence[MoveWinChance]) -> int:
    """Return the safest of the moves whose win chance is not clearly below that of another."""
    tied = [move for move in map(_compared, moves) if move.is_tied]
    return min(tied, key=lambda move: quantise(move.risk)).cell


def move_facts(
    cell: int, moves: Sequence[MoveWinChance], analysis: Analysis
) -> tuple[GuessFact, ...]:
    """Return what the win chances of moves, the best first, say about one of them."""
    rows = [_compared(move) for move in moves]
    return win_facts(cell, rows, are_all=are_all_cells(analysis, [row.cell for row in rows]))


def _compared(move: MoveWinChance) -> ComparedMove:
    chance = move.win_chance
    return ComparedMove(move.cell, move.risk, chance.value, move.behind, move.error, chance.exact)
