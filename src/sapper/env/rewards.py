"""What moves earn: one table of rewards, each a sum of five parts."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from sapper.errors import RulesError
from sapper.registry import Registry

Weights = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Reward:
    """A row of REWARDS: a move earns the sum of the parts that apply to it; flags earn nothing."""

    name: str
    about: str
    win: float = 0.0
    """For the move that wins, in addition to what it reveals."""
    loss: float = 0.0
    """For the move that hits a mine, which reveals nothing."""
    reveal: float = 0.0
    """For a move that reveals anything."""
    cleared: float = 0.0
    """For all free cells together: each revealed cell earns its share of it."""
    wasted: float = 0.0
    """For a move that is not legal, and changes nothing."""

    def __post_init__(self) -> None:
        for part in fields(self)[2:]:
            value = getattr(self, part.name)
            if not isinstance(value, int | float) or not math.isfinite(value):
                raise RulesError(f"expected a finite {part.name} of a reward, got {value!r:.60}")

    def weights(self, safe_cells: int) -> Weights:
        """The parts on a board with so many free cells: win, loss, reveal, each cell, wasted."""
        share = float(self.cleared) / safe_cells
        return float(self.win), float(self.loss), float(self.reveal), share, float(self.wasted)


REWARDS = Registry(
    "reward",
    (
        Reward("win", "1 for a win: the mean return is the win rate", win=1.0),
        Reward("outcome", "1 for a win, -1 for a loss", win=1.0, loss=-1.0),
        Reward("cleared", "the share of the free cells that the move reveals", cleared=1.0),
        Reward(
            "shaped",
            "1 for a win, -1 for a loss, the share revealed, -0.1 for a wasted move",
            win=1.0,
            loss=-1.0,
            cleared=1.0,
            wasted=-0.1,
        ),
        Reward("alive", "1 for a move that reveals, -1 for a loss", loss=-1.0, reveal=1.0),
    ),
)
