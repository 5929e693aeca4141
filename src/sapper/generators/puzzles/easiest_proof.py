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

# The number of moves that are proved; the moves of one position are similar.
MAX_PROOFS = 6


def easiest_proof(
    position: Position, moves: Knowledge, difficulty: Difficulty, limit: Limit
) -> Proof:
    """Return the proof with the fewest numbers, then the nearest numbers, then the lowest cell.

    Flags are trusted. If there are many moves, a sample spread over the board is proved.
    """
    cells = np.flatnonzero(moves != UNKNOWN)
    sample = cells[np.linspace(0, len(cells) - 1, min(len(cells), MAX_PROOFS)).astype(int)]
    proofs: Iterator[Proof]
    if difficulty.uses_mine_count:
        prover = Prover(position, limit, trust_flags=True)
        proofs = map(prover.proof, sample.tolist())
    else:
        proofs = _by_numbers(position, moves, sample.tolist(), limit)
    return min(
        proofs, key=lambda proof: (len(proof.number_cells), total_distance(proof), proof.move.cell)
    )


def _by_numbers(
    position: Position, moves: Knowledge, cells: list[int], limit: Limit
) -> Iterator[Proof]:
    """Yield smallest proofs of known moves without the mine count."""
    constraints = Constraints.read(position, initial_knowledge(position, trust_flags=True))
    search = constraints.search(moves, limit)
    graph = view(position.board.offsets), view(position.board.neighbours)
    for cell in cells:
        set_weights(search, *graph, cell)
        if prove(search, constraints.place[cell], len(constraints.cells), PROOF_STEPS) == PROVED:
            action = "flag" if moves[cell] == MINE else "reveal"
            numbers = constraints.cells_of(search.best_at, search.best_count)
            yield Proof(position, Move(action, cell), numbers, False, True, trust_flags=True)
        else:
            # The short search gave up; this one takes longer and raises OutOfBudget at the limit.
            yield Prover(position, limit, trust_flags=True).proof(cell)


def total_distance(proof: Proof) -> int:
    """Return the sum of the distances from the cell of a proof to each of its numbers."""
    assert proof.move.cell is not None
    steps = distances(proof.position.board, proof.move.cell, proof.number_cells)
    return sum(steps.values())


def distances(board: Board, start: int, cells: Iterable[int]) -> dict[int, int]:
    """Return the distance on the board from a cell to others, without unreachable ones."""
    targets, seen, ring, found = set(cells), {start}, {start}, {}
    for distance in count():
        found.update(dict.fromkeys(targets & ring, distance))
        if len(found) == len(targets) or not ring:
            return found
        ring = {d for c in ring for d in board.around(c).tolist()} - seen
        seen |= ring
    raise AssertionError("unreachable: a board is finite")
