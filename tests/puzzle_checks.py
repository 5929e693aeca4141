"""What a puzzle promises, checked in two ways that its makers do not share."""

import numpy as np

from sapper.generate.puzzles.make import make_puzzles, puzzle_rules
from sapper.infer.budget import DEFAULT
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS, rung_of
from sapper.infer.odds.analysis import analyse
from sapper.kernels.codes import FREE, MINE
from sapper.model.tilings import TILINGS
from tests.oracle import naive_puzzles

RUNGS_OF = {name: RUNGS.names for name in TILINGS}
# On triangles that share sides a pair of hints never says more than each alone, and four or more
# say something so seldom that hunting them takes hours.
RUNGS_OF["triangular-edge"] = ("one", "three", "count")


def some(rung, tiling, count, seed):
    return make_puzzles(puzzle_rules(rung, tiling), count, seed)


def moves_by_cell(puzzle):
    return {**dict.fromkeys(puzzle.flag, 1), **dict.fromkeys(puzzle.reveal, 0)}


def by_climbing(puzzle):
    """The rung is exact, no move of it is missing, each is certain; easier rungs gave the flags."""
    frame, place = puzzle.frame, RUNGS.place(puzzle.rung)
    rung, moves = Climb(frame, trust_flags=True).moves()
    assert rung == puzzle.rung
    assert tuple(np.flatnonzero(moves == MINE)) == puzzle.flag
    assert tuple(np.flatnonzero(moves == FREE)) == puzzle.reveal
    sure = analyse(frame, trust_flags=True)
    assert set(puzzle.flag) <= set(sure.flag_cells.tolist())
    assert set(puzzle.reveal) <= set(sure.reveal_cells.tolist())
    assert puzzle.flag or puzzle.reveal
    bare = Climb(frame.without_flags())
    while set(np.flatnonzero(bare.known == MINE)) != set(frame.flags.tolist()):
        rung, moves = bare.moves()
        assert RUNGS.place(rung) < max(place, 1)
        assert not (moves == FREE).any()
        bare.known[moves == MINE] = MINE
    proof = puzzle.proof
    assert proof.move.cell in moves_by_cell(puzzle)
    assert rung_of(len(proof.hint_cells), proof.mine_count) == puzzle.rung


def by_reading(puzzle):
    """The same by the slow twin, on sets; False where that would list too many placements."""
    frame, rung = puzzle.frame, RUNGS[puzzle.rung]
    moves = moves_by_cell(puzzle)
    easier = min((rung.hints or 4) - 1, 3)
    assert naive_puzzles.by_hints(frame, easier) == {} if easier else True
    if rung.hints is not None:
        assert naive_puzzles.by_hints(frame, rung.hints) == moves
        if easier:
            flags = naive_puzzles.flags_by(frame, easier)
            assert flags == frozenset(frame.flags.tolist())
        return True
    try:
        without = naive_puzzles.by_all(frame, with_count=False)
        if rung.mine_count:
            assert without == {}
            assert naive_puzzles.by_all(frame, with_count=True) == moves
        else:
            assert without == moves
    except naive_puzzles.TooMany:
        return False
    return True


def proved_again(puzzle):
    """Its easiest proof holds by itself, given the flags."""
    from sapper.infer.proofs.prove import Prover

    proof = Prover(puzzle.frame, DEFAULT.start(), trust_flags=True).proof(puzzle.proof.move.cell)
    assert len(proof.hint_cells) == len(puzzle.proof.hint_cells)
    assert proof.move == puzzle.proof.move
