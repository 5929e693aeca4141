"""A solver or a player at work on a whole game, move by move, each with its reason.

A solver's game ends won, or stuck where it finds nothing more; a player guesses on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import COVERED, Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.errors import OutOfBudget, RulesError
from sapper.games.game import Game
from sapper.players.agents import Choice, Why
from sapper.players.registry import PLAYERS, Player
from sapper.solvers.registry import SOLVERS, Solver
from sapper.solvers.result import Deduction
from sapper.values import check_type
from sapper.wording import counted


@dataclass(frozen=True)
class WatchStep:
    """One move of a game, what gave it, and the position after it."""

    move: Move
    why: Why
    position: Position
    changed: tuple[int, ...]
    """The cells whose mark changed."""

    @property
    def text(self) -> str:
        """The move and its reason, as one line."""
        return f"{self.move.format(self.position.board)}: {self.why.reason(self.position)}"


@dataclass
class MoveTally:
    """What happened in a game, told step by step."""

    moves: int = 0
    by: Counter[str] = field(default_factory=Counter)
    """How many moves each strategy or solver gave, and how many were guesses."""
    why_stopped: str = ""
    """Why the solver stopped before the end, if it did."""

    def add(self, step: WatchStep) -> None:
        """Count a step."""
        self.moves += 1
        self.by[step.why.by] += 1

    def summary(self, game: Game) -> str:
        """Won, lost (and where) or stuck, and the moves by what gave them."""
        if game.outcome == "playing":
            left = counted(len(game.position.covered), "covered cell")
            how = f"stuck with {left} left ({self.why_stopped})"
        elif game.outcome == "lost":
            how = f"lost at {' and '.join(map(game.board.name, sorted(game.exploded)))}"
        else:
            how = game.outcome
        given = ", ".join(f"{name}: {count}" for name, count in sorted(self.by.items()))
        return f"{how} after {counted(self.moves, 'move')}" + (f" ({given})" if given else "")


class MoveChooser(Protocol):
    """Who makes the moves of a watched game: a player, or a solver as long as it finds any."""

    def choose(self, limit: Limit) -> Choice | None:
        """The next move; None when stuck."""

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""


class WatchedGame:
    """A game played move by move from its first click; *sit* starts the one who makes the moves.

    A step that its limit stopped can be asked for again: nothing is lost.
    """

    def __init__(
        self,
        game: Game,
        first: int,
        sit: Callable[[Position], MoveChooser],
        tally: MoveTally | None = None,
    ):
        self.game = game
        self.tally = MoveTally() if tally is None else tally
        self._first = first
        self._sit = sit
        self._chooser: MoveChooser | None = None

    @classmethod
    def solver(
        cls, game: Game, solver: Solver, first: int, tally: MoveTally | None = None
    ) -> WatchedGame:
        """A solver at work; it stops when it finds nothing more."""
        return cls(game, first, lambda position: SolverChooser(solver, position), tally)

    @classmethod
    def player(
        cls, game: Game, player: Player, first: int, seed: int, tally: MoveTally | None = None
    ) -> WatchedGame:
        """A player at work, to the end of the game; *seed* is for its luck."""
        return cls(game, first, lambda position: player.start(position, seed), tally)

    @property
    def chooser(self) -> MoveChooser | None:
        """Who makes the moves, once the first click is made."""
        return self._chooser

    def step(self, limit: Limit) -> WatchStep | None:
        """Make the next move; None when the game is over or nothing moves."""
        if self._chooser is None:
            step = self._make(Move("reveal", self._first), Deduction("first click"))
            self._chooser = self._sit(self.game.position)
            return step
        if self.game.over:
            return None
        choice = self._chooser.choose(limit)
        if choice is None:
            self.tally.why_stopped = "no certain move"
            return None
        step = self._make(choice.move, choice.why)
        self._chooser.learn({c: int(step.position.marks[c]) for c in step.changed})
        return step

    def steps(self, budget: Budget, cancel: Cancel | None = None) -> Iterator[WatchStep]:
        """Step after step; the budget is for each of them."""
        while (step := self.step(budget.start(cancel))) is not None:
            yield step

    def _make(self, move: Move, why: Why) -> WatchStep:
        changed = tuple(self.game.play(move).tolist())
        step = WatchStep(move, why, self.game.position, changed)
        self.tally.add(step)
        return step


class SolverChooser:
    """A solver led along a game: it makes what it found, and then finds more."""

    def __init__(self, solver: Solver, position: Position):
        self._position = position
        self._solver = (
            solver.incremental(position)
            if solver.incremental
            else StatelessSolver(solver, position)
        )
        self._next: deque[Choice] = deque()

    def choose(self, limit: Limit) -> Choice | None:
        """The next certain move that is still to be made; None when an answer has none."""
        if (choice := self._waiting()) is not None:
            return choice
        for deduction in self._solver.moves(limit):
            for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal)):
                self._next.extend(Choice(Move(action, cell), deduction) for cell in cells)
        return self._waiting()

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._position = self._position.with_marks(changes)
        self._solver.learn(changes)

    def _waiting(self) -> Choice | None:
        """The next of the moves that were found, unless it is made already."""
        while self._next:
            choice = self._next.popleft()
            if self._position.marks[choice.move.cell] == COVERED:
                return choice
        return None


class StatelessSolver:
    """A solver that keeps nothing between positions, led along a game."""

    def __init__(self, solver: Solver, position: Position):
        self._solver = solver
        self._position = position

    def moves(self, limit: Limit) -> list[Deduction]:
        """The certain moves of the position as it is now."""
        return list(self._solver.function(self._position, limit, False).deductions)

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._position = self._position.with_marks(changes)


def watch(
    game: Game | Layout,
    solver: str | Solver | None = None,
    *,
    player: str | Player | None = None,
    first: int | str | None = None,
    seed: int | None = None,
    tally: MoveTally | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Iterator[WatchStep]:
    """Somebody at work on a game from its first click: steps come as they are made.

    A solver stops when it is stuck; a player guesses on, with luck of *seed*, that of the deal
    unless given. The first click is *first*, else that of the layout, else the middle cell.
    A *tally* is kept along and says at the end how it went; the budget is for each search.

    >>> [step.text for step in watch(Layout.parse("*..*c"), "human")]
    ['reveal r1c5: first click', 'flag r1c4: strategy 1 on r1c5']
    """
    check_type(game, (Game, Layout), "a game or a layout")
    if (solver is None) == (player is None):
        came = "neither" if solver is None else "both"
        raise RulesError(f"expected a solver or a player, got {came}")
    click = game.click if isinstance(game, Layout) and first is None else first
    game = Game.from_layout(game) if isinstance(game, Layout) else game
    cell = game.board.middle if click is None else game.board.cell(click)
    told = MoveTally() if tally is None else tally
    if solver is not None:
        return watch_solver(game, SOLVERS.find(solver), told, cell, budget)
    assert player is not None
    luck = (game.seed or 0) if seed is None else seed
    return watch_player(game, PLAYERS.find(player), told, cell, luck, budget)


def watch_solver(
    game: Game, solver: Solver, tally: MoveTally, first: int, budget: Budget = DEFAULT_BUDGET
) -> Iterator[WatchStep]:
    """Play a game from its first click until it is over or the solver is stuck.

    Steps come as they are made; *tally* is kept along and says at the end why it stopped.
    The budget is for each search.
    """
    try:
        yield from WatchedGame.solver(game, solver, first, tally).steps(budget)
    except OutOfBudget as error:
        tally.why_stopped = str(error)


def watch_player(
    game: Game,
    player: Player,
    tally: MoveTally,
    first: int,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
) -> Iterator[WatchStep]:
    """Play a game from its first click to its end, as a player would; *seed* is for its luck."""
    return WatchedGame.player(game, player, first, seed, tally).steps(budget)
