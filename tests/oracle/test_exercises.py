"""The keys of exercises against brute force."""

from itertools import islice

import pytest

from sapper import TILINGS, Board, Budget, tiling
from sapper.worksheets.registry import WORKSHEET_KINDS
from tests.oracle.naive_proofs import AllAssignments

MAX_UNKNOWN = 16
HEXAGONS = tiling("hexagonal", 5, 4)
GRAPH = Board.from_edges([(f"v{a}", f"v{b}") for a, b in HEXAGONS.edges()])
# On a smaller torus no game has a guess between cells of different probabilities.
BOARDS = [tiling(name, 5, 5 if name == "torus" else 4) for name in TILINGS]


def small_exercises(board, kind, count):
    """Yield the first exercises with few unknown cells, and all assignments to these."""
    entry = WORKSHEET_KINDS[kind]
    generated = entry.problems(entry.rules(board), Budget(), range(1, 1001))
    small = (
        exercise
        for exercise in generated
        if len(exercise.position.covered) - len(exercise.position.flags) <= MAX_UNKNOWN
    )
    for exercise in islice(small, count):
        position = exercise.position
        known = dict.fromkeys(position.flags.tolist(), 1)
        yield exercise, AllAssignments(board, position.marks, position.mines, known)


@pytest.mark.parametrize("board", [*BOARDS, GRAPH], ids=[*TILINGS, "graph"])
def test_key_of_a_proof_exercise_has_the_smallest_proof_of_every_safe_cell(board):
    for exercise, reference in small_exercises(
        board, "proof", count=1 if board.tiling == "torus" else 4
    ):
        certain = reference.certain(with_count=True)
        assert sorted(p.cell for p in exercise.proofs) == [c for c in certain if not certain[c]]
        assert exercise.proofs[0].difficulty == exercise.difficulty
        for proof in exercise.proofs:
            expected = reference.smallest(proof.cell, 0, with_count=False)
            assert proof.uses_mine_count == (expected is None)
            if expected is None:
                expected = reference.smallest(proof.cell, 0, with_count=True)
            assert proof.number_cells == expected


@pytest.mark.parametrize("board", [*BOARDS, GRAPH], ids=[*TILINGS, "graph"])
def test_key_of_a_probability_exercise_has_the_exact_fractions(board):
    for exercise, reference in small_exercises(
        board, "probability", count=1 if board.tiling == "torus" else 4
    ):
        solutions = reference.solutions(with_count=True)
        assert exercise.solutions == len(solutions)
        assert exercise.fractions == reference.probabilities()
        assert reference.certain(with_count=True) == {}
        asked = [exercise.fractions[cell] for cell in exercise.asked_cells]
        assert 2 <= len(set(asked)) == len(asked) <= 3
