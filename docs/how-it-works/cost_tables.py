"""Measure the cost of the paper's algorithms on positions of real games, for costs.md.

Writes costs.png and the tables of costs.md beside this file.
Sets and calls are counted, so they are the same on every machine; times are CPU seconds,
best of three.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from tests.stuck_positions import play_human

from sapper import Budget, Game, OutOfBudget, Position, Rules, generate
from sapper.games.watch import watch
from sapper.solvers.backtracking import backtrack
from sapper.solvers.brute_force import brute, brute_board
from sapper.solvers.human import HumanSolver

DOCS = Path(__file__).parent
BUDGET = Budget(seconds=60)
MAX_COVERED = 18
MAX_CALLS = 200_000
SIDES = (100, 200, 400, 700, 1000)
MINE_DENSITY = 0.12


def main() -> None:
    """Measure, write the tables, draw the plot."""
    small = list(small_positions())
    large = list(large_positions())
    compiled = [(side, per_cell(side, compiled_run)) for side in SIDES]
    readable = [(side, per_cell(side, readable_run, 1)) for side in SIDES]
    write_tables(small, large, compiled, readable)
    draw(small, large, compiled, readable)
    print(f"wrote {DOCS / 'costs.png'} and the tables of {DOCS / 'costs.md'}")


def positions_of(rules: Rules, seed: int) -> Iterator[Position]:
    """Yield the positions of a game played by the human-like algorithm."""
    game = Game.new(rules, seed)
    for step in watch(game, "human"):
        yield step.position


def small_positions() -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yield the numbers of covered cells, frontier cells and frontier numbers of small positions.

    The last three items are the sets or calls of versions 1, 2 and 3.
    """
    rules = Rules.parse("6x6/7", rule="safe")
    seen: dict[int, int] = {}
    for seed in range(300):
        for position in positions_of(rules, seed):
            covered, frontier = len(position.covered), len(position.frontier)
            if not frontier > 0 or covered > MAX_COVERED or seen.get(frontier, 0) >= 12:
                continue
            seen[frontier] = seen.get(frontier, 0) + 1
            searches = [version(position, BUDGET) for version in (brute_board, brute, backtrack)]
            solutions = [sum(1 for _ in search) for search in searches]
            assert solutions[0] == solutions[1] << (covered - frontier)
            assert solutions[1] == solutions[2]
            sets_checked = [search.sets_checked for search in searches]
            yield covered, frontier, len(position.frontier_numbers), *sets_checked


def large_positions() -> Iterator[tuple[int, int, int]]:
    """Yield frontier cells, frontier numbers and calls of version 3 after Expert first clicks."""
    rules = Rules.parse("expert")
    for seed in range(400):
        game = Game.new(rules, seed)
        game.play("reveal r8c15")
        try:
            search = backtrack(game.position, BUDGET)
        except OutOfBudget:
            continue
        if search.forecast(MAX_CALLS) > MAX_CALLS:
            continue
        for _ in search:
            pass
        yield len(search.scope), len(search.numbers), search.sets_checked


def compiled_run(side: int, seed: int) -> Callable[[], object]:
    """Return a function that plays a whole game with the compiled human-like algorithm."""
    layout = layout_of(side, seed)
    return lambda: play_human(layout)


def readable_run(side: int, seed: int) -> Callable[[], object]:
    """Return a function that runs the readable algorithm on a last position without flags."""
    position = play_human(layout_of(side, seed)).without_flags()
    return lambda: HumanSolver(position).moves()


def layout_of(side: int, seed: int):
    """Return a layout of a square board, with its numbers already computed."""
    rules = Rules.parse(f"{side}x{side}/{round(side * side * MINE_DENSITY)}")
    layout = generate(rules, seed).layout
    assert layout.numbers is not None
    return layout


def per_cell(side: int, run: Callable[[int, int], Callable[[], object]], rounds: int = 3) -> float:
    """Return the CPU seconds for each cell of the board."""
    times = []
    for seed in range(rounds):
        work = run(side, seed)
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / side**2


def write_tables(small, large, compiled, readable) -> None:
    """Replace the text between the markers of costs.md."""
    rows = ["| frontier | positions | version 1, sets | version 2, sets | version 3, calls |"]
    rows.append("| ---: | ---: | ---: | ---: | ---: |")
    for frontier in sorted({row[1] for row in small}):
        group = [row for row in small if row[1] == frontier]
        medians = [int(median(row[k] for row in group)) for k in (3, 4, 5)]
        rows.append(
            f"| {frontier} | {len(group)} | " + " | ".join(f"{m:,}" for m in medians) + " |"
        )
    counts = "\n".join(rows)
    share = max(calls / 2.0**p for p, _, calls in large)
    largest = max(large)
    expert = (
        f"{len(large)} first positions of Expert games took at most {MAX_CALLS:,} calls each, "
        f"the median {int(median(calls for _, _, calls in large)):,}.\n"
        f"The largest of them has a frontier of {largest[0]} cells: {largest[2]:,} calls; 2^p is "
        f"{2.0 ** largest[0]:.1e}.\n"
        f"The largest share of 2^p that any of them took is {share:.2g}."
    )
    rows = ["| board | compiled, ns per cell | readable, ns per cell |", "| --- | ---: | ---: |"]
    slow = dict(readable)
    for side, seconds in compiled:
        rows.append(f"| {side}x{side} | {seconds * 1e9:,.0f} | {slow[side] * 1e9:,.0f} |")
    spreads = [
        max(seconds for _, seconds in data) / min(seconds for _, seconds in data)
        for data in (compiled, readable)
    ]
    rows.append(f"| largest over smallest | {spreads[0]:.2f} | {spreads[1]:.2f} |")
    page = DOCS / "costs.md"
    text = page.read_text(encoding="utf-8")
    for name, table in (("counts", counts), ("expert", expert), ("times", "\n".join(rows))):
        marked = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = marked.subn(lambda m, table=table: f"{m[1]}\n{table}\n\n{m[2]}", text)
        if found != 1:
            sys.exit(f"costs.md: expected one place for {name!r}, got {found}")
    page.write_text(text, encoding="utf-8")


def draw(small, large, compiled, readable) -> None:
    """Draw the three panels."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(13, 4), layout="constrained")
    colours = ("#e06a0e", "#7d4300", "#2f7fd1")
    for version, mark in ((1, "s"), (2, "o"), (3, "^")):
        left.scatter(
            [row[1] for row in small],
            [row[2 + version] for row in small],
            s=14,
            alpha=0.6,
            marker=mark,
            color=colours[version - 1],
            label=f"version {version}",
        )
    left.set(yscale="log", xlabel="frontier cells, p", ylabel="sets checked, or calls")
    left.set_title("6x6 games with 7 mines")
    left.legend()
    max_frontier = max(p for p, _, _ in large)
    middle.scatter([p for p, _, _ in large], [c for _, _, c in large], s=14, color=colours[2])
    middle.plot([5, max_frontier], [2.0**5, 2.0**max_frontier], color="#5d6773", label="2^p")
    middle.set(yscale="log", xlabel="frontier cells, p", ylabel="calls of version 3")
    middle.set_title("first positions of Expert games")
    middle.legend()
    for data, name, colour in (
        (readable, "readable", "#e06a0e"),
        (compiled, "compiled", "#2f7fd1"),
    ):
        right.plot([s for s, _ in data], [t * 1e9 for _, t in data], "o-", color=colour, label=name)
    right.set(xscale="log", yscale="log", xlabel="side of the board", ylabel="ns per cell")
    right.set_xticks(SIDES, [str(side) for side in SIDES])
    right.minorticks_off()
    right.set_title("human-like algorithm, 12 % mines")
    right.legend()
    figure.savefig(DOCS / "costs.png", transparent=False, dpi=60)


if __name__ == "__main__":
    main()
