"""Proofs against brute force: valid, of the smallest size, and the nearest of that size."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sapper import FLAG, Contradiction, Position
from sapper.proofs.prover import explain_all, find_contradiction
from tests.oracle.naive_proofs import AllAssignments
from tests.sampling import cases
from tests.strategies import graph_boards, positions, tiling_boards, true_positions

MAX_UNKNOWN = 11
SMALL_BOARDS = st.one_of(tiling_boards(4), graph_boards())


@st.composite
def flagged_positions(draw: st.DrawFn, boards) -> Position:
    """Draw positions of real layouts with few covered cells, up to two flagged, rightly or not."""
    position = draw(true_positions(boards))
    assume(0 < len(position.covered) <= MAX_UNKNOWN)
    flags = draw(st.sets(st.sampled_from([int(c) for c in position.covered]), max_size=2))
    return position.with_marks(dict.fromkeys(flags, FLAG))


@pytest.mark.plain
@settings(max_examples=cases(100, plain=25))
@given(flagged_positions(SMALL_BOARDS), st.booleans())
def test_proofs_are_the_nearest_of_the_smallest(position, trust_flags):
    known = {int(cell): 1 for cell in position.flags} if trust_flags else {}
    reference = AllAssignments(position.board, position.marks, position.mines, known)
    try:
        proofs = explain_all(position, trust_flags=trust_flags)
    except Contradiction:
        assert not reference.solutions(with_count=position.mines is not None)
        return
    certain = reference.certain(with_count=position.mines is not None)
    assert [proof.move.cell for proof in proofs] == sorted(certain)
    for proof in proofs:
        cell = proof.move.cell
        assert proof.move.action == ("flag" if certain[cell] else "reveal")
        expected = reference.smallest(cell, certain[cell], with_count=False)
        assert proof.uses_mine_count == (expected is None)
        if expected is None:
            expected = reference.smallest(cell, certain[cell], with_count=True)
        assert proof.number_cells == expected
        assert proof.smallest
        assert proof.text.endswith(".")


@st.composite
def positions_with_wrong_numbers(draw: st.DrawFn) -> Position:
    """Draw positions of real layouts with one or two numbers off by one.

    The smallest contradiction often needs several numbers.
    """
    position = draw(true_positions(SMALL_BOARDS))
    assume(len(position.revealed) and 0 < len(position.covered) <= MAX_UNKNOWN)
    wrong = draw(st.sets(st.sampled_from(position.revealed.tolist()), min_size=1, max_size=2))
    changes = {c: max(0, int(position.marks[c]) + draw(st.sampled_from([-1, 1]))) for c in wrong}
    return position.with_marks(changes)


ANY_POSITIONS = positions(st.one_of(tiling_boards(3), graph_boards()))


@pytest.mark.plain
@settings(max_examples=cases(100, plain=25))
@given(ANY_POSITIONS | positions_with_wrong_numbers())
def test_contradictions_name_the_smallest_set_of_numbers(position):
    assume(0 < int((position.marks < 0).sum()) <= MAX_UNKNOWN)
    reference = AllAssignments(position.board, position.marks, position.mines)
    found = find_contradiction(position)
    expected = reference.smallest(None, 0, with_count=False)
    uses_mine_count = expected is None
    if expected is None and position.mines is not None:
        expected = reference.smallest(None, 0, with_count=True)
    if found is None or expected is None:
        assert found == expected
    else:
        assert (found.number_cells, found.uses_mine_count) == (expected, uses_mine_count)
