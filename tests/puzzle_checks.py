"""Checks of training puzzles by two methods that the generator does not use."""

import numpy as np

from sapper.board.tilings import TILINGS
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.generators.puzzles import puzzle_rules, puzzles
from sapper.kernels.codes import MINE, SAFE
from sapper.proofs.difficulty import DIFFICULTIES, difficulty_of
from sapper.proofs.prover import Prover
from sapper.proofs.steps import StepFinder
from tests.oracle import naive_puzzles
from tests.oracle.naive_hints import TooManySteps

# On triangles that share sides, a pair of numbers never gives more than each alone, and puzzles of
# four or more numbers take hours to find.
KINDS = [
    (tiling, difficulty)
    for tiling in TILINGS
    for difficulty in DIFFICULTIES.names
    if tiling != "triangular-edge" or difficulty in ("one", "three", "count")
]


def generate_puzzles(difficulty, tiling, count, seed):
    return puzzles(puzzle_rules(difficulty, tiling), count, seed)


def moves_by_cell(puzzle):
    return {**dict.fromkeys(puzzle.flag, 1), **dict.fromkeys(puzzle.reveal, 0)}


def check_by_steps(puzzle):
    """Check that the difficulty is exact, the moves complete and certain, and the flags easier."""
    position, place = puzzle.position, DIFFICULTIES.index(puzzle.difficulty)
    difficulty, moves = StepFinder(position, trust_flags=True).moves()
    assert difficulty == puzzle.difficulty
    assert tuple(np.flatnonzero(moves == MINE)) == puzzle.flag
    assert tuple(np.flatnonzero(moves == SAFE)) == puzzle.reveal
    analysis = analyse(position, trust_flags=True)
    assert set(puzzle.flag) <= set(analysis.certain_mine_cells.tolist())
    assert set(puzzle.reveal) <= set(analysis.safe_cells.tolist())
    assert puzzle.flag or puzzle.reveal
    finder = StepFinder(position.without_flags())
    while set(np.flatnonzero(finder.known == MINE)) != set(position.flags.tolist()):
        difficulty, moves = finder.moves()
        assert DIFFICULTIES.index(difficulty) < max(place, 1)
        assert not (moves == SAFE).any()
        finder.known[moves == MINE] = MINE
    proof = puzzle.proof
    assert proof.move.cell in moves_by_cell(puzzle)
    assert difficulty_of(len(proof.number_cells), proof.uses_mine_count) == puzzle.difficulty


def check_by_reference(puzzle):
    """Check the moves with the slow reference; return False if it has too many solutions."""
    position, difficulty = puzzle.position, DIFFICULTIES[puzzle.difficulty]
    moves = moves_by_cell(puzzle)
    easier = min((difficulty.numbers or 4) - 1, 3)
    assert naive_puzzles.moves_by_numbers(position, easier) == {} if easier else True
    if difficulty.numbers is not None:
        assert naive_puzzles.moves_by_numbers(position, difficulty.numbers) == moves
        if easier:
            flags = naive_puzzles.mines_by_numbers(position, easier)
            assert flags == frozenset(position.flags.tolist())
        return True
    try:
        without = naive_puzzles.moves_by_all_numbers(position, with_count=False)
        if difficulty.uses_mine_count:
            assert without == {}
            assert naive_puzzles.moves_by_all_numbers(position, with_count=True) == moves
        else:
            assert without == moves
    except TooManySteps:
        return False
    return True


def check_proof(puzzle):
    """Check that the prover finds a proof of the same size, given the flags."""
    prover = Prover(puzzle.position, DEFAULT_BUDGET.start(), trust_flags=True)
    proof = prover.proof(puzzle.proof.move.cell)
    assert len(proof.number_cells) == len(puzzle.proof.number_cells)
    assert proof.move == puzzle.proof.move
