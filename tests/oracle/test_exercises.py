"""The keys of exercises against brute force."""

from itertools import islice

import pytest

from sapper import TILINGS, Board, tiling
from sapper.generators.exercises import exercise_rules, exercises
from tests.oracle.naive_proofs import AllAssignments

MAX_UNKNOWN = 16
HEXAGONS = tiling("hexagonal", 5, 4)
GRAPH = Board.from_edges([(f"v{a}", f"v{b}") for a, b in HEXAGONS.edges()])
# No game on a smaller torus comes to a guess between cells of different probabilities.
BOARDS = [tiling(name, 5, 5 if name == "torus" else 4) for name in TILINGS]


def small_exercises(board, kind, count):
    """Yield the first exercises with few unknown cells, and all assignments to these."""
    every = exercises(exercise_rules(board, kind), 1000, seed=1)
    few = (
        made
        for made in every
        if len(made.position.covered) - len(made.position.flags) <= MAX_UNKNOWN
    )
    for made in islice(few, count):
        position = made.position
        known = dict.fromkeys(position.flags.tolist(), 1)
        yield made, AllAssignments(board, position.marks, position.mines, known)


@pytest.mark.parametrize("board", [*BOARDS, GRAPH], ids=[*TILINGS, "graph"])
def test_key_of_a_proof_exercise_has_the_smallest_proof_of_every_safe_cell(board):
    for made, reference in small_exercises(
        board, "proof", count=1 if board.tiling == "torus" else 4
    ):
        certain = reference.certain(with_count=True)
        assert sorted(p.cell for p in made.proofs) == [c for c in certain if not certain[c]]
        assert made.proofs[0].difficulty == made.difficulty
        for proof in made.proofs:
            expected = reference.smallest(proof.cell, 0, with_count=False)
            assert proof.uses_mine_count == (expected is None)
            if expected is None:
                expected = reference.smallest(proof.cell, 0, with_count=True)
            assert proof.number_cells == expected


@pytest.mark.parametrize("board", [*BOARDS, GRAPH], ids=[*TILINGS, "graph"])
def test_key_of_a_probability_exercise_has_the_exact_fractions(board):
    for made, reference in small_exercises(
        board, "probability", count=1 if board.tiling == "torus" else 4
    ):
        solutions = reference.solutions(with_count=True)
        assert made.solutions == len(solutions)
        assert made.fractions == reference.probabilities()
        assert reference.certain(with_count=True) == {}
        asked = [made.fractions[cell] for cell in made.asked_cells]
        assert 2 <= len(set(asked)) == len(asked) <= 3
