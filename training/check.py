"""Compare a fitted network with other players on the same layouts, in parallel processes."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from sapper.board.board import Board
from sapper.engine.budget import Cancel
from sapper.games.batch import make_runner
from sapper.games.campaign import Campaign
from sapper.kernels.players.learned import LearnedState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.learned import LearnedSettings, make_learned_state
from sapper.players.networks import Weights, patch_of
from sapper.players.player import Compiled, Player
from sapper.players.registry import PLAYERS
from training.weights import read_weights, risk_only

# Distinct from the seeds of training and of published results.
FIRST_SEED = 9 * 10**15
GAMES_PER_TASK = 250
LEAST_PROBABILITY = "least probability"
Line = tuple[str, str, str]
"""Size, rule and first click of games: a line of the table of results."""
LINES: tuple[Line, ...] = (
    ("30x16/99", "safe", "r1c1"),
    ("30x16/99", "zero", "r4c4"),
    ("16x16/40", "safe", "r1c1"),
    ("9x9/10", "safe", "r1c1"),
)


@dataclass(frozen=True)
class Task:
    """Games of one line by one player: a file of weights, 'least probability', or a name."""

    line: Line
    player: str
    tiling: str
    seeds: tuple[int, int]
    """The first seed and the number of games."""
    images: int = 1


def learned_with(weights: Weights, images: int) -> Player:
    """Return `learned` with a network that is not in the package."""

    def make(board: Board, settings: LearnedSettings, tracked: TrackedPosition) -> LearnedState:
        return make_learned_state(board, weights, settings, tracked, images)

    return replace(PLAYERS["learned"], compiled=Compiled(make_guesser=make))


def _player(task: Task) -> Player:
    if task.player == LEAST_PROBABILITY:
        return learned_with(risk_only(task.tiling, patch_of(task.tiling).slots), 1)
    if "." in task.player:
        return learned_with(read_weights(Path(task.player)), task.images)
    return PLAYERS.find(task.player)


def play(task: Task) -> tuple[Task, Any, float]:
    """Play the games of a task; return whether each was won, and the CPU seconds."""
    size, rule, first = task.line
    player, (start, games) = _player(task), task.seeds
    campaign = Campaign.of(size, player, games, start, rule, first, tiling=task.tiling)
    runner = make_runner(campaign, player)
    started = time.process_time()
    rows = runner.play(campaign.seeds, Cancel())
    return task, rows[:, 0].astype(np.int8), time.process_time() - started


def check(
    players: list[str],
    seconds: float,
    workers: int,
    tiling: str = "square",
    lines: tuple[Line, ...] = LINES,
    images: int = 1,
    max_games: int = 10**6,
    seed: int = FIRST_SEED,
) -> list[dict[str, Any]]:
    """Play all lines by all players until the time is up; return a row for each line and player.

    Each player is compared with the first one. The network of the last one averages over *images*
    symmetries. *max_games* limits the games of each player and line.
    """
    deadline = time.monotonic() + seconds
    won: dict[tuple[Any, str], list[Any]] = {}
    seconds_used: dict[tuple[Any, str], float] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        games = 0
        # At least one round, so that there is a result.
        while games == 0 or (time.monotonic() < deadline and games < max_games):
            # A round keeps every worker busy and gives all players the same layouts.
            tasks = [
                Task(
                    line,
                    player,
                    tiling,
                    (seed + games + i * GAMES_PER_TASK, GAMES_PER_TASK),
                    images=images if player == players[-1] else 1,
                )
                for i in range(max(1, workers // 2))
                for line in lines
                for player in players
            ]
            for task, rows, spent in pool.map(play, tasks):
                key = task.line, task.player
                won.setdefault(key, []).append(rows)
                seconds_used[key] = seconds_used.get(key, 0.0) + spent
            games += max(1, workers // 2) * GAMES_PER_TASK
    return [
        _result(line, player, players[0], won, seconds_used) for line in lines for player in players
    ]


def _result(line: Any, player: str, base: str, won: Any, seconds_used: Any) -> dict[str, Any]:
    wins, base_wins = (np.concatenate(won[line, name]).astype(float) for name in (player, base))
    n = len(wins)
    difference = wins - base_wins
    return {
        "line": " ".join(line),
        "player": Path(player).name,
        "games": n,
        "won %": round(100 * float(wins.mean()), 3),
        "error": round(100 * float(wins.std() / n**0.5), 3),
        f"gain over {Path(base).name}": round(100 * float(difference.mean()), 3),
        "its error": round(100 * float(difference.std() / n**0.5), 3),
        "games/s a core": round(n / max(1e-9, seconds_used[line, player])),
    }
