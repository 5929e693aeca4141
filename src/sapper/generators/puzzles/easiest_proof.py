"""The easiest proof among the moves of a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

import numpy as np

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import MINE, PROVED, UNKNOWN
from sapper.kernels.proofs.search import prove, set_weights
from sapper.proofs.constraints import Constraints, Knowledge, initial_knowledge
from sapper.proofs.difficulty import Difficulty
from sapper.proofs.prover import Proof, Prover
from sapper.proofs.steps import PROOF_STEPS

# So many moves are proved to find the easiest: those of one position are much alike.
MAX_PROOFS = 6


def easiest_proof(
    position: Position, moves: Knowledge, difficulty: Difficulty, limit: Limit
) -> Proof:
    """The proof of fewest numbers among those of the moves, then the nearest, then the first.

    Flags are trusted. Of many moves only some are looked at, spread over the board.
    """
    cells = np.flatnonzero(moves != UNKNOWN)
    some = cells[np.linspace(0, len(cells) - 1, min(len(cells), MAX_PROOFS)).astype(int)]
    proofs: Iterator[Proof]
    if difficulty.uses_mine_count:
        prover = Prover(position, limit, trust_flags=True)
        proofs = map(prover.proof, some.tolist())
    else:
        proofs = _by_numbers(position, moves, some.tolist(), limit)
    return min(
        proofs, key=lambda proof: (len(proof.number_cells), total_distance(proof), proof.move.cell)
    )


def _by_numbers(
    position: Position, moves: Knowledge, cells: list[int], limit: Limit
) -> Iterator[Proof]:
    """Smallest proofs without the mine count; what the moves are is known already."""
    evidence = Constraints.read(position, initial_knowledge(position, trust_flags=True))
    search = evidence.search(moves, limit)
    graph = view(position.board.offsets), view(position.board.neighbours)
    for cell in cells:
        set_weights(search, *graph, cell)
        if prove(search, evidence.place[cell], len(evidence.cells), PROOF_STEPS) == PROVED:
            action = "flag" if moves[cell] == MINE else "reveal"
            numbers = evidence.cells_of(search.best_at, search.best_count)
            yield Proof(position, Move(action, cell), numbers, False, True, trust_flags=True)
        else:
            # Long, or stopped by the limit, which it then says.
            yield Prover(position, limit, trust_flags=True).proof(cell)


def total_distance(proof: Proof) -> int:
    """The sum of the steps on the board from the cell of a proof to each of its numbers."""
    assert proof.move.cell is not None
    steps = distances(proof.position.board, proof.move.cell, proof.number_cells)
    return sum(steps.values())


def distances(board: Board, start: int, cells: Iterable[int]) -> dict[int, int]:
    """The steps on the board from a cell to others; those that no way leads to are left out."""
    wanted, seen, ring, found = set(cells), {start}, {start}, {}
    for far in count():
        found.update(dict.fromkeys(wanted & ring, far))
        if len(found) == len(wanted) or not ring:
            return found
        ring = {d for c in ring for d in board.around(c).tolist()} - seen
        seen |= ring
    raise AssertionError("a board has an end")
