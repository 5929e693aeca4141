"""A certain move that somebody made, told again: from what they read where that says it."""

from __future__ import annotations

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.budget import Limit
from sapper.errors import Contradiction, OutOfBudget
from sapper.kernels.codes import MINE, SAFE
from sapper.proofs.prover import Proof, Prover
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, read_constraint, read_pair


def proof_of_move(
    position: Position, move: Move, numbers: tuple[int, ...], limit: Limit
) -> Proof | None:
    """The proof of a move on a position, flags trusted; None where it is not certain, or takes long.

    One or two of the *numbers* that say it by themselves are taken as they are (where more is known
    by now, one of a pair may do); else a smallest set is searched for.

    >>> from sapper.engine.budget import Budget
    >>> told = proof_of_move(Position.parse("#1F"), Move("reveal", 0), (1,), Budget().start())
    >>> told.text
    'r1c2 shows 1 and has its mine, r1c3, so r1c1 is free.'
    """
    cell = move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        return None
    for read in (*((number,) for number in numbers[:2]), numbers):
        if _say(position, move, read):
            return Proof(position, move, read, uses_mine_count=False, trust_flags=True)
    try:
        prover = Prover(position, limit, trust_flags=True)
        if prover.certain[cell] != (MINE if move.action == "flag" else SAFE):
            return None
        return prover.proof(cell)
    except (OutOfBudget, Contradiction):
        return None


def _say(position: Position, move: Move, numbers: tuple[int, ...]) -> bool:
    """Whether one or two numbers give the move."""
    if len(numbers) == 1:
        found = [single(read_constraint(position, numbers[0])) for single in ONE_NUMBER]
    elif len(numbers) == 2:
        pair = read_pair(position, *numbers)
        found = [double(pair) for double in TWO_NUMBERS if pair.shared]
    else:
        return False
    return any(move.cell in (one.flag if move.action == "flag" else one.reveal) for one in found)
