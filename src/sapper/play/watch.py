"""A solver or a player at work on a whole game, move by move, each with its reason.

A solver's game ends won, or stuck where it finds nothing more; a player guesses on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sapper.errors import OutOfBudget, RulesError
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit
from sapper.infer.solution import Deduction
from sapper.infer.solvers import SOLVERS, Solver
from sapper.model.frame import BLANK, Frame
from sapper.model.game import Game
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.play.players import PLAYERS, Player
from sapper.play.rounds import Choice, Why
from sapper.values import need
from sapper.wording import counted


@dataclass(frozen=True)
class Step:
    """One move of a game, what gave it, and the frame after it."""

    move: Move
    why: Why
    frame: Frame
    changed: tuple[int, ...]
    """The cells whose mark changed."""

    @property
    def text(self) -> str:
        """The move and its reason, as one line."""
        return f"{self.move.format(self.frame.board)}: {self.why.reason(self.frame)}"


@dataclass
class Tally:
    """What happened in a game, told step by step."""

    moves: int = 0
    by: Counter[str] = field(default_factory=Counter)
    """How many moves each strategy or solver gave, and how many were guesses."""
    why_stopped: str = ""
    """Why the solver stopped before the end, if it did."""

    def add(self, step: Step) -> None:
        """Count a step."""
        self.moves += 1
        self.by[step.why.by] += 1

    def summary(self, game: Game) -> str:
        """Won, lost (and where) or stuck, and the moves by what gave them."""
        if game.outcome == "playing":
            left = counted(len(game.frame.blanks), "blank")
            how = f"stuck with {left} left ({self.why_stopped})"
        elif game.outcome == "lost":
            how = f"lost at {' and '.join(map(game.board.name, sorted(game.exploded)))}"
        else:
            how = game.outcome
        given = ", ".join(f"{name}: {count}" for name, count in sorted(self.by.items()))
        return f"{how} after {counted(self.moves, 'move')}" + (f" ({given})" if given else "")


class Chooser(Protocol):
    """Who makes the moves of a watched game: a player, or a solver as long as it finds any."""

    def choose(self, limit: Limit) -> Choice | None:
        """The next move; None when stuck."""

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""


class Playing:
    """A game played move by move from its first click; *sit* starts the one who makes the moves.

    A step that its limit stopped can be asked for again: nothing is lost.
    """

    def __init__(
        self, game: Game, first: int, sit: Callable[[Frame], Chooser], tally: Tally | None = None
    ):
        self.game = game
        self.tally = Tally() if tally is None else tally
        self._first = first
        self._sit = sit
        self._chooser: Chooser | None = None

    @classmethod
    def solver(cls, game: Game, solver: Solver, first: int, tally: Tally | None = None) -> Playing:
        """A solver at work; it stops when it finds nothing more."""
        return cls(game, first, lambda frame: Solving(solver, frame), tally)

    @classmethod
    def player(
        cls, game: Game, player: Player, first: int, seed: int, tally: Tally | None = None
    ) -> Playing:
        """A player at work, to the end of the game; *seed* is for its luck."""
        return cls(game, first, lambda frame: player.start(frame, seed), tally)

    @property
    def chooser(self) -> Chooser | None:
        """Who makes the moves, once the first click is made."""
        return self._chooser

    def step(self, limit: Limit) -> Step | None:
        """Make the next move; None when the game is over or nothing moves."""
        if self._chooser is None:
            step = self._make(Move("reveal", self._first), Deduction("first click"))
            self._chooser = self._sit(self.game.frame)
            return step
        if self.game.over:
            return None
        choice = self._chooser.choose(limit)
        if choice is None:
            self.tally.why_stopped = "no certain move"
            return None
        step = self._make(choice.move, choice.why)
        self._chooser.learn({c: int(step.frame.marks[c]) for c in step.changed})
        return step

    def steps(self, budget: Budget, cancel: Cancel | None = None) -> Iterator[Step]:
        """Step after step; the budget is for each of them."""
        while (step := self.step(budget.start(cancel))) is not None:
            yield step

    def _make(self, move: Move, why: Why) -> Step:
        changed = tuple(self.game.play(move).tolist())
        step = Step(move, why, self.game.frame, changed)
        self.tally.add(step)
        return step


class Solving:
    """A solver led along a game: it makes what it found, and then finds more."""

    def __init__(self, solver: Solver, frame: Frame):
        self._frame = frame
        self._solver = solver.along(frame) if solver.along else FrameByFrame(solver, frame)
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
        self._frame = self._frame.with_marks(changes)
        self._solver.learn(changes)

    def _waiting(self) -> Choice | None:
        """The next of the moves that were found, unless it is made already."""
        while self._next:
            choice = self._next.popleft()
            if self._frame.marks[choice.move.cell] == BLANK:
                return choice
        return None


class FrameByFrame:
    """A solver that keeps nothing between frames, led along a game."""

    def __init__(self, solver: Solver, frame: Frame):
        self._solver = solver
        self._frame = frame

    def moves(self, limit: Limit) -> list[Deduction]:
        """The certain moves of the frame as it is now."""
        return list(self._solver.function(self._frame, limit, False).deductions)

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._frame = self._frame.with_marks(changes)


def watch(
    game: Game | Layout,
    solver: str | Solver | None = None,
    *,
    player: str | Player | None = None,
    first: int | str | None = None,
    seed: int | None = None,
    tally: Tally | None = None,
    budget: Budget = DEFAULT,
) -> Iterator[Step]:
    """Somebody at work on a game from its first click: steps come as they are made.

    A solver stops when it is stuck; a player guesses on, with luck of *seed*, that of the deal
    unless given. The first click is *first*, else that of the layout, else the middle cell.
    A *tally* is kept along and says at the end how it went; the budget is for each search.

    >>> [step.text for step in watch(Layout.parse("*..*c"), "human")]
    ['reveal r1c5: first click', 'flag r1c4: strategy 1 on r1c5']
    """
    need(game, (Game, Layout), "a game or a layout")
    if (solver is None) == (player is None):
        came = "neither" if solver is None else "both"
        raise RulesError(f"expected a solver or a player, got {came}")
    click = game.click if isinstance(game, Layout) and first is None else first
    game = Game.on(game) if isinstance(game, Layout) else game
    cell = game.board.middle if click is None else game.board.cell(click)
    told = Tally() if tally is None else tally
    if solver is not None:
        return watch_solver(game, SOLVERS.find(solver), told, cell, budget)
    assert player is not None
    luck = (game.seed or 0) if seed is None else seed
    return watch_player(game, PLAYERS.find(player), told, cell, luck, budget)


def watch_solver(
    game: Game, solver: Solver, tally: Tally, first: int, budget: Budget = DEFAULT
) -> Iterator[Step]:
    """Play a game from its first click until it is over or the solver is stuck.

    Steps come as they are made; *tally* is kept along and says at the end why it stopped.
    The budget is for each search.
    """
    try:
        yield from Playing.solver(game, solver, first, tally).steps(budget)
    except OutOfBudget as error:
        tally.why_stopped = str(error)


def watch_player(
    game: Game,
    player: Player,
    tally: Tally,
    first: int,
    seed: int,
    budget: Budget = DEFAULT,
) -> Iterator[Step]:
    """Play a game from its first click to its end, as a player would; *seed* is for its luck."""
    return Playing.player(game, player, first, seed, tally).steps(budget)
