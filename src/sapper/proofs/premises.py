"""Premises: the mines that a step takes as known, each with its own proof.

A user has in mind the mines that single numbers give, and the certain ones that are flagged.
A step that uses such mines lists them, and each is proved from numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.proofs.prover import Proof, Prover
from sapper.sentences import Sentence, plain_text


@dataclass(frozen=True)
class Premise:
    """A cell that a step takes as known, with its proof."""

    proof: Proof
    flagged: bool
    """Whether the user has flagged it."""

    @cached_property
    def sentence(self) -> Sentence:
        """The proof in words, with references to its cells."""
        return self.proof.describe(is_premise=True)

    @property
    def text(self) -> str:
        """The proof in words, on one line."""
        return plain_text(self.sentence, self.proof.position.board.names)


def single_number_mines(position: Position) -> list[int]:
    """Return the mines that single numbers give: numbers with only that many covered cells."""
    board = position.board
    full = [
        near[position.marks[near] < 0]
        for cell in position.revealed.tolist()
        for near in (board.around(cell),)
        if position.marks[cell] and int((position.marks[near] < 0).sum()) == position.marks[cell]
    ]
    return [int(cell) for cell in np.unique(np.concatenate(full))] if full else []


def premises_of(position: Position, proof: Proof, prover: Prover | None) -> tuple[Premise, ...]:
    """Return the trusted flags that a proof uses: those around its numbers.

    With the mine count these are all flags. *prover* treats the flags of *position* as covered; if
    it is None, every premise must follow from a single number.
    """
    used = proof.position.flags.tolist()
    if not proof.uses_mine_count:
        near = {int(c) for number in proof.number_cells for c in position.board.around(number)}
        used = [cell for cell in used if cell in near]
    flagged = position.marks == FLAG
    return tuple(Premise(_proof(position, cell, prover), bool(flagged[cell])) for cell in used)


def _proof(position: Position, cell: int, prover: Prover | None) -> Proof:
    """Prove that a cell is a mine, from one number if possible."""
    for number in position.board.around(cell).tolist():
        near = position.marks[position.board.around(number)]
        if position.marks[number] >= 0 and int((near < 0).sum()) == position.marks[number]:
            return Proof(position, Move("flag", cell), (number,), uses_mine_count=False)
    assert prover is not None
    return prover.proof(cell)
