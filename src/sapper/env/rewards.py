"""Rewards, each a sum of five parts."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from sapper.errors import RulesError
from sapper.registry import Registry

Weights = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Reward:
    """A row of REWARDS: a move earns the sum of the parts that apply; flags earn nothing."""

    name: str
    about: str
    win: float = 0.0
    """For the winning move, in addition to the other parts."""
    loss: float = 0.0
    """For a move that hits a mine."""
    reveal: float = 0.0
    """For a move that reveals a cell."""
    cleared: float = 0.0
    """For all safe cells together; each revealed cell earns its share."""
    wasted: float = 0.0
    """For an illegal move, which changes nothing."""

    def __post_init__(self) -> None:
        for part in fields(self)[2:]:
            value = getattr(self, part.name)
            if not isinstance(value, int | float) or not math.isfinite(value):
                raise RulesError(f"expected a finite {part.name} of a reward, got {value!r:.60}")

    def weights(self, safe_cells: int) -> Weights:
        """Return the parts for a number of safe cells: win, loss, reveal, per cell, wasted."""
        share = float(self.cleared) / safe_cells
        return float(self.win), float(self.loss), float(self.reveal), share, float(self.wasted)


REWARDS = Registry(
    "reward",
    (
        Reward("win", "1 for a win: the mean return is the win rate", win=1.0),
        Reward("outcome", "1 for a win, -1 for a loss", win=1.0, loss=-1.0),
        Reward("cleared", "the share of the safe cells that the move reveals", cleared=1.0),
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
