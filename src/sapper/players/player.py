"""The entry of a player in PLAYERS: its settings, its agent, and its form in the batch kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, Self

from sapper.board.board import Board, Ints
from sapper.board.position import Position
from sapper.engine.budget import Budget, Cancel
from sapper.errors import NotationError, unknown_name
from sapper.kernels.codes import LEAST_RISK_GUESS, OWN_GUESS, WITH_MINE_COUNT
from sapper.kernels.players.guessing import GuesserState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.agents import Agent

LARGEST_SETTING = 1e9
TYPE_NAMES = {bool: "true or false", int: "an integer", float: "a number", str: "text"}

Setting = bool | int | float | str
Settings = tuple[tuple[str, Setting], ...]
"""All settings of a player as pairs in the order of their names: what campaigns store."""


@dataclass(frozen=True)
class PlayerSettings:
    """Settings of a player; a subclass adds fields, each with its default."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value: Any = getattr(self, field.name)
            expected, given = type(field.default), type(value)
            if given is not expected and (expected, given) != (float, int):
                raise NotationError(
                    f"{field.name}: expected {TYPE_NAMES[expected]}, got {value!r:.60}"
                )
            # Written so that nan fails too.
            if expected is not str and not 0 <= value <= LARGEST_SETTING:
                raise NotationError(f"{field.name}: expected from 0 to 1e9, got {value!r:.60}")

    def replace(self, changes: Mapping[str, object]) -> Self:
        """Return these settings with some changed.

        Raises UnknownName for a name that is not a setting, and NotationError for a bad value.
        """
        defaults = {field.name: field.default for field in fields(self)}
        chosen: dict[str, Any] = {}
        for name, value in changes.items():
            if name not in defaults:
                raise unknown_name("setting", name, defaults)
            is_whole = type(defaults[name]) is float and type(value) is int
            chosen[name] = float(value) if is_whole else value  # type: ignore[arg-type]
        return replace(self, **chosen)

    @property
    def pairs(self) -> Settings:
        """All settings, in the order of their names."""
        return tuple(sorted((field.name, getattr(self, field.name)) for field in fields(self)))


class Rollouts(Protocol):
    """Roll-outs that confirm or change a guess of the batch kernel."""

    def choose(self, guesser: Any, marks: Ints, budget: Budget, cancel: Cancel | None) -> int:
        """Return the cell to reveal, after the guesser has chosen one."""


@dataclass(frozen=True)
class Compiled:
    """How the batch kernel makes the moves of a player."""

    deduction: int = WITH_MINE_COUNT
    """What its certain moves are deduced from: a code of the kernel."""
    guess: int = OWN_GUESS
    """How it guesses: RANDOM_GUESS, LEAST_RISK_GUESS, or OWN_GUESS by its guesser."""
    make_guesser: Callable[[Board, Any, TrackedPosition], GuesserState] | None = None
    """Make the guesser's state for a board and settings; it may use the game's tracked position."""
    make_rollouts: Callable[[Board, Any], Rollouts] | None = None
    """Make the roll-outs for a guesser that requests them; None if it never does."""

    def __post_init__(self) -> None:
        if (self.guess == OWN_GUESS) != (self.make_guesser is not None):
            raise ValueError("OWN_GUESS and make_guesser belong together")
        if self.guess == LEAST_RISK_GUESS and self.deduction != WITH_MINE_COUNT:
            raise ValueError("LEAST_RISK_GUESS needs the probabilities of WITH_MINE_COUNT")


@dataclass(frozen=True)
class Player:
    """An entry of PLAYERS."""

    name: str
    about: str
    make_agent: Callable[[Position, int, Any], Agent]
    """Make an agent that plays from a position, with a random seed and settings."""
    settings: PlayerSettings = PlayerSettings()
    compiled: Compiled | None = None
    """Its form in the batch kernel; without one `play_many` plays move by move in Python."""

    def start(self, position: Position, seed: int) -> Agent:
        """Return an agent that plays from a position; *seed* is for random guesses."""
        return self.make_agent(position, seed, self.settings)

    def with_settings(self, changes: Mapping[str, object]) -> Player:
        """Return the same player with some settings changed.

        >>> from sapper.players.registry import PLAYERS
        >>> PLAYERS["thoughtful"].with_settings({"blend": 1.0}).settings.blend
        1.0
        """
        if changes and not fields(self.settings):
            raise NotationError(f"{self.name} has no settings, got {next(iter(changes))!r:.60}")
        return replace(self, settings=self.settings.replace(changes))
