"""The papers' solvers: the compiled human-like algorithm, and what one second of search gives.

Run by `make bench-details`.
Times are CPU seconds, best of three.
"""

import time
from collections.abc import Callable

from sapper import Board, Budget, Position, Rules, deal
from sapper.games.human_games import play_human
from sapper.kernels import STATUS
from sapper.solvers.backtracking import CALLS_PER_SECOND, backtrack
from sapper.solvers.brute_force import SETS_PER_SECOND, brute
from sapper.solvers.human import HumanSolver
from sapper.solvers.human_compiled import solve_compiled


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """The CPU seconds of the quickest run."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print one line for each figure."""
    print(f"papers' solvers, kernels {STATUS}")
    layout = deal(Rules.parse("1000x1000/120000"), 1).layout
    assert layout.numbers is not None
    last = play_human(layout).position
    seconds = best_of(3, lambda: play_human(layout))
    print(
        f"1000x1000/120000 from first click to stuck: {seconds:.3f} s "
        f"({len(last.revealed):,} of {len(last.board) - 120_000:,} free cells; bar 2 s)"
    )
    position = play_human(deal(Rules.parse("200x200/4800"), 1).layout).position.without_flags()
    readable = best_of(3, lambda: HumanSolver(position).moves())
    compiled = best_of(3, lambda: solve_compiled(position))
    print(
        f"one position of 200x200: readable {readable:.3f} s, compiled {compiled * 1e3:.2f} ms, "
        f"{readable / compiled:.0f} times as fast"
    )
    layouts = [deal(Rules.parse("expert"), seed).layout for seed in range(500)]
    games = best_of(3, lambda: [play_human(one) for one in layouts]) / len(layouts)
    print(f"Expert games by the compiled algorithm: {games * 1e6:.0f} us each")

    star = Board.from_edges([("centre", f"leaf{i}") for i in range(20)])
    hard = Position.of(star, {"centre": 10})
    for version, assumed in ((brute, SETS_PER_SECOND), (backtrack, CALLS_PER_SECOND)):
        search = version(hard, Budget())
        seconds = best_of(1, lambda search=search: sum(1 for _ in search))
        rate = search.looked / seconds
        print(
            f"{search.by}: 20 covered cells in {seconds:.2f} s, {rate:,.0f} sets or calls a second "
            f"({rate / assumed:.1f} times what the budget assumes)"
        )


if __name__ == "__main__":
    main()
