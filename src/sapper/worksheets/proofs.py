"""Worksheets of proofs: find a safe cell and prove it.

The positions are from random games. Flags mark mines that are already known, and they are correct.
The answer key has a smallest proof of the easiest safe cell, and the numbers that prove the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.engine.budget import Budget, start_limit
from sapper.generators.puzzle_search import PositionSearch, total_distance
from sapper.generators.puzzles import PuzzleRules
from sapper.kernels.codes import SAFE
from sapper.proofs.difficulty import DIFFICULTIES, pairs_are_useful
from sapper.proofs.prover import Proof, Prover
from sapper.serialize.cells import BY_NAME, Json
from sapper.serialize.positions import proof_json
from sapper.wording import listed
from sapper.worksheets.kind import Task, WorksheetItem, WorksheetKind, game_rules

# The answer key has space for the proofs of this many safe cells, and a pupil can write down a
# proof from this many numbers.
MAX_SAFE_CELLS = 4
MAX_NUMBERS = 6


@dataclass(frozen=True)
class ProofExercise:
    """A position in which at least one cell is safe, and a smallest proof of each such cell."""

    position: Position
    difficulty: str
    proofs: tuple[Proof, ...]
    """Easiest first."""
    seed: int


def _rules(
    board: Board, difficulty: str | None = None, mine_density: float | None = None
) -> PuzzleRules:
    if difficulty is None:
        difficulty = "two" if pairs_are_useful(board) else "one"
    return PuzzleRules(game_rules(board, mine_density), difficulty)


def proof_exercise(rules: PuzzleRules, seed: int, budget: Budget) -> ProofExercise:
    """Return the exercise of a seed: a position of the difficulty from a random game."""
    limit = start_limit(budget)
    search = PositionSearch(rules.rules, DIFFICULTIES[rules.difficulty])
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


def _item(exercise: ProofExercise) -> WorksheetItem:
    easiest, *others = exercise.proofs
    also_safe = [f"{_safe_cell(proof)} (from {_premises(proof)})" for proof in others]
    return WorksheetItem(
        exercise.position,
        difficulty=exercise.difficulty,
        safe_cells=tuple(proof.cell for proof in exercise.proofs),
        outlined=easiest.number_cells,
        shows_mine_count=any(proof.uses_mine_count for proof in exercise.proofs),
        answer_rows=(("Safe cell", "because"), ("",), ("",)),
        answer=(easiest.text, *([f"Also safe: {listed(also_safe)}."] if also_safe else [])),
        coordinates=True,
    )


def _safe_cell(proof: Proof) -> str:
    return proof.position.board.name(proof.cell)


def _premises(proof: Proof) -> str:
    return listed([*proof.numbers, *(["the mine count"] if proof.uses_mine_count else [])])


def _json(exercise: ProofExercise) -> Json:
    return {
        "position": f"{exercise.position}\n",
        "difficulty": exercise.difficulty,
        "proofs": [proof_json(proof, BY_NAME) for proof in exercise.proofs],
        "seed": exercise.seed,
    }


PROOFS = WorksheetKind(
    name="proof",
    plural="proofs",
    about="find a safe cell and prove it",
    title="Safe cells and proofs",
    task=Task(
        (
            "A flag marks a mine that is already known. At least one empty cell is safe: it cannot "
            "hide a mine. Put a dash in it and write down why, with the numbers that you use.",
            "r3c5 is the cell in row 3, column 5. The dots show how many numbers must be combined.",
        ),
        key_title="answers",
        legend="dash: safe, outlined: the proof",
        text_legend="-: safe, in brackets: the numbers of the proof",
    ),
    rules=_rules,
    problem=proof_exercise,
    item=_item,
    json_key="exercises",
    json=_json,
)
