"""Whole games per second on every level, beside a Python loop over ms-toollib on the same layouts.

Run by `make bench PART=games`.
The loop is what its users write: probabilities from `cal_probability_onboard`, every
certain cell revealed, else the least probability with the ties of `careful`; both sides must win
the same games, which is checked. Rates are games per CPU second, best of several runs that take
turns.
"""

from benchmarks.measure import compare_threads, cpu_seconds

import sapper
from sapper.games.play_many import play_each

try:
    import ms_toollib
except ImportError:
    ms_toollib = None

LEVELS = (
    # size, rule, first click, games by Sapper, games by the peer
    ("beginner", "safe", "r1c1", 40_000, 200),
    ("classic", "safe", "r1c1", 40_000, 200),
    ("intermediate", "safe", "r1c1", 10_000, 60),
    ("expert", "safe", "r1c1", 4_000, 40),
    ("expert", "zero", "r8c15", 4_000, 40),
)
ROUNDS = 3
COVERED = 10
"""The code of a covered cell in ms-toollib."""


def peer_game(rules: sapper.Rules, seed: int, first: str) -> bool:
    """Play a game by a loop over ms-toollib; return whether it was won."""
    board = rules.board
    width, height = board.size
    layout = sapper.generate(rules, seed, first).layout
    mines, numbers = layout.mine_mask.tolist(), layout.numbers.tolist()
    numbers = [
        [-1 if mines[r * width + c] else numbers[r * width + c] for c in range(width)]
        for r in range(height)
    ]
    shown = [[COVERED] * width for _ in range(height)]
    shown = ms_toollib.refresh_board(numbers, shown, [divmod(board.cell(first), width)])
    while sum(row.count(COVERED) for row in shown) > rules.mines:
        probabilities, _ = ms_toollib.cal_probability_onboard(shown, rules.mines)
        covered = [(r, c) for r in range(height) for c in range(width) if shown[r][c] == COVERED]
        chosen = [(r, c) for r, c in covered if probabilities[r][c] < 1e-12]
        if not chosen:
            chosen = [least_probable(board, shown, probabilities, covered)]
            r, c = chosen[0]
            if numbers[r][c] < 0:
                return False
        shown = ms_toollib.refresh_board(numbers, shown, chosen)
    return True


def least_probable(board: sapper.Board, shown, probabilities, covered) -> tuple[int, int]:
    """Return the guess of `careful`: least probability, fewest neighbours, frontier, index."""
    limit = min(probabilities[r][c] for r, c in covered) * (1 + 1e-9)
    width = board.size[0]

    def tie_break(cell):
        around = board.around(cell[0] * width + cell[1]).tolist()
        inside = all(shown[d // width][d % width] == COVERED for d in around)
        return len(around), inside, cell

    return min(
        (cell for cell in covered if probabilities[cell[0]][cell[1]] <= limit), key=tie_break
    )


def peer_rate(rules: sapper.Rules, first: str, games: int) -> tuple[float, list[bool]]:
    """Return the games per CPU second of the loop, and which of them it won."""
    won: list[bool] = []
    seeds = range(1, games + 1)
    spent = cpu_seconds(lambda: won.extend(peer_game(rules, seed, first) for seed in seeds))
    return games / spent, won


def sapper_rate(rules: sapper.Rules, first: str, games: int) -> float:
    """Return the games per CPU second of `play_many`."""
    return games / cpu_seconds(lambda: sapper.play_many(rules, games=games, seed=1, first=first))


def compare_with_peer() -> None:
    """Print the table of all levels."""
    print("games per CPU second          sapper  ms-toollib loop  times as fast")
    for size, rule, first, games, peer_games in LEVELS:
        rules = sapper.Rules.parse(size, rule=rule)
        fast, slow = 0.0, 0.0
        for _ in range(ROUNDS):
            fast = max(fast, sapper_rate(rules, first, games))
            rate, won = peer_rate(rules, first, peer_games)
            slow = max(slow, rate)
        rows = play_each(rules, games=peer_games, seed=1, first=first)
        assert won == rows[:, 0].astype(bool).tolist(), "the two sides did not win the same games"
        name = f"{size} {rule} {first}"
        print(f"{name:<26} {fast:>9,.0f} {slow:>16,.1f} {fast / slow:>14,.0f}")


if __name__ == "__main__":
    compare_with_peer()
    print(
        compare_threads(
            lambda count: sapper.play_many("expert", "careful", 10_000, 1, threads=count)
        )
    )
