"""The easiest proof among the moves of a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

import numpy as np

from sapper.infer.budget import Limit
from sapper.infer.ladder.climbing import PROOF_STEPS
from sapper.infer.ladder.rungs import Rung
from sapper.infer.proofs.evidence import Evidence, Known, known_cells
from sapper.infer.proofs.prove import Proof, Prover
from sapper.kernels import view
from sapper.kernels.codes import MINE, PROVED, UNKNOWN
from sapper.kernels.proofs.search import prove, weigh
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.model.move import Move

# So many moves are proved to find the easiest: those of one position are much alike.
MOST_PROOFS = 6


def easiest(frame: Frame, moves: Known, rung: Rung, limit: Limit) -> Proof:
    """The proof of fewest hints among those of the moves, then the nearest, then the first.

    Flags are trusted. Of many moves only some are looked at, spread over the board.
    """
    cells = np.flatnonzero(moves != UNKNOWN)
    some = cells[np.linspace(0, len(cells) - 1, min(len(cells), MOST_PROOFS)).astype(int)]
    proofs: Iterator[Proof]
    if rung.mine_count:
        prover = Prover(frame, limit, trust_flags=True)
        proofs = map(prover.proof, some.tolist())
    else:
        proofs = _by_hints(frame, moves, some.tolist(), limit)
    return min(proofs, key=lambda proof: (len(proof.hint_cells), reach(proof), proof.move.cell))


def _by_hints(frame: Frame, moves: Known, cells: list[int], limit: Limit) -> Iterator[Proof]:
    """Smallest proofs without the mine count; what the moves are is known already."""
    evidence = Evidence.read(frame, known_cells(frame, trust_flags=True))
    search = evidence.search(moves, limit)
    graph = view(frame.board.offsets), view(frame.board.neighbours)
    for cell in cells:
        weigh(search, *graph, cell)
        if prove(search, evidence.place[cell], len(evidence.cells), PROOF_STEPS) == PROVED:
            action = "flag" if moves[cell] == MINE else "reveal"
            hints = evidence.cells_of(search.best_at, search.best_count)
            yield Proof(frame, Move(action, cell), hints, False, True, trust_flags=True)
        else:
            # Long, or stopped by the limit, which it then says.
            yield Prover(frame, limit, trust_flags=True).proof(cell)


def reach(proof: Proof) -> int:
    """The sum of the steps on the board from the cell of a proof to each of its hints."""
    assert proof.move.cell is not None
    steps = steps_to(proof.frame.board, proof.move.cell, proof.hint_cells)
    return sum(steps.values())


def steps_to(board: Board, start: int, cells: Iterable[int]) -> dict[int, int]:
    """The steps on the board from a cell to others; those that no way leads to are left out."""
    wanted, seen, ring, found = set(cells), {start}, {start}, {}
    for far in count():
        found.update(dict.fromkeys(wanted & ring, far))
        if len(found) == len(wanted) or not ring:
            return found
        ring = {d for c in ring for d in board.around(c).tolist()} - seen
        seen |= ring
    raise AssertionError("a board has an end")
