"""Training puzzles: find a certain move in a position of a real game.

No step that is easier than the puzzle's difficulty finds a safe cell. The mines that easier steps
find are flagged, and the flags are trusted; every certain move of the difficulty is an answer.

>>> example = puzzle(puzzle_rules("two"), seed=3)
>>> example.difficulty, len(example.numbers)
('two', 2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import check_seed, seed_range
from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS, tiling
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.sampling import find_solution_with
from sapper.errors import IllegalMove, NotationError, RulesError, Unavailable
from sapper.generators.puzzle_search import PositionSearch, distances, easiest_proof
from sapper.generators.ratings import Rating, puzzle_rating
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.proofs.constraints import Knowledge
from sapper.proofs.difficulty import DIFFICULTIES, pairs_are_useful
from sapper.proofs.prover import Proof, Prover
from sapper.sentences import CellRef, Sentence
from sapper.values import check_int, check_type

# The mine density of Expert, on a board that fits an upright phone 360 points wide with cells large
# enough to tap. Triangles are half as wide as squares, but have less space inside.
MINE_DENSITY = 99 / 480
SIZE, TRIANGLES_SIZE = (11, 11), (12, 9)

# On boards with more cells, all moves of a puzzle must be within this many steps of the first one,
# so that they fit on one screen.
SCREEN_CELLS = 256
SCREEN_STEPS = 8

# On triangles that share sides, four or more numbers decide something only around a ring of ten or
# more cells: none was found in 150,000 positions of games on 18x10.
RARE_PUZZLES = frozenset({("triangular-edge", "four")})


@dataclass(frozen=True)
class PuzzleRules:
    """Rules of the games that positions are taken from, and the difficulty of the moves."""

    rules: Rules
    difficulty: str

    def __post_init__(self) -> None:
        check_type(self.rules, Rules, "rules of a game")
        object.__setattr__(self, "difficulty", DIFFICULTIES.find(self.difficulty).name)
        if self.rules.mines == 0:
            raise RulesError("puzzles need games with mines, got 0 mines")
        if not any(map(self.rules.allows_first, self.rules.board.cells)):
            self.rules.check_first(self.rules.board.middle)
        if DIFFICULTIES[self.difficulty].numbers == 2 and not pairs_are_useful(self.rules.board):
            raise Unavailable(
                f"no puzzle of difficulty {self.difficulty!r} on {self.rules.board}: no two "
                "numbers share two cells, so a pair of numbers proves no more than each alone"
            )


@dataclass(frozen=True)
class Puzzle:
    """A position and its answers, in ascending order of cells."""

    position: Position
    difficulty: str
    flag: tuple[int, ...]
    """The mines to find."""
    reveal: tuple[int, ...]
    """The safe cells to find."""
    proof: Proof
    """The easiest proof of one of the moves."""
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
    def glicko(self) -> Rating:
        """The rating with its deviation, as an opponent of a user."""
        return puzzle_rating(self.proof, len(self.flag) + len(self.reveal))

    @property
    def rating(self) -> int:
        """The rating, which follows from the proof of the easiest move."""
        return round(self.glicko.rating)

    def __repr__(self) -> str:
        return f"<Puzzle {self.position.board}, difficulty {self.difficulty}, seed {self.seed}>"

    def _repr_svg_(self) -> str | None:
        # Only the position: the proof would give the answer away.
        return self.position._repr_svg_()


def puzzle_rules(
    difficulty: str, tiling: str | None = None, size: str | Rules | None = None
) -> PuzzleRules:
    """Return the rules of puzzles of a difficulty, by default on a board that fits a phone.

    *size* is a level or a size such as 16x16/40, or rules of any board.
    """
    if size is None:
        return PuzzleRules(_default_rules("square" if tiling is None else tiling), difficulty)
    return PuzzleRules(Rules.of(size, tiling), difficulty)


def difficulties_for(tiling: str) -> tuple[str, ...]:
    """Return the difficulties for which puzzles on a tiling are found quickly."""
    available = []
    for difficulty in DIFFICULTIES.names:
        try:
            puzzle_rules(difficulty, tiling)
        except Unavailable:
            continue
        if (tiling, difficulty) not in RARE_PUZZLES:
            available.append(difficulty)
    return tuple(available)


def puzzle(
    rules: PuzzleRules, seed: int, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> Puzzle:
    """Return the puzzle of a seed; the same seed always gives the same puzzle.

    Raises OutOfBudget if no such position is found within *budget*.
    """
    check_type(rules, PuzzleRules, "rules of a puzzle")
    limit = start_limit(budget, cancel)
    return _make_puzzle(_position_search(rules), check_seed(seed), limit)


def puzzles(
    rules: PuzzleRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[Puzzle]:
    """Yield the puzzles of *count* consecutive seeds; the budget is for each of them."""
    check_type(rules, PuzzleRules, "rules of a puzzle")
    check_type(budget, Budget, "a budget")
    seed, count = check_seed(seed), check_int(count, "a number of puzzles")
    if count < 1:
        raise RulesError(f"expected at least 1 puzzle, got {count}")
    seeds = seed_range(seed, count)
    search = _position_search(rules)
    for puzzle_seed in seeds:
        yield _make_puzzle(search, puzzle_seed, start_limit(budget.unstarted(), cancel))


def _position_search(rules: PuzzleRules) -> PositionSearch:
    return PositionSearch(rules.rules, DIFFICULTIES[rules.difficulty])


def _make_puzzle(search: PositionSearch, seed: int, limit: Limit) -> Puzzle:
    for position, moves in search.find(seed, limit):
        if _fits_on_screen(position.board, moves):
            proof = easiest_proof(position, moves, search.difficulty, limit)
            flag, reveal = (
                tuple(np.flatnonzero(moves == verdict).tolist()) for verdict in (MINE, SAFE)
            )
            return Puzzle(position, search.difficulty.name, flag, reveal, proof, seed)
    raise AssertionError("unreachable: the search never ends")


def _fits_on_screen(board: Board, moves: Knowledge) -> bool:
    if len(board) <= SCREEN_CELLS:
        return True
    cells = np.flatnonzero(moves != UNKNOWN).tolist()
    steps = distances(board, cells[0], cells)
    return len(steps) == len(cells) and max(steps.values()) <= SCREEN_STEPS


def _default_rules(name: str) -> Rules:
    entry = TILINGS.find(name)
    width, height = TRIANGLES_SIZE if entry.parity == "row + column" else SIZE
    board = tiling(entry.name, width, height)
    return Rules(board, round(MINE_DENSITY * len(board)))


@dataclass(frozen=True)
class MoveJudgement:
    """The verdict on a move in a puzzle, with its reason."""

    right: bool
    cell: int
    sentence: Sentence
    number_cells: tuple[int, ...] = ()
    """If the cell is certain: the numbers that prove it."""
    uses_mine_count: bool = False
    mine_cells: tuple[int, ...] | None = None
    """If the cell is not certain: the mines of a solution in which the move is wrong."""
    probability: float | None = None

    @classmethod
    def from_proof(cls, proof: Proof, right: bool) -> MoveJudgement:
        """Return a judgement whose reason is a proof."""
        assert proof.move.cell is not None
        return cls(
            right, proof.move.cell, proof.sentence, proof.number_cells, proof.uses_mine_count
        )


def judge(puzzle: Puzzle, move: Move, limit: Limit) -> MoveJudgement:
    """Judge a move that reveals or flags a covered cell.

    Every certain move is right, even one harder than the puzzle. The reason for a wrong move is a
    proof of the opposite, or a solution in which the move is wrong.
    """
    position, cell = puzzle.position, move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        raise NotationError(f"expected a cell to reveal or to flag, got {move.action!r:.60}")
    name = position.board.name(position.board.cell(cell))
    if position.marks[cell] == FLAG:
        raise IllegalMove(f"cannot {move.action} {name}: it is a known mine")
    if position.marks[cell] >= 0:
        raise IllegalMove(f"cannot {move.action} {name}: it is revealed")
    prover = Prover(position, limit, trust_flags=True)
    if prover.certain[cell] != UNKNOWN:
        proof = prover.proof(cell)
        return MoveJudgement.from_proof(proof, right=proof.move == move)
    counterexample = find_solution_with(position, cell, move.action == "reveal", limit)
    assert counterexample is not None
    state = "a mine" if move.action == "reveal" else "safe"
    sentence = (
        CellRef((cell,), "the marked cell"),
        f" may be {state}: here is a layout that fits every number.",
    )
    return MoveJudgement(
        False,
        cell,
        sentence,
        mine_cells=tuple(np.flatnonzero(counterexample).tolist()),
        probability=float(prover.analysis.probability_array[cell]),
    )
