"""Minesweeper as a Gymnasium environment: one game, or thousands side by side.

Importing this package registers `sapper/Beginner-v0` and the other levels with Gymnasium.
docs/env.md describes observations, actions and rewards.
"""

from sapper.errors import Unavailable

try:
    import gymnasium as _gymnasium
except ImportError:
    raise Unavailable("environments need gymnasium: pip install 'sapper[rl]'") from None

from sapper.board.rules import LEVELS
from sapper.env.config import OBSERVATIONS, REWARDS, Observation, Reward
from sapper.env.single import MinesweeperEnv, PlayerPolicy
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

VERSION = 0


def _register(name: str, **options: str) -> None:
    _gymnasium.register(
        f"sapper/{name}-v{VERSION}",
        entry_point="sapper.env.single:MinesweeperEnv",
        vector_entry_point="sapper.env.vector:MinesweeperVectorEnv",
        kwargs=options,
    )


_register("Minesweeper")
for _level in LEVELS:
    _register(_level.capitalize(), rules=_level)
