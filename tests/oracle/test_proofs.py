"""Proofs against brute force: it suffices, none is smaller, and of those as small it is nearest."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sapper.errors import Contradiction
from sapper.infer.proofs.contradictions import contradiction
from sapper.infer.proofs.prove import explain_all
from sapper.model.frame import FLAG, Frame
from sapper.model.tilings import TILINGS
from tests.oracle.naive_proofs import Everything
from tests.strategies import frames, graph_boards, tiling_boards, true_frames

MOST_UNKNOWN = 11


@st.composite
def flagged_frames(draw: st.DrawFn, on) -> Frame:
    """A frame that some layout gives, few unknown cells, some of them flagged, right or wrong."""
    frame = draw(true_frames(on))
    assume(0 < len(frame.blanks) <= MOST_UNKNOWN)
    flags = draw(st.sets(st.sampled_from([int(c) for c in frame.blanks]), max_size=2))
    return frame.with_marks(dict.fromkeys(flags, FLAG))


def check_proofs(frame: Frame, trust_flags: bool) -> None:
    known = {int(cell): 1 for cell in frame.flags} if trust_flags else {}
    everything = Everything(frame.board, frame.marks, frame.mines, known)
    try:
        proofs = explain_all(frame, trust_flags=trust_flags)
    except Contradiction:
        assert not any(not unmet and (counted or frame.mines is None)
                       for _, counted, unmet in everything.worlds)  # fmt: skip
        return
    certain = everything.certain(with_count=frame.mines is not None)
    assert [proof.move.cell for proof in proofs] == sorted(certain)
    for proof in proofs:
        cell = proof.move.cell
        assert proof.move.action == ("flag" if certain[cell] else "reveal")
        expected = everything.smallest(cell, certain[cell], with_count=False)
        assert proof.mine_count == (expected is None)
        if expected is None:
            expected = everything.smallest(cell, certain[cell], with_count=True)
        assert proof.hint_cells == expected
        assert proof.smallest
        assert proof.text.endswith(".")


@pytest.mark.plain
@settings(max_examples=100)
@given(flagged_frames(st.one_of(tiling_boards(4), graph_boards())), st.booleans())
def test_a_proof_is_the_nearest_of_the_smallest(frame, trust_flags):
    check_proofs(frame, trust_flags)


@pytest.mark.slow
@pytest.mark.parametrize("tiling", [*TILINGS, "graph"])
def test_a_proof_is_the_nearest_of_the_smallest_on_thousands(tiling):
    on = graph_boards() if tiling == "graph" else tiling_boards(4, (tiling,))

    @settings(max_examples=700)
    @given(flagged_frames(on), st.booleans())
    def check(frame, trust_flags):
        check_proofs(frame, trust_flags)

    check()


def check_contradiction(frame: Frame) -> None:
    assume(0 < int((frame.marks < 0).sum()) <= MOST_UNKNOWN)
    everything = Everything(frame.board, frame.marks, frame.mines)
    found = contradiction(frame)
    expected = everything.smallest(None, 0, with_count=False)
    mine_count = expected is None
    if expected is None and frame.mines is not None:
        expected = everything.smallest(None, 0, with_count=True)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found.hints, found.mine_count) == (frame.names(expected), mine_count)


@pytest.mark.plain
@settings(max_examples=100)
@given(frames(st.one_of(tiling_boards(3), graph_boards())))
def test_a_contradiction_names_the_smallest_set_of_hints(frame):
    check_contradiction(frame)


@st.composite
def nearly_true_frames(draw: st.DrawFn, on) -> Frame:
    """One or two hints of a true frame changed: the contradiction may need several hints."""
    frame = draw(true_frames(on))
    assume(len(frame.revealed) and 0 < len(frame.blanks) <= MOST_UNKNOWN)
    wrong = draw(st.sets(st.sampled_from([int(c) for c in frame.revealed]), min_size=1, max_size=2))
    changes = {c: max(0, int(frame.marks[c]) + draw(st.sampled_from([-1, 1]))) for c in wrong}
    return frame.with_marks(changes)


@settings(max_examples=40)
@given(nearly_true_frames(st.one_of(tiling_boards(4), graph_boards())))
def test_a_subtle_contradiction_names_the_smallest_set_of_hints(frame):
    check_contradiction(frame)


@pytest.mark.slow
@settings(max_examples=3000)
@given(nearly_true_frames(st.one_of(tiling_boards(4), graph_boards())))
def test_thousands_of_contradictions_name_the_smallest_set_of_hints(frame):
    check_contradiction(frame)
