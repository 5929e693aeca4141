"""How often `careful` wins, with intervals and blunders counted; run by `make win-rates`."""

import sys

from sapper import play_many

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
RUNS = (
    # size, rule, first, what is known of least probability, with its margin
    ("expert", "safe", "r1c1", 38.5, 0.7),
    ("expert", "zero", "r8c15", 49.3, 0.7),
    ("intermediate", "safe", "r1c1", 77.8, 0.6),
    ("beginner", "safe", "r1c1", 91.5, 0.4),
)


def main() -> None:
    """Print a row for each run."""
    print(f"careful, {GAMES:,} games each, seeds from 1; intervals are Wilson's, 95 %")
    print("                            won %   interval          guesses  blunders  expected")
    played, blunders = 0, 0
    for size, rule, first, known, margin in RUNS:
        tally = play_many(size, games=GAMES, seed=1, rule=rule, first=first, threads=2, check=True)
        low, high = tally.interval
        played += tally.games
        blunders += tally.blunders or 0
        name = f"{size} {rule} {first}"
        within = "" if abs(100 * tally.rate - known) < margin else "  outside"
        print(
            f"{name:<26} {100 * tally.rate:>6.2f}   {100 * low:.2f} to {100 * high:.2f} "
            f"{tally.guesses / GAMES:>10.2f} {tally.blunders:>9}  {known} +- {margin}{within}"
        )
    print(f"losing reveals while a certain one existed: {blunders} in {played:,} games")


if __name__ == "__main__":
    main()
