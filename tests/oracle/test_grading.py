"""Rungs and grades against brute force over all placements and all sets of hints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.generate.grade import grade
from sapper.infer.ladder.climbing import Climb
from sapper.model.layout import Layout
from tests.oracle import naive_proofs as naive
from tests.strategies import graph_boards, tiling_boards, true_frames


@st.composite
def small_layouts(draw: st.DrawFn, most: int = 14) -> Layout:
    """Few enough cells off the click's opening to try everything."""
    board = draw(
        st.one_of(tiling_boards(4), graph_boards()).filter(lambda board: 2 <= len(board) <= 16)
    )
    mines = draw(st.sets(st.sampled_from(board.cells), max_size=len(board) // 2))
    free = [c for c in board.cells if c not in mines]
    layout = Layout(board, [c in mines for c in board.cells], draw(st.sampled_from(free)))
    return layout


def check_grade(layout: Layout) -> None:
    mines = set(map(int, layout.mine_cells))
    found = grade(layout)
    assert (found.rung, found.steps, found.guesses) == naive.grade(
        layout.board, mines, layout.click
    )


@pytest.mark.plain
@settings(max_examples=25)
@given(small_layouts())
def test_a_grade_is_what_brute_force_says(layout):
    check_grade(layout)


@pytest.mark.slow
@settings(max_examples=1500)
@given(small_layouts())
def test_a_grade_is_what_brute_force_says_on_many(layout):
    check_grade(layout)


def check_climb(frame) -> None:
    unknown = int((frame.marks < 0).sum())
    if unknown > 12:
        return
    climb, known = Climb(frame), {}
    while True:
        step = climb.step()
        expected = naive.rung_step(frame.board, frame.marks, frame.mines, known)
        if expected is None:
            assert step is None
            return
        rung, moves = expected
        assert step is not None
        assert (step.rung, dict.fromkeys(step.flag, 1) | dict.fromkeys(step.reveal, 0)) == (
            rung,
            moves,
        )
        known |= moves


@pytest.mark.plain
@settings(max_examples=80)
@given(true_frames(st.one_of(tiling_boards(4), graph_boards())))
def test_every_step_is_what_brute_force_says(frame):
    check_climb(frame)


@pytest.mark.slow
@settings(max_examples=3000)
@given(true_frames(st.one_of(tiling_boards(4), graph_boards())))
def test_every_step_is_what_brute_force_says_on_many(frame):
    check_climb(frame)
