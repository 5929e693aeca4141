"""The parts of a player: its entry in PLAYERS, its settings, and its compiled guesser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Protocol, Self, TypeVar

from sapper.board.board import Board, Ints
from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.errors import NotationError, unknown_name
from sapper.kernels import view
from sapper.kernels.codes import LEAST_RISK_GUESS, OWN_GUESS, WITH_MINE_COUNT
from sapper.kernels.players import guessing
from sapper.kernels.players.guessing import GuesserState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.agents import Agent
from sapper.players.guess import Guess, covered_cells, least_risk

LARGEST_SETTING = 1e9
TYPE_NAMES = {bool: "true or false", int: "an integer", float: "a number", str: "text"}
ADDED_LATER = "added later"
"""The key in the metadata of a setting that stored campaigns do not have."""
MAX_POOLED_BOARDS = 4
"""Boards (with settings) for which idle states of a guesser are kept."""

S = TypeVar("S")
"""The settings of a player."""
State = TypeVar("State")
"""The state of a compiled guesser, or of its roll-outs."""

Setting = bool | int | float | str
Settings = tuple[tuple[str, Setting], ...]
"""All settings of a player as pairs in the order of their names: what campaigns store."""


@dataclass(frozen=True)
class PlayerSettings:
    """Settings of a player; a subclass adds fields, each with its default."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value: Any = getattr(self, field.name)
            expected, actual = type(field.default), type(value)
            if actual is not expected and (expected, actual) != (float, int):
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
            is_integer = type(defaults[name]) is float and type(value) is int
            chosen[name] = float(value) if is_integer else value  # type: ignore[arg-type]
        return replace(self, **chosen)

    @property
    def pairs(self) -> Settings:
        """All settings, in the order of their names.

        One that was added later is left out at its default: stored campaigns do not have it.
        """
        stored = (
            field
            for field in fields(self)
            if not (field.metadata.get(ADDED_LATER) and getattr(self, field.name) == field.default)
        )
        return tuple(sorted((field.name, getattr(self, field.name)) for field in stored))


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


class StatePool(Generic[S, State]):
    """A pool of idle states by board and settings: they take long to make."""

    def __init__(self, make: Callable[[Board, S], State]):
        self._make = make
        self._idle: dict[tuple[Board, S], list[State]] = {}

    @contextmanager
    def borrow(self, board: Board, settings: S) -> Iterator[State]:
        """Lend a state to this thread; after an error it is not reused."""
        key = board, settings
        try:
            state = self._idle.get(key, []).pop()
        except IndexError:
            state = self._make(board, settings)
        yield state
        if len(self._idle) < MAX_POOLED_BOARDS or key in self._idle:
            self._idle.setdefault(key, []).append(state)


class CompiledGuesser(Generic[S]):
    """A compiled guesser with its settings, which chooses a cell and explains the choice."""

    def __init__(
        self,
        pool: StatePool[S, GuesserState],
        explain: Callable[[Position, GuesserState, S, Limit], Guess],
        settings: S,
    ):
        self._pool = pool
        self._explain = explain
        self._settings = settings

    def guess(self, position: Position, limit: Limit | None = None) -> Guess:
        """Return the best reveal; flags of the position are trusted.

        Without a mine count, and if floating point cannot represent the numbers of solutions, that
        is the covered cell of least probability.
        """
        limit = limit or DEFAULT_BUDGET.start()
        covered_cells(position)
        if position.mines is not None:
            with self._pool.borrow(position.board, self._settings) as state:
                if run_guesser(state, position.marks, position.mines, True, limit) == workspace.OK:
                    return self._explain(position, state, self._settings, limit)
        return least_risk(
            position, analyse(position, trust_flags=True, budget=limit).probability_array
        )


def run_guesser(state: GuesserState, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let a guesser choose; return OK, or the status of an engine that has no answer."""
    array = view(marks)
    return workspace.run_within(
        limit, state.p.general, lambda: guessing.run(state, array, mines, trust)
    )
