"""The totals of many games, and confidence intervals for rates."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from sapper.board.rules import Rules
from sapper.wording import counted

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


def wilson(hits: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a rate, by default at 95 %.

    Unlike the normal approximation it holds for rates near 0 and 1 and for few trials.

    >>> [round(end, 3) for end in wilson(0, 10)]
    [0.0, 0.278]
    """
    if trials == 0:
        return 0.0, 1.0
    rate = hits / trials
    scale = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half = z / scale * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class GamesTally:
    """The totals of many games by one player.

    Tallies are equal if their games are; time and number of threads are not compared.
    """

    rules: Rules
    first: int
    player: str
    seed: int
    games: int
    wins: int
    guesses: int
    reveals: int
    asked: int
    """The number of calls of the exact engine."""
    blunders: int | None
    """The number of losses while a safe cell existed; None if they were not counted."""
    seconds: float = field(compare=False)
    threads: int = field(compare=False)

    @property
    def rate(self) -> float:
        """The share of the games that were won; nan without games."""
        return self.wins / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def speed(self) -> float:
        """The number of games per second."""
        return self.games / self.seconds if self.seconds else float("nan")

    def __str__(self) -> str:
        """Return a line with the win rate, its interval, and what it was measured on."""
        low, high = self.interval
        rules = self.rules
        rate = f"{100 * self.rate:.2f} % of {counted(self.games, 'game')} won"
        span = f"({100 * low:.2f} to {100 * high:.2f})"
        return (
            f"{self.player} on {rules.board}/{rules.mines} {rules.rule} "
            f"{rules.board.name(self.first)}: {f'{rate} {span}' if self.games else 'no games'}, "
            f"seeds from {self.seed}"
        )

    def __repr__(self) -> str:
        return f"<GamesTally {self}>"
