"""Judging a user's move in a training puzzle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG
from sapper.engine.budget import Limit
from sapper.engine.sampling import find_solution_with
from sapper.errors import IllegalMove, NotationError
from sapper.generators.puzzles.make import Puzzle
from sapper.kernels.codes import UNKNOWN
from sapper.proofs.prover import Proof, Prover
from sapper.sentences import CellRef, Sentence


@dataclass(frozen=True)
class MoveJudgement:
    """Whether a move in a puzzle is certain, and the reason."""

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

    Every certain move is right, also a harder one. The reason for a wrong move is a proof of the
    opposite, or a solution in which the move is wrong.
    """
    position, cell = puzzle.position, move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        raise NotationError(f"expected a cell to reveal or to flag, got {move.action!r:.60}")
    name = position.board.name(position.board.cell(cell))
    if position.marks[cell] == FLAG:
        raise IllegalMove(f"cannot {move.action} {name}: its flag is right")
    if position.marks[cell] >= 0:
        raise IllegalMove(f"cannot {move.action} {name}: it is revealed")
    prover = Prover(position, limit, trust_flags=True)
    if prover.certain[cell] != UNKNOWN:
        proof = prover.proof(cell)
        return MoveJudgement.from_proof(proof, right=proof.move == move)
    against = find_solution_with(position, cell, move.action == "reveal", limit)
    assert against is not None
    state = "a mine" if move.action == "reveal" else "safe"
    sentence = (
        CellRef((cell,), "the marked cell"),
        f" may be {state}: here is a layout that fits every number.",
    )
    return MoveJudgement(
        False,
        cell,
        sentence,
        mine_cells=tuple(np.flatnonzero(against).tolist()),
        probability=float(prover.analysis.probability_array[cell]),
    )
