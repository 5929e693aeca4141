"""Players: they always move. Certain moves first, each with its reason; else a guess of their own.

A player sees frames only. `Player.start` gives it the frame and a seed for its luck; then it is
asked to `choose` within a limit, and told what changed, move after move, as a solver is.
Flags that stand in the frame at the start are believed (hand over `frame.without_flags()` where
they are opinions); flags that it is told of later are opinions.
To add one, add a row to PLAYERS. A compiled twin is a branch in `sapper.kernels.play.games`;
without one `play_many` plays move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sapper.errors import NotationError
from sapper.infer.budget import DEFAULT, Budget, Cancel, started
from sapper.infer.slagle.human import HumanSolver
from sapper.infer.solvers import GameSolver
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
from sapper.model.family import Family
from sapper.model.frame import FLAG, Frame
from sapper.play.guess import Dice
from sapper.play.learned.mind import Learning
from sapper.play.learned.settings import LearnedSettings
from sapper.play.patient.mind import Patient, Pondering
from sapper.play.patient.settings import PatientSettings
from sapper.play.rounds import Choice, Exact, Mind, Rounds, Searching
from sapper.play.settings import PlayerSettings
from sapper.play.shrewd.mind import Judging
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.play.thoughtful.mind import Thinking
from sapper.play.thoughtful.settings import ThoughtfulSettings
from sapper.values import need, whole

SitDown = Callable[[Frame, int], Mind]


@dataclass(frozen=True)
class Player:
    """A row of PLAYERS: `start(frame, seed)` sits it down at a game."""

    name: str
    about: str
    start: SitDown
    twin: int | None = None
    """The compiled player that makes the same moves, where there is one: a code of the kernel."""
    settings: PlayerSettings | None = None
    """What can be chosen for the player, with the usual values; None where nothing can."""

    sit: Callable[[Any], SitDown] | None = None
    """The same by settings, for a player that has any."""

    def but(self, chosen: Mapping[str, object]) -> Player:
        """The same player with some settings that are not the usual ones.

        >>> PLAYERS.find("thoughtful").but({"blend": 1.0}).settings.blend
        1.0
        """
        need(chosen, Mapping, "settings by name")
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


def _random(frame: Frame, seed: int) -> Mind:
    return Rounds(frame, (), Dice(seed).blank)


def _human(frame: Frame, seed: int) -> Mind:
    return Rounds(frame, (HumanSolver(frame, pairs=False), HumanSolver(frame)), Dice(seed).blank)


def _hybrid(frame: Frame, seed: int) -> Mind:
    solvers = HumanSolver(frame, pairs=False), HumanSolver(frame), Searching(frame)
    return Rounds(frame, solvers, Dice(seed).blank)


def _careful(frame: Frame, seed: int) -> Mind:
    exact = Exact(frame)
    solvers = HumanSolver(frame, pairs=False), HumanSolver(frame), exact
    return Rounds(frame, solvers, exact.least_odds)


def _thoughtful(settings: ThoughtfulSettings) -> SitDown:
    return lambda frame, _: _guessing(frame, Thinking(settings))


def _learned(settings: LearnedSettings) -> SitDown:
    return lambda frame, _: _guessing(frame, Learning(settings))


def _shrewd(settings: ShrewdSettings) -> SitDown:
    return lambda frame, _: _guessing(frame, Judging(settings))


def _patient(settings: PatientSettings) -> SitDown:
    return lambda frame, _: Patient(frame, _solvers(frame), Pondering(settings))


def _guessing(frame: Frame, thinking: Thinking | Learning) -> Mind:
    return Rounds(frame, _solvers(frame), thinking.guess)


def _solvers(frame: Frame) -> tuple[GameSolver, ...]:
    return HumanSolver(frame, pairs=False), HumanSolver(frame), Exact(frame)


def _with_settings(
    name: str, about: str, sit: Callable[[Any], SitDown], twin: int, settings: PlayerSettings
) -> Player:
    return Player(name, about, sit(settings), twin, settings, sit)


PLAYERS = Family(
    "player",
    (
        Player("random", "any blank", _random, RANDOM),
        Player("human", "strategies 1 to 7, else any blank", _human, HUMAN),
        Player(
            "hybrid",
            "all that follows without the mine count, else any blank",
            _hybrid,
            HYBRID,
        ),
        Player(
            "careful",
            "all that is certain, else the blank of least odds",
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
    frame: Frame,
    player: str | Player = "careful",
    *,
    seed: int = 0,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Choice:
    """The reveal that a player would make next, with its reason; its flags are passed over.

    *seed* is for players that guess at random. Raises IllegalMove where nothing is left to reveal,
    and Contradiction as `analyse` does.

    >>> frame = Frame.parse("# 1 # # #", mines=2)
    >>> advise(frame).text(frame)
    'reveal r1c1: guess at 50.0 % risk, one of 4 equals; next best r1c5 at 50.0 %'
    """
    need(frame, Frame, "a frame")
    seen = frame if trust_flags else frame.without_flags()
    limit = started(budget, cancel)
    mind = PLAYERS.find(player).start(seen, whole(seed, "a seed"))
    while (choice := mind.choose(limit)).move.action == "flag":
        assert choice.move.cell is not None
        mind.learn({choice.move.cell: FLAG})
    return choice
