"""Whole games by a fitted network, paired with other players on the same deals, on all cores."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from sapper.engine.budget import Cancel
from sapper.games.batch import Arena
from sapper.games.campaign import Campaign
from sapper.kernels.codes import LEARNED
from sapper.kernels.games import whole_games as kernel
from sapper.players.learned_settings import LearnedSettings
from sapper.players.learned_state import make_learned_state
from sapper.players.networks import Weights, read_weights, risk_only
from sapper.players.patches import patch_of
from sapper.players.registry import PLAYERS

# Neither those of training nor those that results are published on.
FIRST_SEED = 9 * 10**15
PIECE = 250
LINES = (
    ("30x16/99", "safe", "r1c1"),
    ("30x16/99", "zero", "r4c4"),
    ("16x16/40", "safe", "r1c1"),
    ("9x9/10", "safe", "r1c1"),
)


class OwnArena(Arena):
    """Games by `learned` with a network that is not in the package."""

    def __init__(self, campaign: Campaign, weights: Weights, images: int):
        self._weights, self._images = weights, images
        super().__init__(campaign, LEARNED)

    def _attach_learner(self, memory: kernel.Arena) -> None:
        memory.learned_state = make_learned_state(
            *(self._rules.board, self._weights, LearnedSettings(), memory.tracked, self._images)
        )


@dataclass(frozen=True)
class Task:
    """Some games of a line by one player: a file of weights, 'least probability', or a name."""

    line: tuple[str, str, str]
    who: str
    tiling: str
    seeds: tuple[int, int]
    images: int = 1


def play(task: Task) -> tuple[Task, Any, float]:
    """Return the games of a task: won or not, and the processor time that they took."""
    size, rule, first = task.line
    own = task.who == "least probability" or "." in task.who
    name = "learned" if own else task.who
    start, games = task.seeds
    campaign = Campaign.of(size, name, games, start, rule, first, tiling=task.tiling)
    if task.who == "least probability":
        seat: Any = OwnArena(campaign, risk_only(task.tiling, patch_of(task.tiling).slots), 1)
    elif own:
        seat = OwnArena(campaign, read_weights(Path(task.who)), task.images)
    else:
        seat = Arena(campaign, PLAYERS.find(name).twin or 0)
    started = time.process_time()
    rows = seat.play(campaign.seeds, Cancel())
    return task, rows[:, 0].astype(np.int8), time.process_time() - started


def check(
    players: list[str],
    seconds: float,
    workers: int,
    tiling: str = "square",
    lines: tuple[tuple[str, str, str], ...] = LINES,
    images: int = 1,
    most: int = 10**6,
    seed: int = FIRST_SEED,
) -> list[dict[str, Any]]:
    """Play all lines by all players until the time is up; a row of results for each pair.

    The first player is the one that the others are compared with; *images* are for the last.
    """
    deadline = time.monotonic() + seconds
    won: dict[tuple[Any, str], list[Any]] = {}
    took: dict[tuple[Any, str], float] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        piece = 0
        # One wave at least: without it there is nothing to tell.
        while piece == 0 or (time.monotonic() < deadline and piece * PIECE < most):
            # A wave keeps every worker busy and gives all players the same deals.
            wave = [
                Task(
                    *(line, who, tiling, (seed + (piece + i) * PIECE, PIECE)),
                    images=images if who == players[-1] else 1,
                )
                for i in range(max(1, workers // 2))
                for line in lines
                for who in players
            ]
            for task, rows, spent in pool.map(play, wave):
                key = task.line, task.who
                won.setdefault(key, []).append(rows)
                took[key] = took.get(key, 0.0) + spent
            piece += max(1, workers // 2)
    return [_told(line, who, players[0], won, took) for line in lines for who in players]


def _told(line: Any, who: str, base: str, won: Any, took: Any) -> dict[str, Any]:
    ours, theirs = (np.concatenate(won[line, name]).astype(float) for name in (who, base))
    n = len(ours)
    difference = ours - theirs
    return {
        "line": " ".join(line),
        "player": Path(who).name,
        "games": n,
        "won %": round(100 * float(ours.mean()), 3),
        "error": round(100 * float(ours.std() / n**0.5), 3),
        f"gain over {Path(base).name}": round(100 * float(difference.mean()), 3),
        "its error": round(100 * float(difference.std() / n**0.5), 3),
        "games/s a core": round(n / max(1e-9, took[line, who])),
    }
