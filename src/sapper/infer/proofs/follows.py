"""What a step takes as known, each cell of it with its own reason.

A player carries along the mines that single hints give, and those that are flagged and certain.
A step that uses them says so: each is proved by itself, from hints alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from sapper.infer.proofs.prove import Proof, Prover
from sapper.infer.proofs.sentences import Point, Sentence
from sapper.model.frame import FLAG, Frame
from sapper.model.move import Move


@dataclass(frozen=True)
class Follow:
    """A cell that a step takes as known, and why it is so."""

    cell: str
    mine: bool
    flagged: bool
    """Whether the player has flagged it, and so knows."""
    hints: tuple[str, ...]
    mine_count: bool
    why: str
    sentence: Sentence = ()
    """The reason again, for eyes on a board."""


def mines_of_one(frame: Frame) -> list[int]:
    """The mines that a single hint gives: as many blanks and flags around it as it shows."""
    board = frame.board
    full = [
        near[frame.marks[near] < 0]
        for cell in frame.revealed.tolist()
        for near in (board.around(cell),)
        if frame.marks[cell] and int((frame.marks[near] < 0).sum()) == frame.marks[cell]
    ]
    return [int(cell) for cell in np.unique(np.concatenate(full))] if full else []


def follows_of(frame: Frame, proof: Proof, prover: Prover | None) -> tuple[Follow, ...]:
    """The cells that a proof takes as known: its trusted flags that its hints see.

    With the mine count it is every one of them. *prover* takes the flags of *frame* for blanks;
    where there is none, every one of them must be given by a single hint.
    """
    used = proof.frame.flags.tolist()
    if not proof.mine_count:
        near = {int(c) for hint in proof.hint_cells for c in frame.board.around(hint)}
        used = [cell for cell in used if cell in near]
    return tuple(_follow(frame, _reason(frame, cell, prover)) for cell in used)


def _reason(frame: Frame, cell: int, prover: Prover | None) -> Proof:
    """Why a cell is a mine, from one hint where that is enough."""
    for hint in frame.board.around(cell).tolist():
        near = frame.marks[frame.board.around(hint)]
        if frame.marks[hint] >= 0 and int((near < 0).sum()) == frame.marks[hint]:
            return Proof(frame, Move("flag", cell), (hint,), mine_count=False)
    assert prover is not None
    return prover.proof(cell)


def _follow(frame: Frame, proof: Proof) -> Follow:
    cell = proof.move.cell
    assert cell is not None
    return Follow(
        frame.board.name(cell),
        proof.move.action == "flag",
        bool(frame.marks[cell] == FLAG),
        proof.hints,
        proof.mine_count,
        proof.text,
        _beside_another(proof.sentence),
    )


def _beside_another(sentence: Sentence) -> Sentence:
    """A reason that is told beside that of the step: its hints are lit, not outlined."""
    return tuple(
        replace(piece, pointed=_OUTLINED.sub(r"the lit \1\2\3", piece.pointed).replace(*_CELL))
        if isinstance(piece, Point)
        else piece
        for piece in sentence
    )


_OUTLINED = re.compile(r"the (?:outlined (\d+)|(\d+) marked \w+|(\d+) outlined)")
_CELL = ("the marked cell", "it")
