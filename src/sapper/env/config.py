"""Rewards, observations, render modes and the configuration of the environments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from sapper.board.board import Board
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.rules import Rules
from sapper.engine.batch import analyse_many
from sapper.errors import RulesError, unknown_name
from sapper.games.setup import GameSetup
from sapper.generators.layouts import LAYOUT_GENERATORS
from sapper.registry import Registry
from sapper.render.pixels import scene_pixels
from sapper.render.scene import Scene
from sapper.render.svg import scene_svg
from sapper.render.text import scene_text

RewardWeights = tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Reward:
    """An entry of REWARDS: a move earns the sum of the parts that apply; flags earn nothing."""

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

    def weights(self, safe_count: int) -> RewardWeights:
        """Return the parts for *safe_count* safe cells: win, loss, reveal, per cell, wasted."""
        share = float(self.cleared) / safe_count
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


RENDER_MODES: dict[str, Callable[[Scene], Any]] = {
    "ansi": lambda scene: scene_text(scene).ansi(),
    "svg": scene_svg,
    "rgb_array": scene_pixels,
}
"""Text with terminal colours, SVG text, and an array (height, width, 3)."""

METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def check_render_mode(mode: str | None) -> str | None:
    """Return the render mode if it is valid; None means no rendering."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown_name("render mode", mode, RENDER_MODES)
    return mode


def render_position(mode: str, position: Position, exploded: Iterable[int]) -> Any:
    """Render a position with the mines that exploded."""
    cells = sorted(exploded)
    scene = Scene.of(
        position, glyphs=dict.fromkeys(cells, "mine"), colours=dict.fromkeys(cells, "lost")
    )
    return RENDER_MODES[mode](scene)


Mask = npt.NDArray[np.int8]

# Observations are signed bytes.
MAX_NEIGHBOURS = 127


@dataclass(frozen=True)
class Observation:
    """An entry of OBSERVATIONS: how the marks of the cells are arranged in an array."""

    name: str
    about: str
    shape: Callable[[Board], tuple[int, ...]]


def _vector(board: Board) -> tuple[int, ...]:
    return (len(board),)


def _grid(board: Board) -> tuple[int, ...]:
    return board.size[::-1]


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
        if not config.first_click_mask.any():
            config.rules.check_first(int(neighbours.argmin()))
        config.observation.shape(config.board)
        return config

    @property
    def board(self) -> Board:
        """The board of the games."""
        return self.rules.board

    @property
    def cell_count(self) -> int:
        """The number of cells."""
        return len(self.board)

    @property
    def action_count(self) -> int:
        """The number of actions: a reveal per cell, and with flags also a flag per cell."""
        return self.cell_count * (2 if self.flags else 1)

    @property
    def safe_count(self) -> int:
        """The number of cells without a mine."""
        return self.cell_count - self.rules.mines

    @cached_property
    def first_click_mask(self) -> Mask:
        """1 for each cell that may be revealed first, so that all mines fit elsewhere."""
        if self.rules.rule == "any":
            return np.ones(self.cell_count, dtype=np.int8)
        mine_free = 1 + (self.board.neighbour_counts if self.rules.rule == "zero" else 0)
        return np.broadcast_to(
            self.rules.mines <= self.cell_count - mine_free, self.cell_count
        ).astype(np.int8)

    @cached_property
    def weights(self) -> RewardWeights:
        """The parts of the reward on this board."""
        return self.reward.weights(self.safe_count)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        shape = self.observation.shape(self.board)
        return (2, *shape) if self.probabilities else shape

    @property
    def action_space(self) -> spaces.Discrete:
        """The space of actions."""
        return spaces.Discrete(self.action_count)

    @property
    def observation_space(self) -> spaces.Box:
        """The space of observations."""
        lowest = FLAG if self.flags else COVERED
        highest = max(1, int(self.board.neighbour_counts.max()))
        if not self.probabilities:
            return spaces.Box(lowest, highest, self.shape, np.int8)
        low, high = np.zeros(self.shape, np.float32), np.ones(self.shape, np.float32)
        low[0], high[0] = lowest, highest
        return spaces.Box(low, high, dtype=np.float32)

    def setup(self, seed: int) -> GameSetup:
        """Return the setup of the game of a seed."""
        return GameSetup(self.rules, seed, self.generator)

    def position(self, marks: Any) -> Position:
        """Return the position with these marks."""
        return Position(self.board, np.asarray(marks, dtype=np.int32), self.rules.mines)

    def probability_rows(
        self, positions: list[Position], threads: int = 1
    ) -> npt.NDArray[np.float32]:
        """Return a row of mine probabilities for each position, 0 for revealed cells."""
        analyses = analyse_many(positions, threads=threads)
        rows = np.array([analysis.probability_array for analysis in analyses], dtype=np.float32)
        return np.nan_to_num(rows.reshape(len(positions), self.cell_count), copy=False, nan=0.0)


class ConfigProperties:
    """A mix-in for environments: the properties that follow from the configuration."""

    _config: EnvConfig

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self._config.rules

    @property
    def board(self) -> Board:
        """The board of the games."""
        return self._config.board

    @property
    def edge_index(self) -> npt.NDArray[np.int64]:
        """The edges of the board: two rows, from and to, with both directions of each edge."""
        start = np.repeat(np.arange(len(self.board)), self.board.neighbour_counts)
        return np.stack([start, self.board.neighbours]).astype(np.int64)
