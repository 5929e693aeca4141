"""Exact probabilities beside ms-toollib on the same positions; growth, hard positions, threads.

Run by `make bench PART=probabilities`.
Ratios of one run count, not seconds: the machine may be busy.
"""

import time
from collections.abc import Callable

import numpy as np
from benchmarks.measure import compare_threads, cpu_seconds, seconds_in_turn
from tests.stuck_positions import opened_position, patterned_position, stuck_positions

from sapper import OutOfBudget, Position, analyse, analyse_many
from sapper.board.board import Ints
from sapper.kernels import STATUS

POSITIONS = 400
"""The positions of a round."""


def compare_with_toollib(rounds: int) -> list[tuple[str, float, float]]:
    """Compare with ms-toollib on Expert positions on which single numbers find no move.

    Return each way to call Sapper, its CPU seconds for a position, and those of ms-toollib. No
    position was analysed before: they are shuffled, or in game order, where neighbouring positions
    have much in common. Sapper makes each from an array; ms-toollib gets lists of lists.
    """
    import ms_toollib

    needed = POSITIONS * rounds
    positions = list(stuck_positions("expert", range(150 * rounds)))
    board, marks = positions[0].board, np.array([position.marks for position in positions])
    shuffled = np.random.default_rng(1).permutation(marks[: 3 * needed])
    grids = np.where(shuffled < 0, 10, shuffled).reshape(-1, 16, 30)
    shuffled_chunks, grid_chunks, ordered_chunks = (
        iter(np.split(items, len(items) // POSITIONS))
        for items in (shuffled[needed:], grids[:needed], marks[3 * needed : 5 * needed])
    )
    grid_lists = iter([chunk.tolist() for chunk in grid_chunks])

    def one_by_one(chunk: Ints) -> None:
        for marks in chunk:
            _ = analyse(Position(board, marks, 99)).probability_array

    def in_a_batch(chunk: Ints) -> None:
        for analysis in analyse_many([Position(board, marks, 99) for marks in chunk]):
            _ = analysis.probability_array

    def by_toollib(grids: list[list[list[int]]]) -> None:
        for grid in grids:
            ms_toollib.cal_probability_onboard(grid, 99)

    sides: dict[str, Callable[[], object]] = {
        "by itself, shuffled": lambda: one_by_one(next(shuffled_chunks)),
        "in a batch, shuffled": lambda: in_a_batch(next(shuffled_chunks)),
        "by itself, in game order": lambda: one_by_one(next(ordered_chunks)),
        "in a batch, in game order": lambda: in_a_batch(next(ordered_chunks)),
        "ms-toollib": lambda: by_toollib(next(grid_lists)),
    }
    *times, peer = seconds_in_turn(rounds, *((POSITIONS, work) for work in sides.values()))
    return [(name, each, peer) for name, each in zip(sides, times, strict=False)]


def print_comparison() -> None:
    """Print the comparison with ms-toollib."""
    print("Expert positions without a move by single numbers, CPU time of each")
    for name, each, peer in compare_with_toollib(rounds=5):
        print(
            f"  {name:26} {1e6 * each:6.1f} us, ms-toollib {1e6 * peer:6.1f} us: "
            f"{peer / each:5.1f} times as fast"
        )


def print_growth() -> None:
    """Print the time on big boards at 20%, opened in several places and stuck."""
    print("growth at 20 % mines: first call, best of three, best per number on the frontier")
    for side in (100, 200, 500, 1000):
        position = opened_position(side, side, 0.2, side * side // 1000, seed=1)
        first = 1e6 * cpu_seconds(lambda p=position: analyse(p))
        best = 1e6 * cpu_seconds(lambda p=position: analyse(p), 3)
        numbers = len(position.frontier_numbers)
        print(
            f"  {side}x{side}  {first / 1e3:8.2f} ms {best / 1e3:8.2f} ms "
            f"{best / numbers:7.3f} us a number ({numbers} numbers)"
        )


def print_hard_positions() -> None:
    """Print the time on positions with many open numbers at once."""
    print("hard positions, CPU seconds")
    for pattern, side, share in (
        ("checkerboard", 30, 0.35),
        ("random", 60, 0.30),
        ("lattice", 19, 0.30),
        ("lattice", 21, 0.30),
        ("lattice", 25, 0.30),
        ("lattice", 41, 0.30),
    ):
        position = patterned_position(pattern, side, share)
        start = time.thread_time()
        try:
            analyse(position)
            note = ""
        except OutOfBudget as error:
            note = f"  refused: {error}"
        print(f"  {pattern} {side}x{side}  {time.thread_time() - start:6.2f} s{note}")


if __name__ == "__main__":
    print(f"kernels {STATUS}")
    print_comparison()
    print_growth()
    print_hard_positions()
    many = list(stuck_positions("expert", range(100))) * 10
    print(compare_threads(lambda threads: analyse_many(many, threads=threads)))
