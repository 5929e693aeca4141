"""Whole games per second on every level, beside a Python loop over ms-toollib on the same layouts.

Run by `make bench PART=games`.
The loop is what its users write: probabilities from `cal_probability_onboard`, every
certain cell revealed, else the least probability with the ties of `careful`; both sides must win
the same games, which is checked. Rates are games per CPU second, best of several runs that take
turns.
"""

import contextlib
import pathlib
import resource
import threading
import time

import ms_toollib

import sapper
from sapper.games.many import play_each

LEVELS = (
    # size, rule, first, games of ours, games of the peer's
    ("beginner", "safe", "r1c1", 40_000, 200),
    ("classic", "safe", "r1c1", 40_000, 200),
    ("intermediate", "safe", "r1c1", 10_000, 60),
    ("expert", "safe", "r1c1", 4_000, 40),
    ("expert", "zero", "r8c15", 4_000, 40),
)
ROUNDS = 3
HIDDEN = 10


def peer_game(rules: sapper.Rules, seed: int, first: str) -> bool:
    """One game by a loop over ms-toollib; whether it was won."""
    board = rules.board
    width, height = board.size
    layout = sapper.generate(rules, seed, first).layout
    mines, numbers = layout.mine_mask.tolist(), layout.numbers.tolist()
    numbers = [
        [-1 if mines[r * width + c] else numbers[r * width + c] for c in range(width)]
        for r in range(height)
    ]
    shown = [[HIDDEN] * width for _ in range(height)]
    shown = ms_toollib.refresh_board(numbers, shown, [divmod(board.cell(first), width)])
    while sum(row.count(HIDDEN) for row in shown) > rules.mines:
        probabilities, _ = ms_toollib.cal_probability_onboard(shown, rules.mines)
        hidden = [(r, c) for r in range(height) for c in range(width) if shown[r][c] == HIDDEN]
        chosen = [(r, c) for r, c in hidden if probabilities[r][c] < 1e-12]
        if not chosen:
            chosen = [least(board, shown, probabilities, hidden)]
            r, c = chosen[0]
            if numbers[r][c] < 0:
                return False
        shown = ms_toollib.refresh_board(numbers, shown, chosen)
    return True


def least(board: sapper.Board, shown, probabilities, hidden) -> tuple[int, int]:
    """Return the guess of `careful`: least probability, fewest neighbours, frontier, index."""
    limit = min(probabilities[r][c] for r, c in hidden) * (1 + 1e-9)
    width = board.size[0]

    def place(cell):
        around = board.around(cell[0] * width + cell[1]).tolist()
        inside = all(shown[d // width][d % width] == HIDDEN for d in around)
        return len(around), inside, cell

    return min((cell for cell in hidden if probabilities[cell[0]][cell[1]] <= limit), key=place)


def peer_rate(rules: sapper.Rules, first: str, games: int) -> tuple[float, list[bool]]:
    """Games per CPU second of the loop, and which of them it won."""
    start = time.process_time()
    won = [peer_game(rules, seed, first) for seed in range(1, games + 1)]
    return games / (time.process_time() - start), won


def our_rate(rules: sapper.Rules, first: str, games: int) -> float:
    """Games per CPU second of `play_many`."""
    start = time.process_time()
    sapper.play_many(rules, games=games, seed=1, first=first)
    return games / (time.process_time() - start)


def against_the_peer() -> None:
    """Print the table of all levels."""
    print("games per CPU second          sapper  ms-toollib loop  times as fast")
    for size, rule, first, ours, theirs in LEVELS:
        rules = sapper.Rules.parse(size, rule=rule)
        fast, slow = 0.0, 0.0
        for _ in range(ROUNDS):
            fast = max(fast, our_rate(rules, first, ours))
            rate, won = peer_rate(rules, first, theirs)
            slow = max(slow, rate)
        same = play_each(rules, games=theirs, seed=1, first=first)[:, 0].astype(bool).tolist()
        assert won == same, "the two sides did not win the same games"
        name = f"{size} {rule} {first}"
        print(f"{name:<26} {fast:>9,.0f} {slow:>16,.1f} {fast / slow:>14,.0f}")


def threads(games: int = 10_000) -> None:
    """Two threads against one: in wall time, and estimated for idle cores.

    The kernel's scheduler says how long each thread ran and how long it waited for a core that
    others had; a thread that waits for another one, as for the GIL, counts as neither.
    """
    clock, used, busy = {1: 0.0, 2: 0.0}, {1: 1e9, 2: 1e9}, {1: 0.0, 2: 0.0}
    for _ in range(5):
        for count in clock:
            before = time.process_time()
            with Scheduling() as seen:
                tally = sapper.play_many("expert", games=games, seed=1, threads=count)
            used[count] = min(used[count], time.process_time() - before)
            clock[count] = max(clock[count], tally.speed)
            busy[count] = max(busy[count], seen.ready / tally.seconds)
    print(
        f"expert zero in wall time: {clock[1]:,.0f} games a second on one thread, "
        f"{clock[2]:,.0f} on two: {clock[2] / clock[1]:.2f} times\n"
        f"two threads were ready to run {busy[2] / busy[1]:.2f} times as much as one, at "
        f"{used[2] / used[1]:.2f} times the CPU time: "
        f"{busy[2] / busy[1] * used[1] / used[2]:.2f} times on idle cores"
    )


class Scheduling:
    """How long the threads of this process ran, or were ready and waited for a core (Linux)."""

    def __enter__(self):
        self._stop = threading.Event()
        self._last: dict[str, tuple[int, int]] = {}
        self._watch = threading.Thread(target=self._look)
        self._watch.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._watch.join()
        self.ready = sum(end - start for start, end in self._last.values()) / 1e9

    def _look(self):
        own = str(threading.get_native_id())
        while not self._stop.wait(0.01):
            for path in pathlib.Path("/proc/self/task").iterdir():
                if path.name != own:
                    with contextlib.suppress(OSError):
                        ran, waited, _ = map(int, (path / "schedstat").read_text().split())
                        start, _ = self._last.get(path.name, (ran + waited, 0))
                        self._last[path.name] = start, ran + waited


def memory(games: int = 1_000_000) -> None:
    """Print the memory before and after a million games."""
    sapper.play_many("beginner", games=1000, seed=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tally = sapper.play_many("beginner", games=games, seed=1, threads=2)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"a million Beginner games: {tally.seconds:.1f} s on two threads, "
        f"peak memory {before / 1024:.1f} MB before, {after / 1024:.1f} MB after"
    )


if __name__ == "__main__":
    memory()
    against_the_peer()
    threads()
    print(time.strftime("measured on %Y-%m-%d"))
