"""Watching: a solver or a player sits down at a game, before a terminal or the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sapper.engine.budget import DEFAULT_BUDGET, Budget, Limit
from sapper.errors import NotationError, OutOfBudget
from sapper.games.game import Game
from sapper.games.setup import GameSetup
from sapper.games.watch import WatchedGame, WatchStep
from sapper.generators.layout_sources import layout_generators
from sapper.players.patient import PatientAgent, PatientGuesser
from sapper.players.registry import PLAYERS
from sapper.solvers.registry import SOLVERS

KINDS = ("solver", "player")
DEFAULT_SOLVER = "hybrid"
# Of the solvers, the one that never needs a guess on such a board: it uses the mine count.
DEFAULT_NO_GUESS_SOLVER = "exact"


@dataclass(frozen=True)
class Watch:
    """A game with somebody at it; the steps are made as they are asked for."""

    start: GameSetup
    kind: str
    name: str
    playing: WatchedGame

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return self.playing.game

    @property
    def summary(self) -> str:
        """How the game stands, and the moves by what gave them."""
        return self.playing.tally.summary(self.game)

    def step(self, limit: Limit) -> WatchStep | None:
        """The next step, None after the last; a solver beyond the limit is stuck, and says so.

        Where no layout to play on is found, OutOfBudget is raised. A step that was cancelled
        raises it too, and can be asked for again.
        """
        try:
            return self.playing.step(limit)
        except OutOfBudget as error:
            if limit.cancelled or self.kind == "player" or self.game.layout is None:
                raise
            self.stop(error)
            return None

    @property
    def guesser(self) -> PatientGuesser | None:
        """How a player thinks its guesses over, where it does; others may look on and hurry it."""
        chooser = self.playing.chooser
        return chooser.guesser if isinstance(chooser, PatientAgent) else None

    def stop(self, error: OutOfBudget) -> None:
        """Note why it went no further."""
        self.playing.tally.why_stopped = str(error)

    def steps(self, budget: Budget = DEFAULT_BUDGET) -> Iterator[WatchStep]:
        """Step after step; the budget is for each of them."""
        while (step := self.step(budget.start())) is not None:
            yield step


def watchable() -> dict[str, dict[str, str]]:
    """Who can be watched, by kind: names, each with a word about it."""
    return {
        "solver": {row.name: row.about for row in SOLVERS.values()},
        "player": {row.name: row.about for row in PLAYERS.values()},
    }


def timed_players() -> list[str]:
    """The players that can be given seconds to think a guess over."""
    return [row.name for row in PLAYERS.values() if hasattr(row.settings, "seconds")]


def start_watch(
    start: GameSetup,
    kind: str = "solver",
    name: str | None = None,
    first: str | int | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Watch:
    """Somebody at the game of a start; *first* is the first click, the middle unless given.

    *settings* are those of a player that are not to be the usual ones. The budget is for the deal.
    """
    if kind not in KINDS:
        raise NotationError(f"expected a solver or a player, got {kind!r:.60}")
    if name is None:
        name = DEFAULT_SOLVER if start.deal == "plain" else DEFAULT_NO_GUESS_SOLVER
    rules = start.rules
    cell = rules.first_cell(first)
    rules.check_first(cell)
    game = Game(rules.board, rules.mines, start.layout_source(layout_generators(budget)))
    if kind == "player":
        player = PLAYERS.find(name).but(settings or {})
        return Watch(
            start, kind, player.name, WatchedGame.player(game, player, cell, start.seed or 0)
        )
    solver = SOLVERS.find(name)
    if settings:
        raise NotationError(f"expected no settings for a solver, got {next(iter(settings))!r:.60}")
    return Watch(start, kind, solver.name, WatchedGame.solver(game, solver, cell))
