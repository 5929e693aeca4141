"""What an environment asks of its agent and shows it: all that both kinds of them share."""

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
from sapper.errors import RulesError, UnknownName, unknown_name
from sapper.games.game import LayoutSource
from sapper.generators.layout_sources import LAYOUT_GENERATORS
from sapper.registry import Registry

Bytes = npt.NDArray[np.int8]

# Observations and masks are bytes: one each for a cell.
MOST_NEIGHBOURS = 127


@dataclass(frozen=True)
class Observation:
    """A row of OBSERVATIONS: how the marks of the cells are laid out."""

    name: str
    about: str
    shape: Callable[[Board], tuple[int, ...]]


def _vector(board: Board) -> tuple[int, ...]:
    return (len(board),)


def _grid(board: Board) -> tuple[int, ...]:
    width, height = board.size
    return height, width


OBSERVATIONS = Registry(
    "kind of observation",
    (
        Observation("vector", "a mark for each cell, in cell order", _vector),
        Observation("grid", "the marks in rows and columns, on boards of a tiling", _grid),
    ),
)


class EnvOptions(TypedDict, total=False):
    """The settings of an environment besides its rules; docs/env.md describes them."""

    rule: str | None
    tiling: str | None
    deal: str
    observation: str | Observation
    probabilities: bool
    flags: bool
    reward: str | Reward


@dataclass(frozen=True)
class EnvConfig:
    """Rules, and how they are shown, acted on and rewarded."""

    rules: Rules
    deal: str
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
        deal: str = "plain",
        observation: str | Observation = "vector",
        probabilities: bool = False,
        flags: bool = False,
        reward: str | Reward = "win",
        **unknown: object,
    ) -> EnvConfig:
        """A task from the names of its parts, checked."""
        for name in unknown:
            known = ", ".join(("rules", *EnvOptions.__annotations__))
            raise UnknownName(f"expected a setting ({known}, ...), got {name!r:.60}")
        if not isinstance(rules, str | Rules):
            raise RulesError(f"expected rules, a level or a size, got {rules!r:.60}")
        if deal not in LAYOUT_GENERATORS:
            raise unknown_name("deal", deal, LAYOUT_GENERATORS)
        task = cls(
            Rules.of(rules, tiling, rule),
            deal,
            OBSERVATIONS.find(observation),
            bool(probabilities),
            bool(flags),
            REWARDS.find(reward),
        )
        most = int(task.board.neighbour_counts.max())
        if most > MOST_NEIGHBOURS:
            raise RulesError(f"expected at most {MOST_NEIGHBOURS} neighbours a cell, got {most}")
        if not task.opens.any():
            task.rules.check_first(int(task.board.neighbour_counts.argmin()))
        task.observation.shape(task.board)
        return task

    @property
    def board(self) -> Board:
        """The board that the games are played on."""
        return self.rules.board

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.board)

    @property
    def actions(self) -> int:
        """How many actions there are: a reveal for each cell, and a flag where flags are wanted."""
        return self.cells * (2 if self.flags else 1)

    @property
    def safe_cells(self) -> int:
        """How many cells a win reveals."""
        return self.cells - self.rules.mines

    @cached_property
    def opens(self) -> Bytes:
        """1 for the cells that may be revealed first: the rule leaves room for all mines."""
        if self.rules.rule == "any":
            return np.ones(self.cells, dtype=np.int8)
        kept = 1 + (self.board.neighbour_counts if self.rules.rule == "zero" else 0)
        return np.broadcast_to(self.rules.mines <= self.cells - kept, self.cells).astype(np.int8)

    @cached_property
    def weights(self) -> tuple[float, float, float, float, float]:
        """What the parts of the reward are worth on this board."""
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
        """Who is next to whom: two rows, from and to, every pair of neighbours both ways."""
        start = np.repeat(np.arange(self.cells), self.board.neighbour_counts)
        return np.stack([start, self.board.neighbours]).astype(np.int64)

    def layout_source(self, seed: int) -> LayoutSource:
        """Who deals the game of a seed, once it is asked with the first click."""
        return partial(_layout, self.deal, self.rules, seed)

    def position(self, marks: Any) -> Position:
        """The position of these marks."""
        return Position(self.board, np.asarray(marks, dtype=np.int32), self.rules.mines)

    def probability_rows(
        self, positions: list[Position], threads: int = 1
    ) -> npt.NDArray[np.float32]:
        """A row of probabilities for each position; a revealed cell holds no mine."""
        rows = [answer.probability_array for answer in analyse_many(positions, threads=threads)]
        found = np.array(rows, dtype=np.float32).reshape(len(positions), self.cells)
        return np.nan_to_num(found, copy=False, nan=0.0)


# A function of this module, and no closure, so that an environment can be copied and pickled.
def _layout(deal: str, rules: Rules, seed: int, first: int) -> Layout:
    return LAYOUT_GENERATORS[deal](rules, seed)(first)
