"""What roll-outs are worth a game, without counting wins.

The player that makes the first choices plays the games. Wherever roll-outs would choose another
cell, fresh samples, which had no part in that choice, value both cells. The gains of a game add
up to what the roll-outs are worth to first order: on the positions that the first player comes to,
with the inner player from the next guess on. Won and lost games would need a hundred times as many
to show the same.

    python benchmarks/advantage.py expert --rule zero --first r4c4 --games 200 --set samples=400
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from time import process_time
from typing import Any

import numpy as np

from sapper.engine.budget import MOST_SECONDS, Budget, Cancel
from sapper.games.batch import Arena
from sapper.games.campaign import Campaign
from sapper.kernels.codes import ANSWERED
from sapper.players.patient_settings import PatientSettings
from sapper.players.patient_state import make_rollout_state
from sapper.players.registry import PLAYERS
from sapper.players.rollouts import compare_by_rollouts, value

INTERIORS = (0, 5, 15, 40, 90, 150, 350, 450, 10**6)
"""Where the gains are told apart: the interior at the guess."""
FRESH = 0x6A75646765
"""The seed of the samples that judge; those that choose have another."""


@dataclass
class Judged:
    """A guess at which roll-outs chose another cell."""

    interior: int
    gain: float
    error: float
    riskier: float
    """By how much its probabilities of a mine are higher."""


@dataclass
class Counted:
    """What was met in one game."""

    thought_over: int = 0
    changed: list[Judged] = field(default_factory=list)


class ShrewdGuesser(Arena):
    """Games of the first player; roll-outs are asked at every guess, and judged."""

    def __init__(self, campaign: Campaign, fresh: int, judge: str):
        super().__init__(campaign, PLAYERS.find(campaign.player).twin)
        self._fresh = fresh
        self._judge = make_rollout_state(
            campaign.rules.board, self._patience.but([("inner", judge)])
        )
        self.counted = Counted()

    def _run_rollouts(self, cancel: Cancel) -> None:
        memory, patience = self._memory, self._patience
        memory.phase |= ANSWERED
        limit = Budget(seconds=MOST_SECONDS).start(cancel)
        thoughtful_state, marks = memory.thoughtful_state, np.asarray(memory.marks)
        self.counted.thought_over += 1
        first = int(thoughtful_state.chosen)
        found = compare_by_rollouts(self._rollout, thoughtful_state, marks, patience, limit)
        if found is None or (other := found.winner(patience.gate)) == first:
            return
        fair = value(
            self._judge, thoughtful_state, marks, [first, other], self._fresh, FRESH, limit
        )
        if fair is not None:
            gain, error = fair.lead(1, 0)
            known = np.asarray(thoughtful_state.p.know) == 0
            interior = int((known & (np.asarray(thoughtful_state.near_number) == 0)).sum())
            riskier = fair.probabilities[1] - fair.probabilities[0]
            self.counted.changed.append(Judged(interior, gain, error, riskier))


def measure(campaign: Campaign, fresh: int, judge: str) -> dict[str, Any]:
    """Play the games and add up."""
    arena, games = ShrewdGuesser(campaign, fresh, judge), []
    started = process_time()
    for seed in campaign.seeds:
        arena.counted = Counted()
        arena.play(range(seed, seed + 1), Cancel())
        games.append(arena.counted)
    seconds = process_time() - started
    sums = np.array([sum(one.gain for one in game.changed) for game in games])
    changed = [one for game in games for one in game.changed]
    return {
        "games": len(games),
        "thought_over": sum(game.thought_over for game in games),
        "changed": len(changed),
        "gain": 100 * float(sums.mean()),
        "error": 100 * float(sums.std(ddof=1)) / sqrt(len(games)),
        "by_interior": {
            f"{low}-{high - 1}": [len(some), 100 * sum(some) / len(games)]
            for low, high in pairwise(INTERIORS)
            if (some := [one.gain for one in changed if low <= one.interior < high])
        },
        "seconds": seconds,
    }


def main() -> None:
    """Print the gain a game in points of the win rate, with one standard error."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("size")
    parser.add_argument("--player", default="patient")
    parser.add_argument("--rule", default="zero")
    parser.add_argument("--first")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=10**9)
    parser.add_argument("--fresh", type=int, default=1000, help="samples that judge a change")
    parser.add_argument("--judge", default="careful", help="who plays on in them")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    pairs = (text.partition("=") for text in asked.set)
    usual = PatientSettings()
    settings = {
        name: text if type(getattr(usual, name, 0)) is str else json.loads(text)
        for name, _, text in pairs
    }
    campaign = Campaign.of(
        *(asked.size, asked.player, asked.games, asked.seed, asked.rule, asked.first),
        settings=settings,
    )
    found = measure(campaign, asked.fresh, asked.judge)
    print(
        f"{campaign}: {found['gain']:+.3f} +- {found['error']:.3f} points a game; "
        f"{found['changed']} of {found['thought_over']} guesses changed "
        f"in {found['games']} games, {found['seconds'] / found['games']:.3f} s a game; "
        f"by interior {json.dumps(found['by_interior'])}"
    )


if __name__ == "__main__":
    main()
