"""The names under which Gymnasium knows the environments."""

from __future__ import annotations

import gymnasium

from sapper.board.rules import LEVELS

VERSION = 0
ANY_RULES = "Minesweeper"


def register_levels() -> None:
    """Register `sapper/Minesweeper-v0`, whose `rules` are yours, and an id for each of LEVELS."""
    _register(ANY_RULES)
    for level in LEVELS:
        _register(level.capitalize(), rules=level)


def _register(name: str, **settings: str) -> None:
    gymnasium.register(
        f"sapper/{name}-v{VERSION}",
        entry_point="sapper.env.single:MinesweeperEnv",
        vector_entry_point="sapper.env.vector:MinesweeperVectorEnv",
        kwargs=settings,
    )
