"""What a step takes as known, each cell of it with its own reason.

A player carries along the mines that single numbers give, and those that are flagged and certain.
A step that uses them says so: each is proved by itself, from numbers alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.proofs.prover import Proof, Prover
from sapper.sentences import CellRef, Sentence


@dataclass(frozen=True)
class Premise:
    """A cell that a step takes as known, and why it is so."""

    cell: str
    mine: bool
    flagged: bool
    """Whether the player has flagged it, and so knows."""
    numbers: tuple[str, ...]
    uses_mine_count: bool
    why: str
    sentence: Sentence = ()
    """The reason again, for eyes on a board."""


def single_number_mines(position: Position) -> list[int]:
    """The mines that a single number gives: as many covered cells and flags around it as it shows."""
    board = position.board
    full = [
        near[position.marks[near] < 0]
        for cell in position.revealed.tolist()
        for near in (board.around(cell),)
        if position.marks[cell] and int((position.marks[near] < 0).sum()) == position.marks[cell]
    ]
    return [int(cell) for cell in np.unique(np.concatenate(full))] if full else []


def premises_of(position: Position, proof: Proof, prover: Prover | None) -> tuple[Premise, ...]:
    """The cells that a proof takes as known: its trusted flags that its numbers see.

    With the mine count it is every one of them. *prover* takes the flags of *position* for covered cells;
    where there is none, every one of them must be given by a single number.
    """
    used = proof.position.flags.tolist()
    if not proof.uses_mine_count:
        near = {int(c) for number in proof.number_cells for c in position.board.around(number)}
        used = [cell for cell in used if cell in near]
    return tuple(_premise(position, _reason(position, cell, prover)) for cell in used)


def _reason(position: Position, cell: int, prover: Prover | None) -> Proof:
    """Why a cell is a mine, from one number where that is enough."""
    for number in position.board.around(cell).tolist():
        near = position.marks[position.board.around(number)]
        if position.marks[number] >= 0 and int((near < 0).sum()) == position.marks[number]:
            return Proof(position, Move("flag", cell), (number,), uses_mine_count=False)
    assert prover is not None
    return prover.proof(cell)


def _premise(position: Position, proof: Proof) -> Premise:
    cell = proof.move.cell
    assert cell is not None
    return Premise(
        position.board.name(cell),
        proof.move.action == "flag",
        bool(position.marks[cell] == FLAG),
        proof.numbers,
        proof.uses_mine_count,
        proof.text,
        _beside_another(proof.sentence),
    )


def _beside_another(sentence: Sentence) -> Sentence:
    """A reason that is told beside that of the step: its numbers are lit, not outlined."""
    return tuple(
        replace(piece, pointed=_OUTLINED.sub(r"the lit \1\2\3", piece.pointed).replace(*_CELL))
        if isinstance(piece, CellRef)
        else piece
        for piece in sentence
    )


_OUTLINED = re.compile(r"the (?:outlined (\d+)|(\d+) marked \w+|(\d+) outlined)")
_CELL = ("the marked cell", "it")
