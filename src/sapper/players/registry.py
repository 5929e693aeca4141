"""Players: they always move. Certain moves first, each with its reason; else a guess of their own.

A player sees positions only. `Player.start` gives it the position and a seed for its luck; then it is
asked to `choose` within a limit, and told what changed, move after move, as a solver is.
Flags that stand in the position at the start are believed (hand over `position.without_flags()` where
they are opinions); flags that it is told of later are opinions.
To add one, add a row to PLAYERS. A compiled twin is a branch in `sapper.kernels.games.whole_games`;
without one `play_many` plays move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sapper.board.position import FLAG, Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, start_limit
from sapper.errors import NotationError
from sapper.kernels.codes import (
    CAREFUL,
    HUMAN,
    HYBRID,
    LEARNED,
    PATIENT,
    RANDOM,
    SHREWD,
    THOUGHTFUL,
)
from sapper.players.agents import Agent, BudgetedHybridSolver, Choice, ExactSolver, SolverAgent
from sapper.players.guess import RandomGuesser
from sapper.players.learned import LearnedGuesser
from sapper.players.learned_settings import LearnedSettings
from sapper.players.patient import PatientAgent, PatientGuesser
from sapper.players.patient_settings import PatientSettings
from sapper.players.settings import PlayerSettings
from sapper.players.shrewd import ShrewdGuesser
from sapper.players.shrewd_settings import ShrewdSettings
from sapper.players.thoughtful import ThoughtfulGuesser
from sapper.players.thoughtful_settings import ThoughtfulSettings
from sapper.registry import Registry
from sapper.solvers.human import HumanSolver
from sapper.solvers.registry import IncrementalSolver
from sapper.values import check_int, check_type

StartAgent = Callable[[Position, int], Agent]


@dataclass(frozen=True)
class Player:
    """A row of PLAYERS: `start(position, seed)` sits it down at a game."""

    name: str
    about: str
    start: StartAgent
    twin: int | None = None
    """The compiled player that makes the same moves, where there is one: a code of the kernel."""
    settings: PlayerSettings | None = None
    """What can be chosen for the player, with the usual values; None where nothing can."""

    sit: Callable[[Any], StartAgent] | None = None
    """The same by settings, for a player that has any."""

    def but(self, chosen: Mapping[str, object]) -> Player:
        """The same player with some settings that are not the usual ones.

        >>> PLAYERS.find("thoughtful").but({"blend": 1.0}).settings.blend
        1.0
        """
        check_type(chosen, Mapping, "settings by name")
        self.check_settings(chosen.items())
        if self.settings is None or self.sit is None:
            return self
        settings = self.settings.but(chosen.items())
        return replace(self, settings=settings, start=self.sit(settings))

    def check_settings(self, chosen: Iterable[tuple[str, object]]) -> None:
        """Refuse settings that the player does not have."""
        if self.settings is not None:
            self.settings.but(chosen)
            return
        for name, _ in chosen:
            raise NotationError(f"expected no settings for {self.name}, got {name!r:.60}")


def _random(position: Position, seed: int) -> Agent:
    return SolverAgent(position, (), RandomGuesser(seed).covered)


def _human(position: Position, seed: int) -> Agent:
    return SolverAgent(
        position,
        (HumanSolver(position, pairs=False), HumanSolver(position)),
        RandomGuesser(seed).covered,
    )


def _hybrid(position: Position, seed: int) -> Agent:
    solvers = (
        HumanSolver(position, pairs=False),
        HumanSolver(position),
        BudgetedHybridSolver(position),
    )
    return SolverAgent(position, solvers, RandomGuesser(seed).covered)


def _careful(position: Position, seed: int) -> Agent:
    exact = ExactSolver(position)
    solvers = HumanSolver(position, pairs=False), HumanSolver(position), exact
    return SolverAgent(position, solvers, exact.least_risk)


def _thoughtful(settings: ThoughtfulSettings) -> StartAgent:
    return lambda position, _: _guessing(position, ThoughtfulGuesser(settings))


def _learned(settings: LearnedSettings) -> StartAgent:
    return lambda position, _: _guessing(position, LearnedGuesser(settings))


def _shrewd(settings: ShrewdSettings) -> StartAgent:
    return lambda position, _: _guessing(position, ShrewdGuesser(settings))


def _patient(settings: PatientSettings) -> StartAgent:
    return lambda position, _: PatientAgent(position, _solvers(position), PatientGuesser(settings))


def _guessing(position: Position, thinking: ThoughtfulGuesser | LearnedGuesser) -> Agent:
    return SolverAgent(position, _solvers(position), thinking.guess)


def _solvers(position: Position) -> tuple[IncrementalSolver, ...]:
    return HumanSolver(position, pairs=False), HumanSolver(position), ExactSolver(position)


def _with_settings(
    name: str, about: str, sit: Callable[[Any], StartAgent], twin: int, settings: PlayerSettings
) -> Player:
    return Player(name, about, sit(settings), twin, settings, sit)


PLAYERS = Registry(
    "player",
    (
        Player("random", "any covered cell", _random, RANDOM),
        Player("human", "strategies 1 to 7, else any covered cell", _human, HUMAN),
        Player(
            "hybrid",
            "all that follows without the mine count, else any covered cell",
            _hybrid,
            HYBRID,
        ),
        Player(
            "careful",
            "all that is certain, else the covered cell of least probability",
            _careful,
            CAREFUL,
        ),
        _with_settings(
            "thoughtful",
            "perfect endings, else the best of two moves ahead, with an eye on fifty-fifties",
            _thoughtful,
            THOUGHTFUL,
            ThoughtfulSettings(),
        ),
        _with_settings(
            "learned",
            "perfect endings, else what a network learned to value most; thoughtful off squares",
            _learned,
            LEARNED,
            LearnedSettings(),
        ),
        _with_settings(
            "shrewd",
            "perfect endings, else a network's best candidates, weighed once more",
            _shrewd,
            SHREWD,
            ShrewdSettings(),
        ),
        _with_settings(
            "patient",
            "as shrewd, but guesses are thought over: candidates are played out on samples",
            _patient,
            PATIENT,
            PatientSettings(),
        ),
    ),
)


def advise(
    position: Position,
    player: str | Player = "careful",
    *,
    seed: int = 0,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Choice:
    """The reveal that a player would make next, with its reason; its flags are passed over.

    *seed* is for players that guess at random. Raises IllegalMove where nothing is left to reveal,
    and Contradiction as `analyse` does.

    >>> position = Position.parse("# 1 # # #", mines=2)
    >>> advise(position).text(position)
    'reveal r1c1: guess at 50% risk, one of 4 equals; next best r1c5 at 50%'
    """
    check_type(position, Position, "a position")
    seen = position if trust_flags else position.without_flags()
    limit = start_limit(budget, cancel)
    agent = PLAYERS.find(player).start(seen, check_int(seed, "a seed"))
    while (choice := agent.choose(limit)).move.action == "flag":
        assert choice.move.cell is not None
        agent.update({choice.move.cell: FLAG})
    return choice
