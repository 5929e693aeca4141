"""Games played by a solver or a player, one move at a time, each with its reason.

A solver's game ends won, or stuck where it finds no further move; a player then guesses.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import COVERED, Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.errors import NotationError, OutOfBudget, RulesError
from sapper.games.game import Game
from sapper.games.setup import GameSetup, LayoutGenerators
from sapper.players.agents import Agent, Choice, Reason
from sapper.players.patient import PatientAgent, PatientGuesser
from sapper.players.player import Player
from sapper.players.registry import PLAYERS
from sapper.solvers.registry import SOLVERS, Solver
from sapper.solvers.result import Deduction
from sapper.values import check_type
from sapper.wording import count_text

DEFAULT_SOLVER = "hybrid"
# The default on no-guess boards: unlike the papers' solvers, it uses the mine count.
DEFAULT_NO_GUESS_SOLVER = "exact"
WATCHABLE: Mapping[str, Mapping[str, Solver] | Mapping[str, Player]] = {
    "solver": SOLVERS,
    "player": PLAYERS,
}


@dataclass(frozen=True)
class WatchStep:
    """A move of a watched game, its reason, and the position after it."""

    move: Move
    reason: Reason
    position: Position
    changed: tuple[int, ...]
    """The cells whose mark changed."""

    @property
    def text(self) -> str:
        """The move and its reason, as one line."""
        return f"{self.move.format(self.position.board)}: {self.reason.describe(self.position)}"


@dataclass
class MoveTally:
    """The moves of a watched game, counted by their origin."""

    moves: int = 0
    by: Counter[str] = field(default_factory=Counter)
    """The number of moves by strategy or solver, and of guesses."""
    stop_reason: str = ""
    """Why the solver stopped before the end, if it did."""

    def add(self, step: WatchStep) -> None:
        """Count a step."""
        self.moves += 1
        self.by[step.reason.by] += 1

    def summary(self, game: Game) -> str:
        """Return a line with the outcome and the number of moves by origin."""
        if game.outcome == "playing":
            left = count_text(len(game.position.covered), "covered cell")
            outcome = f"stuck with {left} left ({self.stop_reason})"
        elif game.outcome == "lost":
            outcome = f"lost at {' and '.join(map(game.board.name, sorted(game.exploded)))}"
        else:
            outcome = game.outcome
        by = ", ".join(f"{name}: {count}" for name, count in sorted(self.by.items()))
        return f"{outcome} after {count_text(self.moves, 'move')}" + (f" ({by})" if by else "")


class WatchedGame:
    """A game that a solver or a player plays, one step at a time.

    A step that exceeded its limit may be tried again.
    """

    def __init__(self, game: Game, program: Solver | Player, first: int, seed: int = 0) -> None:
        self.game = game
        self.program = program
        self.tally = MoveTally()
        self.chooser: SolverChooser | Agent | None = None
        """The chooser of the moves, once the first click is made."""
        self._first = first
        self._seed = seed

    @property
    def kind(self) -> str:
        """'solver' or 'player'."""
        return "solver" if isinstance(self.program, Solver) else "player"

    @property
    def name(self) -> str:
        """The name of the solver or player."""
        return self.program.name

    @property
    def summary(self) -> str:
        """The outcome so far, and the number of moves by origin."""
        return self.tally.summary(self.game)

    @property
    def guesser(self) -> PatientGuesser | None:
        """The guesser of a player that compares guesses by roll-outs, to watch or to interrupt."""
        return self.chooser.guesser if isinstance(self.chooser, PatientAgent) else None

    def step(self, limit: Limit) -> WatchStep | None:
        """Make the next move; return None when the game is over or the solver is stuck.

        A solver that exceeds the limit counts as stuck. Raise OutOfBudget if the step was
        cancelled, a player exceeded the limit, or no layout was found.
        """
        try:
            return self._step(limit)
        except OutOfBudget as error:
            if limit.cancelled or self.kind == "player" or self.game.layout is None:
                raise
            self.tally.stop_reason = str(error)
            return None

    def steps(
        self, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
    ) -> Iterator[WatchStep]:
        """Yield the steps of the game; the budget applies to each of them."""
        while (step := self.step(budget.start(cancel))) is not None:
            yield step

    def _step(self, limit: Limit) -> WatchStep | None:
        if self.chooser is None:
            step = self._make_move(Move("reveal", self._first), Deduction("first click"))
            if isinstance(self.program, Solver):
                self.chooser = SolverChooser(self.program, step.position)
            else:
                self.chooser = self.program.start(step.position, self._seed)
            return step
        if self.game.over:
            return None
        choice = self.chooser.choose(limit)
        if choice is None:
            self.tally.stop_reason = "no certain move"
            return None
        step = self._make_move(choice.move, choice.reason)
        self.chooser.update({c: int(step.position.marks[c]) for c in step.changed})
        return step

    def _make_move(self, move: Move, reason: Reason) -> WatchStep:
        changed = tuple(self.game.play(move).tolist())
        step = WatchStep(move, reason, self.game.position, changed)
        self.tally.add(step)
        return step


class SolverChooser:
    """Chooses the moves that a solver finds, and runs the solver again when they are made."""

    def __init__(self, solver: Solver, position: Position):
        self._position = position
        make_solver = solver.incremental or partial(StatelessSolver, solver)
        self._solver = make_solver(position)
        self._queue: deque[Choice] = deque()

    def choose(self, limit: Limit) -> Choice | None:
        """Return the next certain move; None when the solver finds no more."""
        if (choice := self._next_queued()) is not None:
            return choice
        for deduction in self._solver.moves(limit):
            for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal)):
                self._queue.extend(Choice(Move(action, cell), deduction) for cell in cells)
        return self._next_queued()

    def update(self, changes: Mapping[int, int]) -> None:
        """Update the known marks."""
        self._position = self._position.with_marks(changes)
        self._solver.update(changes)

    def _next_queued(self) -> Choice | None:
        """Return the next move that is not made yet."""
        while self._queue:
            choice = self._queue.popleft()
            if self._position.marks[choice.move.cell] == COVERED:
                return choice
        return None


class StatelessSolver:
    """Applies a solver without state to each position of a game."""

    def __init__(self, solver: Solver, position: Position):
        self._solver = solver
        self._position = position

    def moves(self, limit: Limit) -> list[Deduction]:
        """Return the certain moves of the current position."""
        return list(self._solver.function(self._position, limit, False).deductions)

    def update(self, changes: Mapping[int, int]) -> None:
        """Update the known marks."""
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
    """Play a game from its first click with a solver or a player; yield steps as they are made.

    A solver stops when it is stuck; a player guesses, with the random numbers of *seed* (that
    of the game by default). The first click is *first*, or else that of the layout, or else the
    middle cell. *tally* is updated with each step; *budget* applies to each step.

    >>> [step.text for step in watch(Layout.parse("*..*c"), "human")]
    ['reveal r1c5: first click', 'flag r1c4: strategy 1 on r1c5']
    """
    check_type(game, (Game, Layout), "a game or a layout")
    if (solver is None) == (player is None):
        got = "neither" if solver is None else "both"
        raise RulesError(f"expected a solver or a player, got {got}")
    click = game.click if isinstance(game, Layout) and first is None else first
    game = Game.from_layout(game) if isinstance(game, Layout) else game
    cell = game.board.middle if click is None else game.board.cell(click)
    random_seed = (game.seed or 0) if seed is None else seed
    program = SOLVERS.find(solver) if solver is not None else PLAYERS.find(player or "")
    watched = WatchedGame(game, program, cell, random_seed)
    if tally is not None:
        watched.tally = tally
    return watched.steps(budget)


def watch_setup(
    setup: GameSetup,
    kind: str = "solver",
    name: str | None = None,
    first: str | int | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    layout_generators: LayoutGenerators | None = None,
) -> WatchedGame:
    """Return the game of a setup, played by the solver or player of that name.

    *first* is the first click, by default the middle cell; *settings* are changed settings of the
    player.
    """
    if kind not in WATCHABLE:
        raise NotationError(f"expected a solver or a player, got {kind!r:.60}")
    cell = setup.rules.first_cell(first)
    setup.rules.check_first(cell)
    game = Game(setup, layout_generators)
    if name is None:
        name = DEFAULT_SOLVER if setup.generator == "plain" else DEFAULT_NO_GUESS_SOLVER
    if kind == "player":
        player = PLAYERS.find(name).with_settings(settings or {})
        return WatchedGame(game, player, cell, setup.seed or 0)
    if settings:
        raise NotationError(f"expected no settings for a solver, got {next(iter(settings))!r:.60}")
    return WatchedGame(game, SOLVERS.find(name), cell)


def timed_players() -> list[str]:
    """Return the names of the players whose thinking time can be set in seconds."""
    return [name for name, player in PLAYERS.items() if hasattr(player.settings, "seconds")]
