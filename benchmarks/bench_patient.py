"""How well `patient` keeps to its seconds: the clock time of its guesses over what it was given.

Positions are those at which `shrewd` guesses in Expert games; a guess that was decided before its
time was up is counted apart.

    python benchmarks/bench_patient.py --seconds 0.1 0.5 2 --guesses 20
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import monotonic

import numpy as np

from sapper.board.position import Position
from sapper.engine.budget import Cancel
from sapper.games.batch import Arena
from sapper.games.campaign import Campaign
from sapper.kernels.codes import ANSWERED
from sapper.players.patient import PatientGuesser
from sapper.players.patient_settings import PatientSettings
from sapper.players.registry import PLAYERS

SEED = 3 * 10**9
DECIDED = 0.9
"""A guess that took less of its time than this was decided before."""


class Noting(Arena):
    """Games of `shrewd` that note the positions which `patient` would think over."""

    def __init__(self, campaign: Campaign):
        super().__init__(campaign, PLAYERS.find("patient").twin or 0)
        self.positions: list[Position] = []

    def _run_rollouts(self, cancel: Cancel) -> None:
        self._memory.phase |= ANSWERED
        marks = np.asarray(self._memory.marks).copy()
        self.positions.append(Position(self._rules.board, marks, self._rules.mines))


def positions(size: str, rule: str, first: str) -> Iterator[Position]:
    """Positions of games that are thought over, game after game."""
    seed = SEED
    while True:
        arena = Noting(Campaign.of(size, "patient", 1, seed, rule, first))
        arena.play(range(seed, seed + 1), Cancel())
        yield from arena.positions
        seed += 1


def measure(seconds: float, guesses: int, size: str, rule: str, first: str) -> None:
    """Print the ratios for one budget."""
    guesser = PatientGuesser(PatientSettings(seconds=seconds))
    source = positions(size, rule, first)
    # The first guess makes room, which later ones use again.
    guesser.guess(next(source))
    ratios: list[float] = []
    decided = 0
    while len(ratios) < guesses and decided < 10 * guesses:
        position = next(source)
        started = monotonic()
        guesser.guess(position)
        ratio = (monotonic() - started) / seconds
        if ratio < DECIDED:
            decided += 1
        else:
            ratios.append(ratio)
    print(
        f"{size} {rule}, {seconds:g} s: {len(ratios)} guesses took {np.mean(ratios):.3f} of it, "
        f"{min(ratios):.3f} to {max(ratios):.3f}; {decided} were decided before"
    )


def main() -> None:
    """Measure each budget that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default="30x16/99")
    parser.add_argument("--rule", default="zero")
    parser.add_argument("--first", default="r4c4")
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1, 0.5, 2.0])
    parser.add_argument("--guesses", type=int, default=20)
    asked = parser.parse_args()
    for seconds in asked.seconds:
        measure(seconds, asked.guesses, asked.size, asked.rule, asked.first)


if __name__ == "__main__":
    main()
