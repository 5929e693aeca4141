"""Exercises for a class, from positions of random games.

A proof exercise asks which cell is safe, and why; its answers are smallest proofs. A probability
exercise asks for the probability of a few cells as fractions; its solutions are few enough to be
listed by hand. Flags mark mines that are already known, and they are correct.

>>> from sapper import tiling
>>> rules = exercise_rules(tiling("square", 6, 6), "probability")
>>> {name: str(fraction) for name, fraction in exercise(rules, seed=4).asked_probabilities.items()}
{'r5c1': '1/3', 'r5c2': '2/3'}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import RandomStream, check_seed, seed_range
from sapper.board.rules import Rules
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import RulesError, unknown_name
from sapper.games.game import Game
from sapper.generators.puzzle_search import PositionSearch, total_distance
from sapper.generators.puzzles import PuzzleRules
from sapper.kernels.codes import SAFE
from sapper.proofs.difficulty import DIFFICULTIES, pairs_are_useful
from sapper.proofs.prover import Proof, Prover
from sapper.values import check_int, check_type
from sapper.wording import count_text

# The mine density of Expert, rounded to thousandths.
MINE_DENSITY = 0.206

# The answer key has space for the proofs of this many safe cells, and a pupil can write down a
# proof from this many numbers.
MAX_SAFE_CELLS = 4
MAX_NUMBERS = 6

# Limits that keep the solutions few and small enough to be listed by hand.
MAX_SOLUTIONS = 20
MAX_UNCERTAIN_CELLS = 24
MAX_ASKED_CELLS = 3


@dataclass(frozen=True)
class ExerciseRules:
    """The board, kind and difficulty of exercises; made by `exercise_rules`."""

    board: Board
    kind: str
    """A key of EXERCISES."""
    mine_density: float
    """Mines as a share of the cells, rounded to thousandths."""
    difficulty: str | None
    """The difficulty of a proof; None for a probability."""

    @cached_property
    def game_rules(self) -> Rules:
        """The rules of the games that positions are taken from."""
        return Rules(self.board, max(1, round(self.mine_density * len(self.board))))


@dataclass(frozen=True)
class ProofExercise:
    """A position in which at least one cell is safe, and a smallest proof of each such cell."""

    position: Position
    difficulty: str
    proofs: tuple[Proof, ...]
    """Easiest first."""
    seed: int


@dataclass(frozen=True)
class ProbabilityExercise:
    """A position without a certain move, and the exact probability of every covered cell."""

    position: Position
    asked_cells: tuple[int, ...]
    fractions: dict[int, Fraction]
    """By cell, for each covered cell without a flag."""
    solutions: int
    seed: int

    @property
    def asked_probabilities(self) -> dict[str, Fraction]:
        """The probabilities that the exercise asks for, by the names of the cells."""
        return {self.position.board.name(cell): self.fractions[cell] for cell in self.asked_cells}


Exercise = ProofExercise | ProbabilityExercise


def exercise_rules(
    board: Board, kind: str, *, mine_density: float | None = None, difficulty: str | None = None
) -> ExerciseRules:
    """Return the rules of exercises; the default difficulty is `two` where pairs are useful."""
    check_type(board, Board, "a board")
    if kind not in EXERCISES:
        raise unknown_name("kind of exercise", kind, EXERCISES)
    density = MINE_DENSITY if mine_density is None else mine_density
    check_type(density, (int, float), "a mine density")
    if not 0.001 <= round(density, 3) <= 0.999:
        raise RulesError(f"expected a mine density from 0.001 to 0.999, got {density:g}")
    if kind == "probability" and difficulty is not None:
        raise RulesError("a probability exercise has no difficulty")
    if difficulty is not None:
        difficulty = DIFFICULTIES.find(difficulty).name
    elif kind == "proof":
        difficulty = "two" if pairs_are_useful(board) else "one"
    rules = ExerciseRules(board, kind, round(density, 3), difficulty)
    try:
        PuzzleRules(rules.game_rules, difficulty or "one")  # raises if there are no such games
    except RulesError as error:
        raise RulesError(f"no exercises on this board with this mine density: {error}") from None
    return rules


def exercise(
    rules: ExerciseRules,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Exercise:
    """Return the exercise of a seed; the same seed always gives the same exercise.

    Raises OutOfBudget if no such position is found within *budget*.
    """
    check_type(rules, ExerciseRules, "rules of an exercise")
    return EXERCISES[rules.kind](rules, check_seed(seed), start_limit(budget, cancel))


def exercises(
    rules: ExerciseRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[Exercise]:
    """Yield the exercises of *count* consecutive seeds; the budget is for all of them together."""
    check_type(rules, ExerciseRules, "rules of an exercise")
    limit = start_limit(budget, cancel)
    for exercise_seed in exercise_seeds(count, seed):
        yield EXERCISES[rules.kind](rules, exercise_seed, limit)


def exercise_seeds(count: int, seed: int) -> range:
    """Return *count* consecutive seeds; raise RulesError if they exceed the highest seed."""
    seed, count = check_seed(seed), check_int(count, "a number of exercises")
    if count < 1:
        raise RulesError(f"expected at least 1 exercise, got {count}")
    return seed_range(seed, count)


def _proof_exercise(rules: ExerciseRules, seed: int, limit: Limit) -> ProofExercise:
    assert rules.difficulty is not None
    search = PositionSearch(rules.game_rules, DIFFICULTIES[rules.difficulty])
    for position, moves in search.find(seed, limit):
        if not (moves == SAFE).any():
            continue
        prover = Prover(position, limit, trust_flags=True)
        safe_cells = np.flatnonzero(prover.certain == SAFE).tolist()
        if len(safe_cells) <= MAX_SAFE_CELLS:
            proofs = sorted(map(prover.proof, safe_cells), key=_ease_of_proof)
            if len(proofs[0].number_cells) <= MAX_NUMBERS:
                return ProofExercise(position, rules.difficulty, tuple(proofs), seed)
    raise AssertionError("unreachable: the search never ends")


def _ease_of_proof(proof: Proof) -> tuple[int, int, int, int, int]:
    """Return a sort key that puts easier proofs first."""
    rank = DIFFICULTIES.index(DIFFICULTIES[proof.difficulty])
    return rank, len(proof.number_cells), total_distance(proof), len(proof.text), proof.cell


def _probability_exercise(rules: ExerciseRules, seed: int, limit: Limit) -> ProbabilityExercise:
    stream = RandomStream(seed)
    games = 0
    while True:
        limit.check(f"{count_text(games, 'game')} without such a position")
        games += 1
        chosen = None
        # Reservoir sampling: the n-th position replaces the choice with probability 1/n.
        for n, analysis in enumerate(_positions_to_guess(rules.game_rules, stream, limit), 1):
            if stream.below(n) == 0:
                chosen = analysis
        if chosen is not None:
            return _ask_for_probabilities(chosen, seed)


def _ask_for_probabilities(analysis: Analysis, seed: int) -> ProbabilityExercise:
    """Return an exercise that asks for up to three cells of different probabilities."""
    fractions = _fractions(analysis)
    first_cells: dict[Fraction, int] = {}
    for cell, fraction in fractions.items():
        first_cells.setdefault(fraction, cell)
    flags = dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG)
    return ProbabilityExercise(
        analysis.position.with_marks(flags),
        tuple(sorted(first_cells.values())[:MAX_ASKED_CELLS]),
        fractions,
        analysis.solutions,
        seed,
    )


def _positions_to_guess(rules: Rules, stream: RandomStream, limit: Limit) -> Iterator[Analysis]:
    """Play a random game and yield its positions without a safe cell that have few solutions.

    Certain moves are made at once, and every guess is safe. Positions in which all probabilities
    are equal are left out.
    """
    layout = _random_layout(rules, stream)
    game = Game.from_layout(layout)
    game.play(Move("reveal", layout.click))
    while not game.over:
        analysis = analyse(game.position, budget=limit)
        safe_cells = analysis.safe_cells.tolist()
        if not safe_cells:
            if _is_countable_by_hand(analysis) and len(set(_fractions(analysis).values())) > 1:
                yield analysis
            covered = game.position.covered
            allowed = covered[layout.mine_mask[covered] == 0]
            safe_cells = [int(allowed[stream.below(len(allowed))])]
        for cell in safe_cells:
            if game.position.marks[cell] < 0 and not game.over:
                game.play(Move("reveal", cell))


def _is_countable_by_hand(analysis: Analysis) -> bool:
    # The logarithm is compared first, because exact counts of large positions take time.
    uncertain = len(analysis.position.covered) - len(analysis.certain_mine_cells)
    if uncertain > MAX_UNCERTAIN_CELLS or analysis.ln_solutions >= math.log(2 * MAX_SOLUTIONS):
        return False
    return analysis.solutions <= MAX_SOLUTIONS


def _fractions(analysis: Analysis) -> dict[int, Fraction]:
    """Return the probability of each covered cell that is not a certain mine."""
    certain_mines = set(analysis.certain_mine_cells.tolist())
    cells = (cell for cell in analysis.position.covered.tolist() if cell not in certain_mines)
    known = ((cell, analysis.fractions[cell]) for cell in cells)
    return {cell: fraction for cell, fraction in known if fraction is not None}


def _random_layout(rules: Rules, stream: RandomStream) -> Layout:
    cells = np.arange(len(rules.board), dtype=np.int32)
    first_cells = [cell for cell in cells.tolist() if rules.allows_first(cell)]
    first = first_cells[stream.below(len(first_cells))]
    allowed = np.delete(cells, rules.mine_free_cells(first))
    return Layout(rules.board, stream.draw_mines(allowed, rules.mines, len(cells)), first)


EXERCISES: dict[str, Callable[[ExerciseRules, int, Limit], Exercise]] = {
    "proof": _proof_exercise,
    "probability": _probability_exercise,
}
