"""The configuration of an environment, shared by single and vector environments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.rules import Rules
from sapper.engine.batch import analyse_many
from sapper.env.rewards import REWARDS, Reward
from sapper.errors import RulesError, unknown_name
from sapper.games.game import LayoutSource
from sapper.generators.layout_sources import LAYOUT_GENERATORS
from sapper.registry import Registry

Bytes = npt.NDArray[np.int8]

# Observations are signed bytes.
MAX_NEIGHBOURS = 127


@dataclass(frozen=True)
class Observation:
    """A row of OBSERVATIONS: the shape of an observation."""

    name: str
    about: str
    shape: Callable[[Board], tuple[int, ...]]


def _vector(board: Board) -> tuple[int, ...]:
    return (len(board),)


def _grid(board: Board) -> tuple[int, ...]:
    width, height = board.size
    return height, width


OBSERVATIONS = Registry(
    "observation",
    (
        Observation("vector", "a mark for each cell, in cell order", _vector),
        Observation("grid", "the marks in rows and columns, on boards of a tiling", _grid),
    ),
)


class EnvOptions(TypedDict, total=False):
    """The options of an environment besides its rules; docs/env.md describes them."""

    rule: str | None
    tiling: str | None
    generator: str
    observation: str | Observation
    probabilities: bool
    flags: bool
    reward: str | Reward


@dataclass(frozen=True)
class EnvConfig:
    """The rules, observations, actions and rewards of an environment."""

    rules: Rules
    generator: str
    observation: Observation
    probabilities: bool
    flags: bool
    reward: Reward

    @classmethod
    def of(
        cls,
        rules: str | Rules,
        *,
        rule: str | None = None,
        tiling: str | None = None,
        generator: str = "plain",
        observation: str | Observation = "vector",
        probabilities: bool = False,
        flags: bool = False,
        reward: str | Reward = "win",
        **unknown: object,
    ) -> EnvConfig:
        """Make a configuration from names, and validate it."""
        for name in unknown:
            raise unknown_name("option", name, ("rules", *EnvOptions.__annotations__))
        if not isinstance(rules, str | Rules):
            raise RulesError(f"expected rules, a level or a size, got {rules!r:.60}")
        if generator not in LAYOUT_GENERATORS:
            raise unknown_name("layout generator", generator, LAYOUT_GENERATORS)
        config = cls(
            Rules.of(rules, tiling, rule),
            generator,
            OBSERVATIONS.find(observation),
            bool(probabilities),
            bool(flags),
            REWARDS.find(reward),
        )
        neighbours = config.board.neighbour_counts
        if neighbours.max() > MAX_NEIGHBOURS:
            raise RulesError(
                f"expected at most {MAX_NEIGHBOURS} neighbours per cell, got {neighbours.max()}"
            )
        if not config.first_cells.any():
            config.rules.check_first(int(neighbours.argmin()))
        config.observation.shape(config.board)
        return config

    @property
    def board(self) -> Board:
        """The board of the games."""
        return self.rules.board

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.board)

    @property
    def actions(self) -> int:
        """The number of actions: a reveal per cell, and with flags also a flag per cell."""
        return self.cells * (2 if self.flags else 1)

    @property
    def safe_cells(self) -> int:
        """The number of cells without a mine."""
        return self.cells - self.rules.mines

    @cached_property
    def first_cells(self) -> Bytes:
        """1 for each cell that may be revealed first, so that all mines fit elsewhere."""
        if self.rules.rule == "any":
            return np.ones(self.cells, dtype=np.int8)
        kept_free = 1 + (self.board.neighbour_counts if self.rules.rule == "zero" else 0)
        return np.broadcast_to(self.rules.mines <= self.cells - kept_free, self.cells).astype(
            np.int8
        )

    @cached_property
    def weights(self) -> tuple[float, float, float, float, float]:
        """The parts of the reward on this board."""
        return self.reward.weights(self.safe_cells)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        shape = self.observation.shape(self.board)
        return (2, *shape) if self.probabilities else shape

    @property
    def action_space(self) -> spaces.Discrete:
        """The space of actions."""
        return spaces.Discrete(self.actions)

    @property
    def observation_space(self) -> spaces.Box:
        """The space of observations."""
        least = FLAG if self.flags else COVERED
        most = max(1, int(self.board.neighbour_counts.max()))
        if not self.probabilities:
            return spaces.Box(least, most, self.shape, np.int8)
        low, high = np.zeros(self.shape, np.float32), np.ones(self.shape, np.float32)
        low[0], high[0] = least, most
        return spaces.Box(low, high, dtype=np.float32)

    @cached_property
    def edge_index(self) -> npt.NDArray[np.int64]:
        """The edges of the board: two rows, from and to, with both directions of each edge."""
        start = np.repeat(np.arange(self.cells), self.board.neighbour_counts)
        return np.stack([start, self.board.neighbours]).astype(np.int64)

    def layout_source(self, seed: int) -> LayoutSource:
        """Return the layout source of the game of a seed."""
        return partial(_layout, self.generator, self.rules, seed)

    def position(self, marks: Any) -> Position:
        """Return the position with these marks."""
        return Position(self.board, np.asarray(marks, dtype=np.int32), self.rules.mines)

    def probability_rows(
        self, positions: list[Position], threads: int = 1
    ) -> npt.NDArray[np.float32]:
        """Return a row of mine probabilities for each position, 0 for revealed cells."""
        analyses = analyse_many(positions, threads=threads)
        rows = np.array([one.probability_array for one in analyses], dtype=np.float32)
        return np.nan_to_num(rows.reshape(len(positions), self.cells), copy=False, nan=0.0)


# A module function rather than a closure, so that an environment can be pickled.
def _layout(generator: str, rules: Rules, seed: int, first: int) -> Layout:
    return LAYOUT_GENERATORS[generator](rules, seed)(first)
