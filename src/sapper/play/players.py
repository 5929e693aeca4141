"""Players: they always move. Certain moves first, each with its reason; else a guess of their own.

A player sees frames only. `Player.start` gives it the frame, a seed for its luck and a budget;
then it is asked to `choose` and told what changed, move after move, as a solver is.

Certain moves come in rounds, each of them in cell order, flags before reveals: what single hints
give, else what pairs give, else what the player knows beyond that. So the moves follow from the
frames alone, and `sapper.kernels.games` makes the very same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sapper.errors import IllegalMove, NotationError, OutOfBudget
from sapper.infer.budget import Budget
from sapper.infer.exact import Analysis, analyse
from sapper.infer.human import HumanSolver
from sapper.infer.hybrid import HybridSolver
from sapper.infer.solution import Deduction
from sapper.infer.solvers import GameSolver
from sapper.kernels import view
from sapper.kernels.deal import below, seed_state
from sapper.kernels.games import LUCK_SALT, SAME_ODDS
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.model.move import Move

Odds = npt.NDArray[np.float64]
DEFAULT = Budget()
CERTAIN = "certain by the engine"


class Why(Protocol):
    """What stands behind a move: a Deduction, or a Guess."""

    @property
    def by(self) -> str:
        """The step that gave the move, as tallies count it."""

    @property
    def hints(self) -> tuple[int, ...]:
        """The hints that it was read from."""

    def reason(self, frame: Frame) -> str:
        """The reason in the words of the board."""


@dataclass(frozen=True)
class Guess:
    """A reveal that may hit a mine: with its risk, and the next best one, where they are known."""

    cell: int
    among: int
    """How many blanks were as good as this one, itself included."""
    risk: float | None = None
    next_best: tuple[int, float] | None = None
    by: str = "guess"
    hints: tuple[int, ...] = ()

    def reason(self, frame: Frame) -> str:
        """The guess as a sentence.

        >>> Guess(0, 2, 0.125, (1, 0.125)).reason(Frame.parse("##"))
        'guess at 12.5 % risk, one of 2 equals; next best r1c2 at 12.5 %'
        """
        if self.risk is None:
            return f"guess, one of {self.among} blanks"
        equals = f", one of {self.among} equals" if self.among > 1 else ""
        after = ""
        if self.next_best is not None:
            cell, risk = self.next_best
            after = f"; next best {frame.board.name(cell)} at {_percent(risk)}"
        return f"guess at {_percent(self.risk)} risk{equals}{after}"


@dataclass(frozen=True)
class Choice:
    """A move with its reason."""

    move: Move
    why: Why

    @property
    def certain(self) -> bool:
        """Whether the move cannot go wrong."""
        return not isinstance(self.why, Guess)

    def text(self, frame: Frame) -> str:
        """The move and its reason, as one line."""
        return f"{self.move.format(frame.board)}: {self.why.reason(frame)}"


class Mind(Protocol):
    """A player at a game."""

    def choose(self) -> Choice:
        """The next move; raises IllegalMove when there is none to make."""

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""


Start = Callable[[Frame, int, Budget], Mind]


@dataclass(frozen=True)
class Player:
    """A row of PLAYERS: `start(frame, seed, budget)` sits it down at a game."""

    name: str
    about: str
    start: Start


class Rounds:
    """A mind that makes what its solvers find, the easiest solver first, and guesses when stuck.

    The solvers see hints and the mines that were deduced; flags of other people are not believed,
    and taken off where the player wants to reveal.
    """

    def __init__(
        self, frame: Frame, solvers: Iterable[GameSolver], guess: Callable[[Frame], Guess]
    ):
        self._frame = frame
        self._mines: dict[int, int] = {}
        self._solvers = tuple(solvers)
        self._guess = guess
        self._next: deque[Choice] = deque()

    def choose(self) -> Choice:
        """The next certain move, or a guess."""
        while True:
            while self._next:
                choice = self._next.popleft()
                mark = self._frame.marks[choice.move.cell]
                if mark == FLAG and choice.move.action == "reveal":
                    self._next.appendleft(choice)
                    return Choice(Move("unflag", choice.move.cell), choice.why)
                if mark == BLANK:
                    return choice
            self._next.extend(self._round())

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks."""
        self._frame = self._frame.with_marks(changes)
        self._tell({cell: mark for cell, mark in changes.items() if mark >= 0})

    def _round(self) -> list[Choice]:
        for solver in self._solvers:
            if found := solver.moves():
                mines = {cell: FLAG for deduction in found for cell in deduction.flag}
                self._mines |= mines
                self._tell(mines)
                return _in_order(found)
        guess = self._guess(self._frame.without_flags().with_marks(self._mines))
        return [Choice(Move("reveal", guess.cell), guess)]

    def _tell(self, changes: Mapping[int, int]) -> None:
        for solver in self._solvers:
            solver.learn(changes)


class Exact:
    """The exact engine along a game; what was answered before is left out."""

    def __init__(self, frame: Frame, budget: Budget):
        self._frame = frame
        self._budget = budget
        self._analysis: Analysis | None = None

    @property
    def analysis(self) -> Analysis:
        """What follows from the frame as it is now."""
        if self._analysis is None:
            self._analysis = analyse(self._frame, trust_flags=True, budget=self._budget)
        return self._analysis

    def moves(self) -> list[Deduction]:
        """All certain moves, as one deduction."""
        marks, analysis = self._frame.marks, self.analysis
        flag = tuple(c for c in analysis.flag_cells.tolist() if marks[c] == BLANK)
        found = Deduction(CERTAIN, flag, tuple(analysis.reveal_cells.tolist()))
        return [found] if found else []

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks; mines that it found itself leave the odds as they were."""
        self._frame = self._frame.with_marks(changes)
        if any(mark >= 0 for mark in changes.values()):
            self._analysis = None

    def least_odds(self, frame: Frame) -> Guess:
        """The guess of `careful`."""
        return least_odds(frame, self.analysis.probability)


class Searching:
    """The papers' hybrid along a game; a front beyond the budget is left to guessing."""

    def __init__(self, frame: Frame, budget: Budget):
        self._solver = HybridSolver(frame, budget)
        self.learn = self._solver.learn

    def moves(self) -> list[Deduction]:
        """What the hybrid finds."""
        try:
            return self._solver.moves()
        except OutOfBudget:
            return []


class Luck:
    """The random numbers of a player, the same for the same seed everywhere.

    xoshiro256**, seeded as deals are, from the game's seed XOR 0x706C61796572 ('player').
    """

    def __init__(self, seed: int):
        self._state = np.empty(4, dtype=np.uint64)
        seed_state(seed ^ LUCK_SALT, view(self._state))

    def blank(self, frame: Frame) -> Guess:
        """Any blank."""
        blanks = _need_blanks(frame)
        return Guess(blanks[int(below(view(self._state), len(blanks)))], len(blanks))


def least_odds(frame: Frame, probability: Odds) -> Guess:
    """The blank of least odds; ties: fewest neighbours, then perimeter, then lowest index.

    Odds are tied where they differ by less than one part in 1e9: equal odds may have been summed
    in another order. Blanks without odds (interior, no mine count) come in only where all are so.
    """
    blanks = _need_blanks(frame)
    near = set(frame.perimeter.tolist())
    known = [cell for cell in blanks if not np.isnan(probability[cell])]
    if not known:
        return Guess(_by_place(frame, near, blanks), len(blanks))
    tied = _least(known, probability)
    cell = _by_place(frame, near, tied)
    rest = [other for other in known if other != cell]
    after = _by_place(frame, near, _least(rest, probability)) if rest else None
    return Guess(
        cell,
        len(tied),
        float(probability[cell]),
        None if after is None else (after, float(probability[after])),
    )


def _least(cells: list[int], probability: Odds) -> list[int]:
    limit = min(probability[cell] for cell in cells) * (1 + SAME_ODDS)
    return [cell for cell in cells if probability[cell] <= limit]


def _by_place(frame: Frame, near: set[int], cells: list[int]) -> int:
    return min(cells, key=lambda cell: (frame.board.degree(cell), cell not in near, cell))


def _need_blanks(frame: Frame) -> list[int]:
    blanks: list[int] = frame.blanks.tolist()
    if not blanks:
        raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
    return blanks


def _in_order(found: list[Deduction]) -> list[Choice]:
    """The moves of a round: flags, then reveals, each in cell order."""
    flags = {cell: deduction for deduction in found for cell in deduction.flag}
    reveals = {cell: deduction for deduction in found for cell in deduction.reveal}
    return [
        Choice(Move(action, cell), why[cell])
        for action, why in (("flag", flags), ("reveal", reveals))
        for cell in sorted(why)
    ]


def _percent(risk: float) -> str:
    return f"{100 * risk:.1f} %" if 0.001 <= risk <= 0.999 else f"{100 * risk:.3g} %"


def _random(frame: Frame, seed: int, budget: Budget) -> Mind:
    return Rounds(frame, (), Luck(seed).blank)


def _human(frame: Frame, seed: int, budget: Budget) -> Mind:
    seen = frame.without_flags()
    return Rounds(frame, (HumanSolver(seen, pairs=False), HumanSolver(seen)), Luck(seed).blank)


def _hybrid(frame: Frame, seed: int, budget: Budget) -> Mind:
    seen = frame.without_flags()
    solvers = HumanSolver(seen, pairs=False), HumanSolver(seen), Searching(seen, budget)
    return Rounds(frame, solvers, Luck(seed).blank)


def _careful(frame: Frame, seed: int, budget: Budget) -> Mind:
    seen = frame.without_flags()
    exact = Exact(seen, budget)
    solvers = HumanSolver(seen, pairs=False), HumanSolver(seen), exact
    return Rounds(frame, solvers, exact.least_odds)


PLAYERS: tuple[Player, ...] = (
    Player("random", "any blank", _random),
    Player("human", "strategies 1 to 7, else any blank", _human),
    Player("hybrid", "all that follows without the mine count, else any blank", _hybrid),
    Player("careful", "all that is certain, else the blank of least odds", _careful),
)


def find_player(name: str) -> Player:
    """The row of that name."""
    for player in PLAYERS:
        if player.name == name:
            return player
    names = ", ".join(player.name for player in PLAYERS)
    raise NotationError(f"expected a player ({names}), got {name!r:.60}")


def advise(
    frame: Frame, player: str = "careful", *, seed: int = 0, budget: Budget = DEFAULT
) -> Choice:
    """The reveal that a player would make next, with its reason; its flags are passed over.

    *seed* is for players that guess at random.

    >>> frame = Frame.parse("# 1 # # #", mines=2)
    >>> advise(frame).text(frame)
    'reveal r1c1: guess at 50.0 % risk, one of 4 equals; next best r1c5 at 50.0 %'
    """
    mind = find_player(player).start(frame.without_flags(), seed, budget)
    while (choice := mind.choose()).move.action == "flag":
        assert choice.move.cell is not None
        mind.learn({choice.move.cell: FLAG})
    return choice
