"""Players: they always move. Certain moves first, each with its reason; else a guess of their own.

A player sees frames only. `Player.start` gives it the frame, a seed for its luck and a budget;
then it is asked to `choose` and told what changed, move after move, as a solver is.
Flags that stand in the frame at the start are believed (hand over `frame.without_flags()` where
they are opinions); flags that it is told of later are opinions.
To add one, add a row to PLAYERS. A compiled twin is a branch in `sapper.kernels.play.games`;
without one `play_many` plays move by move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sapper.infer.budget import Budget
from sapper.infer.slagle.human import HumanSolver
from sapper.kernels.play.games import KINDS
from sapper.model.family import Family
from sapper.model.frame import FLAG, Frame
from sapper.play.guess import Luck
from sapper.play.rounds import Choice, Exact, Mind, Rounds, Searching

DEFAULT = Budget()
Start = Callable[[Frame, int, Budget], Mind]


@dataclass(frozen=True)
class Player:
    """A row of PLAYERS: `start(frame, seed, budget)` sits it down at a game."""

    name: str
    about: str
    start: Start
    twin: int | None = None
    """The compiled player that makes the same moves, where there is one: a code of the kernel."""


def _random(frame: Frame, seed: int, budget: Budget) -> Mind:
    return Rounds(frame, (), Luck(seed).blank)


def _human(frame: Frame, seed: int, budget: Budget) -> Mind:
    return Rounds(frame, (HumanSolver(frame, pairs=False), HumanSolver(frame)), Luck(seed).blank)


def _hybrid(frame: Frame, seed: int, budget: Budget) -> Mind:
    solvers = HumanSolver(frame, pairs=False), HumanSolver(frame), Searching(frame, budget)
    return Rounds(frame, solvers, Luck(seed).blank)


def _careful(frame: Frame, seed: int, budget: Budget) -> Mind:
    exact = Exact(frame, budget)
    solvers = HumanSolver(frame, pairs=False), HumanSolver(frame), exact
    return Rounds(frame, solvers, exact.least_odds)


PLAYERS = Family(
    "player",
    (
        Player("random", "any blank", _random, KINDS["random"]),
        Player("human", "strategies 1 to 7, else any blank", _human, KINDS["human"]),
        Player(
            "hybrid",
            "all that follows without the mine count, else any blank",
            _hybrid,
            KINDS["hybrid"],
        ),
        Player(
            "careful",
            "all that is certain, else the blank of least odds",
            _careful,
            KINDS["careful"],
        ),
    ),
)


def advise(
    frame: Frame,
    player: str | Player = "careful",
    *,
    seed: int = 0,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
) -> Choice:
    """The reveal that a player would make next, with its reason; its flags are passed over.

    *seed* is for players that guess at random. Raises IllegalMove where nothing is left to reveal,
    and Contradiction as `analyse` does.

    >>> frame = Frame.parse("# 1 # # #", mines=2)
    >>> advise(frame).text(frame)
    'reveal r1c1: guess at 50.0 % risk, one of 4 equals; next best r1c5 at 50.0 %'
    """
    seen = frame if trust_flags else frame.without_flags()
    mind = PLAYERS.find(player).start(seen, seed, budget)
    while (choice := mind.choose()).move.action == "flag":
        assert choice.move.cell is not None
        mind.learn({choice.move.cell: FLAG})
    return choice
