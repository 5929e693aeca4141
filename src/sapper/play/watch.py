"""A solver or a player at work on a whole game, move by move, each with its reason.

A solver's game ends won, or stuck where it finds nothing more; a player guesses on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sapper.errors import OutOfBudget
from sapper.infer.budget import Budget
from sapper.infer.solution import Deduction, counted
from sapper.infer.solvers import GameSolver, Solver
from sapper.model.frame import BLANK, Frame
from sapper.model.game import Game
from sapper.model.move import Move
from sapper.play.players import Player
from sapper.play.rounds import Why


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
        """Won, lost or stuck, and the moves by what gave them."""
        if game.outcome == "playing":
            left = counted(len(game.frame.blanks), "blank")
            how = f"stuck with {left} left ({self.why_stopped})"
        else:
            how = game.outcome
        given = ", ".join(f"{name}: {count}" for name, count in sorted(self.by.items()))
        return f"{how} after {counted(self.moves, 'move')} ({given})"


class FrameByFrame:
    """A solver that keeps nothing between frames, led along a game."""

    def __init__(self, solver: Solver, frame: Frame, budget: Budget):
        self._solver = solver
        self._frame = frame
        self._budget = budget

    def moves(self) -> list[Deduction]:
        """The certain moves of the frame as it is now."""
        return list(self._solver.function(self._frame, self._budget, False).deductions)

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._frame = self._frame.with_marks(changes)


def watch(
    game: Game, solver: Solver, tally: Tally, first: int, budget: Budget | None = None
) -> Iterator[Step]:
    """Play a game from its first click until it is over or the solver is stuck.

    Steps come as they are made; *tally* is kept along and says at the end why it stopped.
    """
    yield from _told(tally, _click(game, first))
    if game.over:
        return
    mind = _start(solver, game.frame, budget or Budget())
    while not game.over:
        try:
            found = mind.moves()
        except OutOfBudget as error:
            tally.why_stopped = str(error)
            return
        steps = 0
        for step in _told(tally, _play(game, mind, found)):
            steps += 1
            yield step
        if not steps:
            tally.why_stopped = "no certain move"
            return


def watch_player(
    game: Game,
    player: Player,
    tally: Tally,
    first: int,
    seed: int,
    budget: Budget | None = None,
) -> Iterator[Step]:
    """Play a game from its first click to its end, as a player would; *seed* is for its luck."""
    yield from _told(tally, _click(game, first))
    if game.over:
        return
    mind = player.start(game.frame, seed, budget or Budget())
    while not game.over:
        choice = mind.choose()
        for step in _told(tally, _move(game, choice.move, choice.why)):
            mind.learn({c: int(step.frame.marks[c]) for c in step.changed})
            yield step


def _start(solver: Solver, frame: Frame, budget: Budget) -> GameSolver:
    return solver.along(frame, budget) if solver.along else FrameByFrame(solver, frame, budget)


def _told(tally: Tally, steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        tally.add(step)
        yield step


def _click(game: Game, first: int) -> Iterator[Step]:
    yield from _move(game, Move("reveal", first), Deduction("first click"))


def _play(game: Game, mind: GameSolver, found: list[Deduction]) -> Iterator[Step]:
    """Make the moves of a solver's answer that are still to be made, and tell it what changed."""
    for deduction in found:
        for action, cells in (("flag", deduction.flag), ("reveal", deduction.reveal)):
            for cell in cells:
                if game.over or game.frame.marks[cell] != BLANK:
                    continue
                for step in _move(game, Move(action, cell), deduction):
                    mind.learn({c: int(step.frame.marks[c]) for c in step.changed})
                    yield step


def _move(game: Game, move: Move, why: Why) -> Iterator[Step]:
    changed = tuple(int(cell) for cell in game.play(move))
    yield Step(move, why, game.frame, changed)
