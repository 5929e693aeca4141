"""Puzzles: find a certain move in a position of a real game.

Nothing easier than the puzzle's difficulty moves. The mines that easier steps give are flagged, and the
flags are trusted; every certain move of the difficulty is an answer.

>>> puzzle = make_puzzle(puzzle_rules("two"), seed=3)
>>> puzzle.difficulty, len(puzzle.numbers)
('two', 2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.board.random_stream import SEEDS
from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS, tiling
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import RulesError, Unavailable
from sapper.generators.puzzles.easiest_proof import distances, easiest_proof
from sapper.generators.puzzles.first_rating import first_rating
from sapper.generators.puzzles.glicko import Rating
from sapper.generators.puzzles.search import PositionSearch
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.proofs.constraints import Knowledge
from sapper.proofs.difficulty import DIFFICULTIES, pairs_are_useful
from sapper.proofs.prover import Proof
from sapper.values import check_int, check_type

# Mines as on Expert, 99 on 480 cells, on a board that fits a phone of 360 points held upright,
# with cells that a finger hits. Triangles are half as wide as squares, but narrow inside.
SHARE = 99 / 480
SIZE, TRIANGLES = (11, 11), (12, 9)

# On a board larger than this one the moves of a puzzle must lie together: all within so many
# steps of the first, which is what a screen shows of it.
SCREEN_CELLS = 256
SCREEN_STEPS = 8


# Triangles that share sides: a set of four numbers or more must close a ring of ten cells or longer
# there, and none was met in 150,000 positions of games on 18x10.
SCARCE = frozenset({("triangular-edge", "four")})


@dataclass(frozen=True)
class PuzzleRules:
    """The rules of the games that positions are taken from, and the difficulty of the moves to find."""

    rules: Rules
    difficulty: str

    def __post_init__(self) -> None:
        check_type(self.rules, Rules, "rules of a game")
        object.__setattr__(self, "difficulty", DIFFICULTIES.find(self.difficulty).name)
        if self.rules.mines == 0:
            raise RulesError("expected a game with mines to make puzzles from, got none")
        if not any(map(self.rules.allows_first, self.rules.board.cells)):
            self.rules.check_first(self.rules.board.middle)
        if DIFFICULTIES[self.difficulty].numbers == 2 and not pairs_are_useful(self.rules.board):
            raise Unavailable(
                f"expected a board on which two numbers can share two cells, got {self.rules.board}: "
                "there a pair of numbers tells no more than each of them alone"
            )


@dataclass(frozen=True)
class Puzzle:
    """A position and its answers; cells are in ascending order."""

    position: Position
    difficulty: str
    flag: tuple[int, ...]
    """The mines to find."""
    reveal: tuple[int, ...]
    """The free cells to find."""
    proof: Proof
    """The easiest proof among those of its moves."""
    seed: int

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """Every certain move of the difficulty, as 'reveal r1c1' or 'flag r1c2', in cell order."""
        action = {**dict.fromkeys(self.flag, "flag"), **dict.fromkeys(self.reveal, "reveal")}
        return tuple(
            Move(action[cell], cell).format(self.position.board) for cell in sorted(action)
        )

    @property
    def numbers(self) -> tuple[str, ...]:
        """The cells whose numbers the easiest proof uses."""
        return self.proof.numbers

    @cached_property
    def first_rating(self) -> Rating:
        """How hard it is before anybody has tried it."""
        return first_rating(self.proof, len(self.flag) + len(self.reveal))

    @property
    def rating(self) -> int:
        """Its first rating, as a whole number."""
        return round(self.first_rating.rating)

    def __repr__(self) -> str:
        return f"<Puzzle {self.position.board}, difficulty {self.difficulty}, seed {self.seed}>"

    def _repr_svg_(self) -> str | None:
        # The position alone: a picture of the proof would give the answer away.
        return self.position._repr_svg_()


def puzzle_rules(
    difficulty: str, tiling: str | None = None, size: str | Rules | None = None
) -> PuzzleRules:
    """The rules of puzzles of a difficulty, on a board that fits a screen unless *size* says otherwise.

    *size* is a level or a size such as 16x16/40, or rules of any board.
    """
    return PuzzleRules(
        _usual(tiling or "square") if size is None else Rules.of(size, tiling), difficulty
    )


def difficulties_for(tiling: str) -> tuple[str, ...]:
    """The difficulties of which a tiling has puzzles that can be found while somebody waits."""
    found = []
    for difficulty in DIFFICULTIES.names:
        try:
            puzzle_rules(difficulty, tiling)
        except Unavailable:
            continue
        if (tiling, difficulty) not in SCARCE:
            found.append(difficulty)
    return tuple(found)


def make_puzzle(
    rules: PuzzleRules,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Puzzle:
    """The puzzle of a seed, the same for ever.

    Raises OutOfBudget where the games of *budget* hold no such position.
    """
    check_type(rules, PuzzleRules, "rules of a puzzle")
    limit = start_limit(budget, cancel)
    return _make(_position_search(rules), check_int(seed, "a seed"), limit)


def make_puzzles(
    rules: PuzzleRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[Puzzle]:
    """The puzzles of the seeds from *seed* up; the budget is for each of them."""
    check_type(rules, PuzzleRules, "rules of a puzzle")
    check_type(budget, Budget, "a budget")
    seed, count = check_int(seed, "a seed"), check_int(count, "a number of puzzles")
    if not 0 <= seed <= SEEDS - count:
        raise RulesError(f"expected seeds below {SEEDS}, got {seed} + {count - 1}")
    search = _position_search(rules)
    for number in range(seed, seed + count):
        yield _make(search, number, start_limit(budget.unstarted(), cancel))


def _position_search(rules: PuzzleRules) -> PositionSearch:
    return PositionSearch(rules.rules, DIFFICULTIES[rules.difficulty])


def _make(search: PositionSearch, seed: int, limit: Limit) -> Puzzle:
    for position, moves in search.find(seed, limit):
        if _fits_on_screen(position.board, moves):
            proof = easiest_proof(position, moves, search.difficulty, limit)
            flag, reveal = (tuple(np.flatnonzero(moves == kind).tolist()) for kind in (MINE, SAFE))
            return Puzzle(position, search.difficulty.name, flag, reveal, proof, seed)
    raise AssertionError("a hunt has no end")


def _fits_on_screen(board: Board, moves: Knowledge) -> bool:
    if len(board) <= SCREEN_CELLS:
        return True
    cells = np.flatnonzero(moves != UNKNOWN).tolist()
    steps = distances(board, cells[0], cells)
    return len(steps) == len(cells) and max(steps.values()) <= SCREEN_STEPS


def _usual(name: str) -> Rules:
    """The rules of a tiling's puzzles where no size is asked for."""
    row = TILINGS.find(name)
    width, height = TRIANGLES if row.parity == "row + column" else SIZE
    board = tiling(row.name, width, height)
    return Rules(board, round(SHARE * len(board)))
