"""Minesweeper as a Gymnasium environment, one game or thousands side by side.

Importing this package registers `sapper/Beginner-v0` and the other levels with Gymnasium.
docs/env.md says what agents see, what they may do and what they earn.
"""

from sapper.errors import Unavailable

try:
    import gymnasium as _gymnasium  # noqa: F401 - all of this room needs it
except ImportError:
    raise Unavailable(
        "expected gymnasium for environments, got none: pip install 'sapper[rl]'"
    ) from None

from sapper.env.config import OBSERVATIONS, Observation
from sapper.env.ids import register_levels
from sapper.env.policy import PlayerPolicy
from sapper.env.rewards import REWARDS, Reward
from sapper.env.single import MinesweeperEnv
from sapper.env.vector import MinesweeperVectorEnv

__all__ = [
    "OBSERVATIONS",
    "REWARDS",
    "MinesweeperEnv",
    "MinesweeperVectorEnv",
    "Observation",
    "PlayerPolicy",
    "Reward",
]

register_levels()
