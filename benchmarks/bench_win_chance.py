"""The win chance of an Expert position in the middle of a game, on one and on two threads."""

from __future__ import annotations

import time

import sapper
from sapper.games.win_chance import refine_win_chance

SAMPLES = 1_000
ROUNDS = 5


def position() -> sapper.Position:
    """Return a position after half of the moves that need no guess."""
    game = sapper.Game.new("expert", seed=3, first="r8c15")
    moves = list(sapper.watch(sapper.Game.new("expert", seed=3), player="careful", first=224))
    for step in moves[: len(moves) // 2]:
        if game.position.marks[step.move.cell] < 0 and step.move.action == "reveal":
            game.play(step.move)
    return game.position


def seconds(position: sapper.Position, threads: int) -> tuple[float, float]:
    """Return wall-clock and CPU seconds of an estimate of SAMPLES samples, the best of ROUNDS."""
    best = float("inf"), float("inf")
    for _ in range(ROUNDS):
        start, cpu = time.perf_counter(), time.process_time()
        sapper.win_chance(position, player="learned", samples=SAMPLES, threads=threads)
        spent = time.perf_counter() - start, time.process_time() - cpu
        best = min(best[0], spent[0]), min(best[1], spent[1])
    return best


def first_estimate(position: sapper.Position) -> float:
    """Return the CPU seconds until the first estimate of a stream, the best of ROUNDS."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        next(refine_win_chance(position, player="learned"))
        best = min(best, time.process_time() - start)
    return best


def summary() -> str:
    """Measure, and return the results as a sentence."""
    middle = position()
    (one, cpu), (two, _) = seconds(middle, 1), seconds(middle, 2)
    first = first_estimate(middle)
    return (
        f"The win chance of an Expert position in the middle of a game by {SAMPLES:,} samples "
        f"takes {cpu:.2f} s of CPU time on one thread; two threads are {one / two:.1f} times as "
        f"fast. The first estimate of a stream takes {1000 * first:.0f} ms."
    )


if __name__ == "__main__":
    print(summary())
