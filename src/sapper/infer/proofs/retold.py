"""A certain move that somebody made, told again: from what they read where that says it."""

from __future__ import annotations

from sapper.errors import Contradiction, OutOfBudget
from sapper.infer.budget import Limit
from sapper.infer.proofs.prove import Proof, Prover
from sapper.infer.slagle.strategies import ONE_HINT, TWO_HINTS, read_hint, read_pair
from sapper.kernels.codes import FREE, MINE
from sapper.model.frame import Frame
from sapper.model.move import Move


def retold(frame: Frame, move: Move, hints: tuple[int, ...], limit: Limit) -> Proof | None:
    """The proof of a move on a frame, flags trusted; None where it is not certain, or takes long.

    One or two of the *hints* that say it by themselves are taken as they are (where more is known
    by now, one of a pair may do); else a smallest set is searched for.

    >>> from sapper.infer.budget import Budget
    >>> told = retold(Frame.parse("#1F"), Move("reveal", 0), (1,), Budget().start())
    >>> told.text
    'r1c2 shows 1 and has its mine, r1c3, so r1c1 is free.'
    """
    cell = move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        return None
    for read in (*((hint,) for hint in hints[:2]), hints):
        if _say(frame, move, read):
            return Proof(frame, move, read, mine_count=False, trust_flags=True)
    try:
        prover = Prover(frame, limit, trust_flags=True)
        if prover.certain[cell] != (MINE if move.action == "flag" else FREE):
            return None
        return prover.proof(cell)
    except (OutOfBudget, Contradiction):
        return None


def _say(frame: Frame, move: Move, hints: tuple[int, ...]) -> bool:
    """Whether one or two hints give the move."""
    if len(hints) == 1:
        found = [single(read_hint(frame, hints[0])) for single in ONE_HINT]
    elif len(hints) == 2:
        pair = read_pair(frame, *hints)
        found = [double(pair) for double in TWO_HINTS if pair.shared]
    else:
        return False
    return any(move.cell in (one.flag if move.action == "flag" else one.reveal) for one in found)
