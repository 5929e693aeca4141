"""Watching: a solver or a player sits down at a game, before a terminal or the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sapper.errors import NotationError
from sapper.generate.dealers import DEALERS
from sapper.infer.budget import Budget
from sapper.infer.solvers import SOLVERS
from sapper.model.game import Game
from sapper.play.players import PLAYERS
from sapper.play.session import Start
from sapper.play.watch import Step, Tally, watch, watch_player

KINDS = ("solver", "player")
USUAL = "hybrid"
# Of the solvers, the one that never needs a guess on such a board: it uses the mine count.
USUAL_WITHOUT_GUESS = "exact"


@dataclass(frozen=True)
class Watch:
    """A game with somebody at it; the steps are made as they are asked for."""

    start: Start
    kind: str
    name: str
    game: Game
    steps: Iterator[Step]
    tally: Tally = field(default_factory=Tally)

    @property
    def summary(self) -> str:
        """How the game stands, and the moves by what gave them."""
        return self.tally.summary(self.game)


def who() -> dict[str, dict[str, str]]:
    """Who can be watched, by kind: names, each with a word about it."""
    return {
        "solver": {row.name: row.about for row in SOLVERS},
        "player": {row.name: row.about for row in PLAYERS},
    }


def sit_down(
    start: Start,
    kind: str = "solver",
    name: str | None = None,
    first: str | int | None = None,
    budget: Budget | None = None,
) -> Watch:
    """Somebody at the game of a start; *first* is the first click, the middle unless given."""
    if kind not in KINDS:
        raise NotationError(f"expected a solver or a player, got {kind!r:.60}")
    if name is None:
        name = USUAL if start.deal == "plain" else USUAL_WITHOUT_GUESS
    rules = start.rules
    cell = rules.board.middle if first is None else rules.board.cell(first)
    rules.check_first(cell)
    game, tally = Game(rules.board, rules.mines, start.dealer(DEALERS)), Tally()
    if kind == "player":
        player = PLAYERS.find(name)
        steps = watch_player(game, player, tally, cell, start.seed or 0, budget)
    else:
        steps = watch(game, SOLVERS.find(name), tally, cell, budget)
    return Watch(start, kind, name, game, steps, tally)
