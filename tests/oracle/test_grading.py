"""Difficulties and grades against brute force over all solutions and all sets of numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper import Layout, grade
from sapper.proofs.steps import StepFinder
from tests.oracle import naive_proofs as naive
from tests.sampling import cases
from tests.strategies import graph_boards, tiling_boards, true_positions

SMALL_BOARDS = st.one_of(tiling_boards(4), graph_boards())


@st.composite
def small_layouts(draw: st.DrawFn) -> Layout:
    """Draw layouts of at most 16 cells, few enough for brute force."""
    board = draw(SMALL_BOARDS.filter(lambda board: 2 <= len(board) <= 16))
    mines = draw(st.sets(st.sampled_from(board.cells), max_size=len(board) // 2))
    safe = [c for c in board.cells if c not in mines]
    return Layout(board, [c in mines for c in board.cells], draw(st.sampled_from(safe)))


@pytest.mark.plain
@settings(max_examples=cases(20, plain=6))
@given(small_layouts())
def test_grades_equal_brute_force(layout):
    expected = naive.grade(layout.board, set(layout.mine_cells.tolist()), layout.click)
    result = grade(layout)
    assert (result.difficulty, result.revealed_by_difficulty, result.guesses) == expected


@pytest.mark.plain
@settings(max_examples=cases(80, plain=20))
@given(true_positions(SMALL_BOARDS))
def test_steps_equal_brute_force(position):
    if len(position.covered) > 12:
        return
    finder, known = StepFinder(position), {}
    while True:
        step = finder.step()
        expected = naive.difficulty_step(position.board, position.marks, position.mines, known)
        if step is None or expected is None:
            assert step == expected
            return
        moves = dict.fromkeys(step.flag, 1) | dict.fromkeys(step.reveal, 0)
        assert (step.difficulty, moves) == expected
        known |= moves
