"""Puzzles: find a certain move in a position of a real game.

Nothing easier than the puzzle's rung moves. The mines that easier steps give are flagged, and the
flags are trusted; every certain move of the rung is an answer.

>>> puzzle = make_puzzle(puzzle_rules("two"), seed=3)
>>> puzzle.rung, len(puzzle.hints)
('two', 2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.errors import RulesError, Unavailable
from sapper.generate.puzzles.glicko import Rating
from sapper.generate.puzzles.hunt import Hunt
from sapper.generate.puzzles.proofs import easiest, steps_to
from sapper.generate.puzzles.rating import first_rating
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.ladder.rungs import RUNGS, pairs_tell_more
from sapper.infer.proofs.evidence import Known
from sapper.infer.proofs.prove import Proof
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.model.stream import SEEDS
from sapper.model.tilings import TILINGS, tiling
from sapper.values import need, whole

# Mines as on Expert, 99 on 480 cells, on a board that fits a phone of 360 points held upright,
# with cells that a finger hits. Triangles are half as wide as squares, but narrow inside.
SHARE = 99 / 480
SIZE, TRIANGLES = (11, 11), (12, 9)

# On a board larger than this one the moves of a puzzle must lie together: all within so many
# steps of the first, which is what a screen shows of it.
SCREEN_CELLS = 256
SCREEN_STEPS = 8


# Triangles that share sides: a set of four hints or more must close a ring of ten cells or longer
# there, and none was met in 150,000 positions of games on 18x10.
SCARCE = frozenset({("triangular-edge", "four")})


@dataclass(frozen=True)
class PuzzleRules:
    """The rules of the games that positions are taken from, and the rung of the moves to find."""

    rules: Rules
    rung: str

    def __post_init__(self) -> None:
        need(self.rules, Rules, "rules of a game")
        object.__setattr__(self, "rung", RUNGS.find(self.rung).name)
        if self.rules.mines == 0:
            raise RulesError("expected a game with mines to make puzzles from, got none")
        if not any(map(self.rules.allows_first, self.rules.board.cells)):
            self.rules.check_first(self.rules.board.middle)
        if RUNGS[self.rung].hints == 2 and not pairs_tell_more(self.rules.board):
            raise Unavailable(
                f"expected a board on which two hints can share two cells, got {self.rules.board}: "
                "there a pair of hints tells no more than each of them alone"
            )


@dataclass(frozen=True)
class Puzzle:
    """A position and its answers; cells are in ascending order."""

    frame: Frame
    rung: str
    flag: tuple[int, ...]
    """The mines to find."""
    reveal: tuple[int, ...]
    """The free cells to find."""
    proof: Proof
    """The easiest proof among those of its moves."""
    seed: int

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """Every certain move of the rung, as 'reveal r1c1' or 'flag r1c2', in cell order."""
        action = {**dict.fromkeys(self.flag, "flag"), **dict.fromkeys(self.reveal, "reveal")}
        return tuple(Move(action[cell], cell).format(self.frame.board) for cell in sorted(action))

    @property
    def hints(self) -> tuple[str, ...]:
        """The cells whose hints the easiest proof uses."""
        return self.proof.hints

    @cached_property
    def first_rating(self) -> Rating:
        """How hard it is before anybody has tried it."""
        return first_rating(self.proof, len(self.flag) + len(self.reveal))

    @property
    def rating(self) -> int:
        """Its first rating, as a whole number."""
        return round(self.first_rating.rating)

    def __repr__(self) -> str:
        return f"<Puzzle {self.frame.board}, rung {self.rung}, seed {self.seed}>"

    def _repr_svg_(self) -> str | None:
        # The position alone: a picture of the proof would give the answer away.
        return self.frame._repr_svg_()


def puzzle_rules(
    rung: str, tiling: str | None = None, size: str | Rules | None = None
) -> PuzzleRules:
    """The rules of puzzles of a rung, on a board that fits a screen unless *size* says otherwise.

    *size* is a level or a size such as 16x16/40, or rules of any board.
    """
    return PuzzleRules(_usual(tiling or "square") if size is None else Rules.of(size, tiling), rung)


def rungs_for(tiling: str) -> tuple[str, ...]:
    """The rungs of which a tiling has puzzles that can be found while somebody waits."""
    found = []
    for rung in RUNGS.names:
        try:
            puzzle_rules(rung, tiling)
        except Unavailable:
            continue
        if (tiling, rung) not in SCARCE:
            found.append(rung)
    return tuple(found)


def make_puzzle(
    rules: PuzzleRules,
    seed: int,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Puzzle:
    """The puzzle of a seed, the same for ever.

    Raises OutOfBudget where the games of *budget* hold no such position.
    """
    need(rules, PuzzleRules, "rules of a puzzle")
    limit = started(budget, cancel)
    return _make(_hunt(rules), whole(seed, "a seed"), limit)


def make_puzzles(
    rules: PuzzleRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Iterator[Puzzle]:
    """The puzzles of the seeds from *seed* up; the budget is for each of them."""
    need(rules, PuzzleRules, "rules of a puzzle")
    need(budget, Budget, "a budget")
    seed, count = whole(seed, "a seed"), whole(count, "a number of puzzles")
    if not 0 <= seed <= SEEDS - count:
        raise RulesError(f"expected seeds below {SEEDS}, got {seed} + {count - 1}")
    hunt = _hunt(rules)
    for number in range(seed, seed + count):
        yield _make(hunt, number, started(budget.afresh(), cancel))


def _hunt(rules: PuzzleRules) -> Hunt:
    return Hunt(rules.rules, RUNGS[rules.rung])


def _make(hunt: Hunt, seed: int, limit: Limit) -> Puzzle:
    for frame, moves in hunt.find(seed, limit):
        if _fits_a_screen(frame.board, moves):
            proof = easiest(frame, moves, hunt.rung, limit)
            flag, reveal = (tuple(np.flatnonzero(moves == kind).tolist()) for kind in (MINE, FREE))
            return Puzzle(frame, hunt.rung.name, flag, reveal, proof, seed)
    raise AssertionError("a hunt has no end")


def _fits_a_screen(board: Board, moves: Known) -> bool:
    if len(board) <= SCREEN_CELLS:
        return True
    cells = np.flatnonzero(moves != UNKNOWN).tolist()
    steps = steps_to(board, cells[0], cells)
    return len(steps) == len(cells) and max(steps.values()) <= SCREEN_STEPS


def _usual(name: str) -> Rules:
    """The rules of a tiling's puzzles where no size is asked for."""
    row = TILINGS.find(name)
    width, height = TRIANGLES if row.parity == "row + column" else SIZE
    board = tiling(row.name, width, height)
    return Rules(board, round(SHARE * len(board)))
