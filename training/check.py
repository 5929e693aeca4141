"""Compare players on the same layouts, in parallel processes: fitted networks and others."""

from __future__ import annotations

import json
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from sapper.board.board import Board
from sapper.board.rules import Rules
from sapper.engine.budget import Cancel
from sapper.games.batch import GameRunner, make_runner
from sapper.kernels.players.learned import LearnedState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.learned import LearnedSettings, make_learned_state
from sapper.players.networks import Weights, patch_of
from sapper.players.player import Compiled, Player
from sapper.players.registry import PLAYERS
from training.weights import read_weights, risk_only

# Distinct from the seeds of training and of published results.
FIRST_SEED = 9 * 10**15
GAMES_PER_TASK = 100
# Tasks that wait or run for each worker, so that none is idle.
TASKS_PER_WORKER = 2
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
class PlayerSpec:
    """A player to compare: a file of weights, 'least probability', or a name with settings.

    Settings follow the name: `patient:samples=200,interior=100`.
    """

    name: str
    tiling: str = "square"
    images: int = 1
    """Symmetries over which a network is averaged."""


@dataclass(frozen=True)
class Task:
    """Games of one line by all players."""

    line: Line
    specs: tuple[PlayerSpec, ...]
    seeds: range


def learned_with(weights: Weights, images: int) -> Player:
    """Return `learned` with a network that is not in the package."""

    def make(board: Board, settings: LearnedSettings, tracked: TrackedPosition) -> LearnedState:
        return make_learned_state(board, weights, settings, tracked, images)

    return replace(PLAYERS["learned"], compiled=Compiled(make_guesser=make))


def make_player(spec: PlayerSpec) -> Player:
    """Return the player with its settings."""
    name, _, settings = spec.name.partition(":")
    pairs = (setting.split("=") for setting in settings.split(",") if setting)
    if name == LEAST_PROBABILITY:
        return learned_with(risk_only(spec.tiling, patch_of(spec.tiling).slots), 1)
    if "." in name:
        return learned_with(read_weights(Path(name)), spec.images)
    return PLAYERS.find(name).with_settings({key: _value(value) for key, value in pairs})


def _value(text: str) -> Any:
    """Return the value of a setting: a JSON value, else text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


@cache
def _runner(line: Line, spec: PlayerSpec) -> GameRunner:
    size, rule, first = line
    player = make_player(spec)
    rules = Rules.of(size, spec.tiling, rule)
    return make_runner(rules, rules.first_cell(first), player)


def play(task: Task) -> tuple[Task, Any, Any]:
    """Play the games of a task; return for each player which were won, and the CPU seconds."""
    won, seconds = [], []
    for spec in task.specs:
        runner = _runner(task.line, spec)
        started = time.process_time()
        rows = runner.play(task.seeds, Cancel())
        seconds.append(time.process_time() - started)
        won.append(rows[:, 0] > 0)
    return task, np.array(won), np.array(seconds)


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
    specs = tuple(
        PlayerSpec(name, tiling, images if name == players[-1] else 1) for name in players
    )
    deadline = time.monotonic() + seconds
    won: dict[Line, list[Any]] = {line: [] for line in lines}
    used = {line: np.zeros(len(players)) for line in lines}
    running: deque[Future[Any]] = deque()

    def collect() -> None:
        task, games, spent = running.popleft().result()
        won[task.line].append(games)
        used[task.line] += spent

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        # At least one task for each line, so that there is a result.
        for start in range(seed, seed + max_games, GAMES_PER_TASK):
            for line in lines:
                seeds = range(start, start + GAMES_PER_TASK)
                running.append(pool.submit(play, Task(line, specs, seeds)))
                if len(running) >= TASKS_PER_WORKER * workers:
                    collect()
            if time.monotonic() >= deadline:
                break
        while running:
            collect()
    return [
        _result(line, players[i], players[0], games[[0, i]], used[line][i])
        for line in lines
        for games in (np.concatenate(won[line], axis=1),)
        for i in range(len(players))
    ]


def _result(line: Line, player: str, base: str, won: Any, seconds: float) -> dict[str, Any]:
    base_won, own_won = won
    games = len(own_won)
    difference = own_won.astype(float) - base_won
    return {
        "line": " ".join(line),
        "player": _label(player),
        "base": _label(base),
        "games": games,
        "wins": int(own_won.sum()),
        "base wins": int(base_won.sum()),
        "only it won": int((own_won & ~base_won).sum()),
        "only base won": int((base_won & ~own_won).sum()),
        "won %": round(100 * float(own_won.mean()), 3),
        "error": round(100 * float(own_won.std()) / games**0.5, 3),
        "gain": round(100 * float(difference.mean()), 3),
        "gain error": round(100 * float(difference.std()) / games**0.5, 3),
        "seconds a game": round(float(seconds) / games, 5),
    }


def _label(player: str) -> str:
    """Return the name of a player, of a file without its folder."""
    return player if ":" in player else Path(player).name
