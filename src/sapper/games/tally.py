"""What came of many games, and how sure a rate is."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from sapper.board.rules import Rules
from sapper.wording import counted

Z_95 = 1.959963984540054
"""How many standard errors hold 95 % of a normal distribution."""


def wilson(hits: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's interval for a rate: what it may truly be, 95 times in 100 with this *z*.

    Good for rates near 0 and 1 and for few trials, where the plain one leaves 0..1.

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
    """Many games by one player, added up; `seconds` is how long they took by the clock.

    Two are equal when the games are, however long they took and on however many threads.
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
    """How often the exact engine was asked."""
    blunders: int | None
    """Losses while a certain reveal existed; None where they were not counted."""
    seconds: float = field(compare=False)
    threads: int = field(compare=False)

    @property
    def rate(self) -> float:
        """The share of games won; nan of no games."""
        return self.wins / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate."""
        return wilson(self.wins, self.games)

    @property
    def speed(self) -> float:
        """Games a second."""
        return self.games / self.seconds if self.seconds else float("nan")

    def __str__(self) -> str:
        """One line: the rate with its interval, and what it was measured on."""
        low, high = self.interval
        rules = self.rules
        rate = f"{100 * self.rate:.2f} % of {counted(self.games, 'game')} won"
        span = f"({100 * low:.2f} to {100 * high:.2f})"
        return (
            f"{self.player} on {rules.board}/{rules.mines} {rules.rule} "
            f"{rules.board.name(self.first)}: {f'{rate} {span}' if self.games else 'no game'}, "
            f"seeds from {self.seed}"
        )

    def __repr__(self) -> str:
        return f"<GamesTally {self}>"
