"""The benchmark table: Sapper beside other programs and beside plain Python, in one run.

`make bench` runs it and writes docs/benchmarks.md. Both sides of a row are measured in turn, best
of a few, in CPU time of one thread: on a busy machine ratios of one run are reliable, seconds are
not. The rows of a program that is not installed are left out, and the page says so.
"""

from __future__ import annotations

import platform
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import bench_no_guess
from tests.oracle import naive
from tests.stuck_positions import play_human, stuck_positions

import sapper
from sapper.kernels import STATUS
from sapper.solvers.human import HumanSolver, solve_compiled

try:
    import ms_toollib
except ImportError:
    ms_toollib = None

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """A row of the table: seconds per item by Sapper and by another program, and what it is for."""

    what: str
    ours: float
    theirs: float
    peer: str
    use: str

    @property
    def times(self) -> float:
        """How many times as fast Sapper is."""
        return self.theirs / self.ours


def seconds(*sides: tuple[int, Callable[[], object]]) -> list[float]:
    """Return the CPU seconds per item of each side; the sides take turns, best of ROUNDS."""
    best = [float("inf")] * len(sides)
    for _ in range(ROUNDS):
        for side, (count, work) in enumerate(sides):
            start = time.process_time()
            work()
            best[side] = min(best[side], (time.process_time() - start) / count)
    return best


def probabilities() -> Iterator[Row]:
    """Exact probabilities of Expert positions on which single numbers are stuck."""
    if ms_toollib is None:
        return
    positions = list(stuck_positions("expert", range(30)))[:400]
    grids = [np.where(one.marks < 0, 10, one.marks).reshape(16, 30).tolist() for one in positions]
    shuffled = random.Random(1).sample(positions, len(positions))
    orders = ((positions, "in game order"), (shuffled, "shuffled"))
    analyse, peer = sapper.analyse, ms_toollib.cal_probability_onboard
    works = [lambda: [peer(grid, 99) for grid in grids]]
    for some, _ in orders:
        works.append(lambda some=some: [one.probability_array for one in sapper.analyse_many(some)])
        works.append(lambda some=some: [analyse(one).probability_array for one in some])
    theirs, *ours = seconds(*((len(positions), work) for work in works))
    uses = (("in a batch", "training data, studies"), ("by itself", "a page that answers at once"))
    names = [(f"{way}, {order}", use) for _, order in orders for way, use in uses]
    for (name, use), seconds_each in zip(names, ours, strict=True):
        what = f"probabilities of an Expert position, {name}"
        yield Row(what, seconds_each, theirs, "ms-toollib", use)


def games() -> Iterator[Row]:
    """Whole Expert games by least probability, beside a loop over the peer with the same wins."""
    if ms_toollib is None:
        return
    from bench_games import our_rate, peer_rate

    for rule, first in (("safe", "r1c1"), ("zero", "r8c15")):
        rules = sapper.Rules.parse("expert", rule=rule)
        ours, theirs = 0.0, 0.0
        for _ in range(ROUNDS):
            ours = max(ours, our_rate(rules, first, 4_000))
            theirs = max(theirs, peer_rate(rules, first, 20)[0])
        what = f"an Expert game by `careful`, {rule}"
        yield Row(
            what, 1 / ours, 1 / theirs, "ms-toollib loop", "win rates with error bars in seconds"
        )


def no_guess() -> Iterator[Row]:
    """No-guess boards, all of them equally likely."""
    for size, count, fewer in (("16x16/40", 1_000, 50), ("30x16/99", 200, 10)):
        (ours,) = seconds((count, lambda s=size, n=count: bench_no_guess.boards(s, n, "rejection")))
        what = f"a no-guess board {size}"
        if bench_no_guess.SGT is not None:
            theirs = min(bench_no_guess.sgt_mines(size, 4 * fewer) for _ in range(ROUNDS))
            yield Row(what, ours, theirs, "sgt-mines", "generating on the first click")
        if ms_toollib is not None:
            yield Row(what, ours, bench_no_guess.ms_toollib(size, fewer), "ms-toollib", "the same")


def references() -> Iterator[Row]:
    """Kernels beside the plain Python that the tests compare them with."""
    rules = sapper.Rules.parse("expert")
    without_mines = set(rules.mine_free_cells(rules.board.middle))
    ours, theirs = seconds(
        (5_000, lambda: [sapper.generate(rules, seed) for seed in range(5_000)]),
        (50, lambda: [naive.random_mines(480, without_mines, 99, seed) for seed in range(50)]),
    )
    yield Row("an Expert layout", ours, theirs, "plain Python", "the same layouts on every machine")
    position = play_human(sapper.generate("100x100/1200", 1).layout).without_flags()
    ours, theirs = seconds(
        (20, lambda: [solve_compiled(position) for _ in range(20)]),
        (1, lambda: HumanSolver(position).moves()),
    )
    use = "boards of a million cells"
    yield Row("strategies 1 to 7 on 100x100", ours, theirs, "the readable solver", use)


def players() -> list[tuple[str, float]]:
    """Return the seconds that each compiled player takes for an Expert game."""
    names = [
        row.name
        for row in sapper.PLAYERS.values()
        if row.name not in ("human", "hybrid", "patient")
    ]
    counts = {"random": 20_000, "careful": 4_000}
    sides = [
        (n := counts.get(name, 300), lambda name=name, n=n: sapper.play_many("expert", name, n, 1))
        for name in names
    ]
    return list(zip(names, seconds(*sides), strict=True))


def table(rows: list[Row]) -> str:
    """Return the rows as Markdown."""
    lines = ["| what | Sapper | beside | it takes | times as fast | good for |"]
    lines.append("| --- | ---: | --- | ---: | ---: | --- |")
    for row in rows:
        lines.append(
            f"| {row.what} | {_time(row.ours)} | {row.peer} | {_time(row.theirs)} "
            f"| {row.times:,.0f} | {row.use} |"
        )
    return "\n".join(lines)


def _time(spent: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if spent >= size:
            return f"{spent / size:,.3g} {unit}"
    return f"{spent / 1e-6:,.3g} us"


def conditions() -> str:
    """Return the machine, versions and seeds as text."""
    found = []
    for name in ("numpy", "ms_toollib"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    found.append("sgt-mines of the system" if bench_no_guess.SGT else "no sgt-mines")
    model = next(
        (
            line.partition(":")[2].strip()
            for line in _lines("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.processor() or platform.machine(),
    )
    return (
        f"Sapper {sapper.__version__}, kernels {STATUS}; Python {platform.python_version()}, "
        f"{', '.join(found)}; {model}, {platform.system()}; {time.strftime('%Y-%m-%d')}. "
        "Layouts of the seeds from 0 or 1 up, no-guess boards from 10^9."
    )


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def page(rows: list[Row], rates: list[tuple[str, float]]) -> str:
    """Return the whole of docs/benchmarks.md."""
    careful = dict(rates)["careful"]
    lines = "\n".join(
        f"| `{name}` | {1 / spent:,.0f} | {careful / spent:.3g} |" for name, spent in rates
    )
    return f"""# How fast it is

Written by `make bench`: one run, one thread, CPU time, each side in turn and best of {ROUNDS}.
Trust the ratios; the times themselves are those of one machine, which may have been busy.
{conditions()}

{table(rows)}

The peers answer the same questions on the same positions, given in their own form beforehand.
ms-toollib is a library in Rust; sgt-mines is the generator of Simon Tatham's puzzles, in C, whose
boards are not equally likely. The loop over ms-toollib wins exactly the games that `careful` wins.

## Players

Expert games a second of one thread, the first click in the middle and promised to open an area;
the last column is the same as a share of `careful`.

| player | games a second | of `careful` |
| --- | ---: | ---: |
{lines}

`make bench PART=games` prints the benchmark of one part: growth with the board, memory, threads,
the page under load, the lab's runners.
"""


def main() -> None:
    """Measure, print the page, and write it to the docs."""
    rows = [row for part in (probabilities, games, no_guess, references) for row in part()]
    text = page(rows, players())
    print(text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
