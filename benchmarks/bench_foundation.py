"""Deals, numbers, openings and start-up: what the foundation costs.

Run by `make bench-details`.
Memory is the peak of a fresh process, times are CPU seconds, best of five.
"""

import resource
import subprocess
import sys
import time

GIANT = """
import resource, time
import sapper
from sapper.games.game import Game
rules = sapper.Rules.parse("1000x1000/200000")
best = 1e9
for seed in range(5):
    start = time.process_time()
    layout = sapper.generate(rules, seed).layout
    layout.numbers
    game = Game.from_layout(layout)
    opened = len(game.play("reveal r500c500"))
    best = min(best, time.process_time() - start)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"1000x1000/200000: deal, numbers and opening {best:.3f} s, peak memory {peak:.0f} MB")
"""

SMALL = """
import time
import sapper
rules = sapper.Rules.parse("expert")
start = time.process_time()
for seed in range(20000):
    sapper.generate(rules, seed)
fast = (time.process_time() - start) / 20000
from tests.oracle import naive
free = set(rules.mine_free_cells(rules.board.middle))
start = time.process_time()
for seed in range(200):
    naive.deal(480, free, 99, seed)
slow = (time.process_time() - start) / 200
print(f"Expert deals: {fast * 1e6:.0f} us each, {slow / fast:.0f} times as fast as the plain twin")
"""


def run(code: str) -> None:
    """Run code in a fresh process, so that its memory is its own."""
    subprocess.run([sys.executable, "-c", code], check=True)


def cpu_of(command: list[str]) -> float:
    """The CPU seconds of a command, best of five."""
    best = 1e9
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, spent)
    return best


if __name__ == "__main__":
    print(
        f"start-up: sapper --version {cpu_of([sys.executable, '-m', 'sapper', '--version']):.3f} s"
    )
    print(f"start-up: import sapper {cpu_of([sys.executable, '-c', 'import sapper']):.3f} s")
    position = "import sapper; sapper.Position"
    print(f"start-up: import sapper, use Position {cpu_of([sys.executable, '-c', position]):.3f} s")
    run(GIANT)
    run(SMALL)
    print(time.strftime("measured on %Y-%m-%d"))
