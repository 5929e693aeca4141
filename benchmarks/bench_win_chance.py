"""The win chance of an Expert position in the middle of a game, on one and on two threads."""

from __future__ import annotations

from benchmarks.measure import compare_threads, cpu_seconds

import sapper
from sapper.games.win_chance import refine_win_chance

SAMPLES = 1_000
ROUNDS = 5


def summary() -> str:
    """Measure, and return the results as sentences."""
    game = sapper.Game.new("expert", seed=3)
    steps = list(sapper.watch(game, player="careful", first="r8c15"))
    position = steps[len(steps) // 2].position.without_flags()

    def estimate(threads: int) -> object:
        return sapper.win_chance(position, player="learned", samples=SAMPLES, threads=threads)

    spent = cpu_seconds(lambda: estimate(1), ROUNDS)
    first = cpu_seconds(lambda: next(refine_win_chance(position, player="learned")), ROUNDS)
    return (
        f"The win chance of an Expert position in the middle of a game by {SAMPLES:,} samples\n"
        f"takes {spent:.2f} s of CPU time; the first estimate of a stream, {1000 * first:.0f} ms.\n"
        f"{compare_threads(estimate).capitalize()}."
    )


if __name__ == "__main__":
    print(summary())
