"""The benchmark table: Sapper beside other programs and beside plain Python, in one run.

`make bench` runs it and writes docs/benchmarks.md. Both sides of a row are measured in turn, best
of a few, in CPU time of one thread: on a busy machine ratios of one run are reliable, seconds are
not. The rows of a program that is not installed are left out, and the page says so.
"""

from __future__ import annotations

import platform
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks import bench_no_guess, bench_probabilities, bench_win_chance
from benchmarks.bench_games import peer_rate, sapper_rate
from benchmarks.measure import seconds_in_turn
from tests.oracle import naive
from tests.stuck_positions import play_human

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

    task: str
    sapper: float
    peer: float
    peer_name: str
    use: str


def probabilities() -> Iterator[Row]:
    """Exact probabilities of Expert positions on which single numbers are stuck."""
    if ms_toollib is None:
        return
    uses = {"in a batch": "training data, studies", "by itself": "a page that answers at once"}
    for name, each, peer in bench_probabilities.compare_with_toollib(ROUNDS):
        task = f"probabilities of an Expert position, {name}"
        use = next(use for start, use in uses.items() if name.startswith(start))
        yield Row(task, each, peer, "ms-toollib", use)


def games() -> Iterator[Row]:
    """Whole Expert games by least probability, beside a loop over the peer with the same wins."""
    if ms_toollib is None:
        return
    for rule, first in (("safe", "r1c1"), ("zero", "r8c15")):
        rules = sapper.Rules.parse("expert", rule=rule)
        rate, rate_of_peer = 0.0, 0.0
        for _ in range(ROUNDS):
            rate = max(rate, sapper_rate(rules, first, 4_000))
            rate_of_peer = max(rate_of_peer, peer_rate(rules, first, 20)[0])
        task, use = f"an Expert game by `careful`, {rule}", "win rates with error bars in seconds"
        yield Row(task, 1 / rate, 1 / rate_of_peer, "ms-toollib loop", use)


def no_guess() -> Iterator[Row]:
    """No-guess boards, all of them equally likely."""
    for size, count, peer_count in (("16x16/40", 1_000, 50), ("30x16/99", 200, 10)):
        (each,) = seconds_in_turn(
            ROUNDS, (count, lambda s=size, n=count: bench_no_guess.boards(s, n, "rejection"))
        )
        task = f"a no-guess board {size}"
        if bench_no_guess.SGT is not None:
            peer = min(bench_no_guess.sgt_mines(size, 4 * peer_count) for _ in range(ROUNDS))
            yield Row(task, each, peer, "sgt-mines", "generating on the first click")
        peer = bench_no_guess.ms_toollib(size, peer_count)
        if peer is not None:
            yield Row(task, each, peer, "ms-toollib", "the same")


def references() -> Iterator[Row]:
    """Kernels beside the plain Python that the tests compare them with."""
    rules = sapper.Rules.parse("expert")
    without_mines = set(rules.mine_free_cells(rules.board.middle))
    each, reference = seconds_in_turn(
        ROUNDS,
        (5_000, lambda: [sapper.generate(rules, seed) for seed in range(5_000)]),
        (50, lambda: [naive.random_mines(480, without_mines, 99, seed) for seed in range(50)]),
    )
    use = "the same layouts on every machine"
    yield Row("an Expert layout", each, reference, "plain Python", use)
    position = play_human(sapper.generate("100x100/1200", 1).layout).without_flags()
    each, reference = seconds_in_turn(
        ROUNDS,
        (20, lambda: [solve_compiled(position) for _ in range(20)]),
        (1, lambda: HumanSolver(position).moves()),
    )
    use = "boards of a million cells"
    yield Row("strategies 1 to 7 on 100x100", each, reference, "the readable solver", use)


def players() -> list[tuple[str, float]]:
    """Return the seconds that each compiled player takes for an Expert game."""
    names = [name for name in sapper.PLAYERS if name not in ("human", "hybrid", "patient")]
    counts = {"random": 20_000, "careful": 4_000}
    sides = [
        (n := counts.get(name, 300), lambda name=name, n=n: sapper.play_many("expert", name, n, 1))
        for name in names
    ]
    return list(zip(names, seconds_in_turn(ROUNDS, *sides), strict=True))


def table(rows: list[Row]) -> str:
    """Return the rows as Markdown."""
    lines = ["| what | Sapper | compared with | which takes | times as fast | useful for |"]
    lines.append("| --- | ---: | --- | ---: | ---: | --- |")
    for row in rows:
        lines.append(
            f"| {row.task} | {_time(row.sapper)} | {row.peer_name} | {_time(row.peer)} "
            f"| {row.peer / row.sapper:,.0f} | {row.use} |"
        )
    return "\n".join(lines)


def _time(spent: float) -> str:
    size, unit = (1.0, "s") if spent >= 1.0 else (1e-3, "ms") if spent >= 1e-3 else (1e-6, "us")
    return f"{spent / size:,.3g} {unit}"


def conditions() -> str:
    """Return the machine, versions and seeds as text."""
    toollib = f"ms_toollib {version('ms_toollib')}" if ms_toollib else "no ms_toollib"
    sgt = "sgt-mines of the system" if bench_no_guess.SGT else "no sgt-mines"
    cpuinfo = Path("/proc/cpuinfo")
    model = platform.processor() or platform.machine()
    if cpuinfo.exists() and (match := re.search("model name.*: (.*)", cpuinfo.read_text())):
        model = match[1]
    return (
        f"Sapper {sapper.__version__}, kernels {STATUS}; Python {platform.python_version()}, "
        f"numpy {version('numpy')}, {toollib}, {sgt}; "
        f"{model}, {platform.system()}; {time.strftime('%Y-%m-%d')}. "
        "Layouts of the seeds from 0 or 1 up, no-guess boards from 10^9."
    )


def page(rows: list[Row], rates: list[tuple[str, float]], win_chance: str) -> str:
    """Return the whole of docs/benchmarks.md."""
    careful = dict(rates)["careful"]
    lines = "\n".join(
        f"| `{name}` | {1 / spent:,.0f} | {careful / spent:.3g} |" for name, spent in rates
    )
    return f"""# How fast it is

Written by `make bench`: one run, one thread, CPU time, each side in turn and best of {ROUNDS}.
The ratios are more reliable than the times, which are those of one machine that may have been busy.
{conditions()}

{table(rows)}

The other programs answer the same questions on the same positions, converted to their own form.
Every position is new to the process, and is made from an array of its numbers (ms-toollib: lists).
In game order, neighbouring positions are of one game and have much in common.
ms-toollib is a library in Rust; sgt-mines is the generator of Simon Tatham's puzzles, in C, whose
boards are not equally likely. The loop over ms-toollib wins exactly the games that `careful` wins.

## Players

Expert games per second on one thread; the first click is in the middle and opens an area.
The last column is the ratio to `careful`.

| player | games per second | ratio to `careful` |
| --- | ---: | ---: |
{lines}

## Win chance

{win_chance}

`make bench PART=games` prints the benchmark of one part: growth with the board, threads,
the page under load, the lab's runners.
"""


def main() -> None:
    """Measure, print the page, and write it to the docs."""
    rows = [row for part in (probabilities, games, no_guess, references) for row in part()]
    text = page(rows, players(), bench_win_chance.summary())
    print(text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
