"""One-click boards: a million cells by command, the game's check of them, growth, counts.

Run by `make bench-details`.
Times are CPU seconds, best of five, unless said otherwise.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sapper import Layout, one_click, tiling
from sapper.generators.one_click.boards import is_one_click, one_click_counts
from sapper.generators.one_click.staircases import backtrack, cases, closed

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data" / "code_jam"
SAPPER = [sys.executable, "-m", "sapper", "one-click"]


def cpu_of_command(*arguments: str) -> float:
    """A command's CPU seconds, start-up included."""
    best = 1e9
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*SAPPER, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, spent)
    return best


def cpu_of(call: Callable[[], object], times: int = 5) -> float:
    """A call's CPU seconds in this process."""
    best = 1e9
    for _ in range(times):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def commands() -> None:
    """What a user waits for."""
    print(f"1000x1000/500000, closed, printed: {cpu_of_command('1000', '1000', '500000'):.2f} s")
    for size in ("small", "large"):
        path = DATA / f"minesweeper_master_{size}.in"
        print(f"official {size} input: {cpu_of_command('--batch', str(path)):.2f} s")


def check_by_the_game() -> None:
    """The flood fill on a million cells, as the game plays it."""
    board = tiling("square", 1000, 1000)
    for mines in (0, 500_000, 999_000):
        made = one_click(board, mines).layout
        assert made is not None
        # A new layout each time: one that was checked knows its numbers.
        spent = cpu_of(lambda made=made: is_one_click(Layout(board, made.mines, made.click)))
        print(f"check of 1000x1000/{mines}: {spent:.3f} s")
    spent = cpu_of(lambda: one_click(board, 500_000, seed=1))
    print(f"varied 1000x1000/500000: {spent:.3f} s")


def methods() -> None:
    """Each way on 50x50, all numbers of mines."""
    for way in (closed, cases, backtrack):
        spent = cpu_of(lambda way=way: [way(50, 50, empty) for empty in range(2501)])
        print(f"{way.__name__}: {spent / 2501 * 1e6:.1f} us a board of 50x50, mean over all mines")


def counts() -> None:
    """The kernel's count of every layout, and how much faster than its twin it is."""
    sys.path.insert(0, str(ROOT))
    from tests.oracle import naive

    spent = cpu_of(lambda: one_click_counts(tiling("square", 5, 5)), times=2)
    print(f"all 2^25 layouts of 5x5 tried: {spent:.1f} s")
    small = tiling("square", 4, 3)
    ratio = cpu_of(lambda: naive.one_click_counts(small), 1) / cpu_of(
        lambda: one_click_counts(small)
    )
    print(f"count of 4x3: {ratio:.0f} times as fast as the plain twin")


if __name__ == "__main__":
    commands()
    check_by_the_game()
    methods()
    counts()
    print(time.strftime("measured on %Y-%m-%d"))
