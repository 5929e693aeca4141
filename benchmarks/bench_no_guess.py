"""No-guess boards per second, compared with Debian's sgt-mines and ms-toollib in one run.

Run by `make bench PART=no_guess`. Measures CPU seconds on one core and leaves out
programs that are not installed, then estimates the share of random layouts that need no guess.
"""

import math
import shutil
import subprocess

import numpy as np
from benchmarks.measure import child_cpu_seconds, cpu_seconds

from sapper import Layout, Rules
from sapper.engine.budget import Budget
from sapper.generators.no_guess import NoGuessOptions, no_guess_layouts
from sapper.generators.no_guess_search import NoGuessSearch

SGT = shutil.which("sgt-mines", path="/usr/games:/usr/bin:/usr/local/bin")
FIRST_SEED = 10**9


def boards(size: str, count: int, method: str | None = None) -> list[Layout]:
    """Generate *count* boards of a size, from seeds that nothing else uses."""
    seeds = range(FIRST_SEED, FIRST_SEED + count)
    options = NoGuessOptions(method=method)
    return [board.layout for board in no_guess_layouts(Rules.parse(size), seeds, options=options)]


def sgt_mines(size: str, count: int) -> float:
    """Return the CPU seconds per board of Debian's sgt-mines, whose boards are biased."""
    assert SGT is not None
    command = [SGT, "--generate", str(count), size.replace("/", "n")]
    return child_cpu_seconds(lambda: subprocess.check_output(command)) / count


def ms_toollib(size: str, count: int) -> float | None:
    """Return the CPU seconds per board of ms-toollib, which does not use the mine count."""
    try:
        import ms_toollib
    except ImportError:
        return None
    rules = Rules.parse(size)
    width, height = rules.board.size
    row, column, attempts = (height - 1) // 2, (width - 1) // 2, 1_000_000
    arguments = height, width, rules.mines, row, column, attempts
    seconds = cpu_seconds(lambda: [ms_toollib.laymine_solvable(*arguments) for _ in range(count)])
    return seconds / count


def print_speeds() -> None:
    """Print the boards per second of Sapper and of the other programs."""
    print("boards per second, one core   sapper  sgt-mines  ratio  ms-toollib  ratio")
    for size, count, sgt_count, toollib_count in (
        ("9x9/10", 20_000, 2_000, 1_000),
        ("16x16/40", 4_000, 400, 100),
        ("30x16/99", 1_000, 200, 30),
    ):
        seconds = cpu_seconds(lambda size=size, n=count: boards(size, n, "rejection")) / count
        row = f"{size:28} {1 / seconds:8,.0f}"
        if SGT is not None:
            peer = sgt_mines(size, sgt_count)
            row += f"  {1 / peer:9,.0f} {peer / seconds:6.1f}"
        peer = ms_toollib(size, toollib_count)
        if peer is not None:
            row += f"  {1 / peer:10,.0f} {peer / seconds:6.1f}"
        print(row)
    for size, method, count in (
        ("30x16/130", None, 40),
        ("30x16/150", "swaps", 20),
        ("30x16/150", "chain", 20),
        ("30x16/200", "chain", 5),
        ("50x50/500", None, 20),
        ("50x50/500", "chain", 10),
    ):
        seconds = cpu_seconds(lambda size=size, m=method, n=count: boards(size, n, m)) / count
        print(f"{size}, method {method or 'default'}: {1000 * seconds:.0f} ms per board")


def no_guess_share(
    size: str, difficulty: str, games: int, first: str | None
) -> tuple[float, float]:
    """Return the share of layouts that need no guess, and its standard error.

    The first click is random if *first* is None; *difficulty* limits the steps.
    """
    rules = Rules.parse(size)
    rng = np.random.default_rng(7)
    solved = tried = 0
    while tried < games:
        cell = int(rng.integers(len(rules.board))) if first is None else rules.board.cell(first)
        limit = Budget(seconds=600).start()
        search = NoGuessSearch(rules, cell, difficulty, limit)
        search.restart(FIRST_SEED + tried, limit)
        max_draws = 1 if first is None else games - tried
        solved += search.draw(max_draws)
        tried += search.drawn
    p = solved / tried
    return p, math.sqrt(p * (1 - p) / tried)


def print_shares() -> None:
    """Print shares to compare with the published 0.153 and 0.102 (Expert, random first click)."""
    for size, first in (("30x16/99", None), ("30x16/99", "r8c15"), ("16x16/40", None)):
        for difficulty, evidence in (
            ("count", "with the count"),
            ("four", "from the numbers alone"),
        ):
            p, error = no_guess_share(size, difficulty, 20_000, first)
            print(f"{size}, first click {first or 'anywhere'}, {evidence}: {p:.4f} +- {error:.4f}")


if __name__ == "__main__":
    print_speeds()
    print_shares()
