import pytest
from hypothesis import given
from tests.oracle import naive
from tests.strategies import boards, true_frames

from sapper.errors import Contradiction
from sapper.infer.ladder.replay import replay
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.model.frame import Frame


@pytest.mark.plain
def test_a_single_hint_after_another_solves_the_papers_example():
    found = replay(
        Frame.parse("""
            1 # 1 # 1 # 1
            # 2 # 2 # 1 #
            1 # 3 # 2 # 1
            # 1 # 3 # 2 #
        """)
    )
    assert (found.hints, found.steps) == (1, (14, 0, 0))
    assert found.mine_cells.tolist() == [5, 7, 9, 17, 23, 25, 27]


@pytest.mark.plain
def test_two_hints_together_free_the_cell_that_only_one_of_them_sees():
    frame = Frame.parse("""
        1 2 1
        # # #
    """)
    assert replay(frame, most=1).hints is None
    found = replay(frame, most=2)
    assert (found.hints, found.steps) == (2, (1, 2, 0))
    assert found.known.tolist() == [FREE] * 3 + [MINE, FREE, MINE]


@pytest.mark.plain
def test_what_is_ambiguous_stays_unknown():
    found = replay(Frame.parse("# 1 #"))
    assert not found.solved
    assert found.known.tolist() == [UNKNOWN, FREE, UNKNOWN]


def test_a_flag_is_a_blank_on_paper():
    assert replay(Frame.parse("F 0")).known.tolist() == [FREE, FREE]


@pytest.mark.plain
@pytest.mark.parametrize("text", ["3 # #", "1 # 0 #", "1 2\n# #\n0 1"])
def test_hints_that_cannot_be_met_are_a_contradiction(text):
    with pytest.raises(Contradiction):
        replay(Frame.parse(text))


@pytest.mark.plain
@given(true_frames(boards(most=4)))
def test_the_kernel_finds_exactly_what_sets_of_hints_decide(frame):
    marks = [max(mark, -1) for mark in frame.marks.tolist()]
    if marks.count(-1) > 9 or len(marks) - marks.count(-1) > 11:
        return
    for most in (1, 2, 3):
        known, hardest = naive.paper_closure(frame.board, marks, most)
        found = replay(frame, most)
        expected = {cell: MINE if mine else FREE for cell, mine in known.items()}
        assert {c: found.known[c] for c in frame.blanks.tolist() if found.known[c]} == expected
        if found.solved and known:
            assert found.hints == hardest
