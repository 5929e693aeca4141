import pickle

import pytest
from hypothesis import given
from tests.strategies import frames

from sapper import BLANK, FLAG, Frame, NotationError, SapperError
from sapper.model.tilings import tiling


@given(frames())
def test_every_cell_belongs_where_the_glossary_says(frame):
    board, marks = frame.board, frame.marks
    near = [set(map(int, board.around(c))) for c in board.cells]
    revealed = {c for c in board.cells if marks[c] >= 0}
    blanks = {c for c in board.cells if marks[c] == BLANK}
    assert set(frame.revealed.tolist()) == revealed
    assert set(frame.blanks.tolist()) == blanks
    assert set(frame.flags.tolist()) == set(board.cells) - revealed - blanks
    assert frame.fringe.tolist() == [c for c in sorted(revealed) if near[c] & blanks]
    assert frame.perimeter.tolist() == [c for c in sorted(blanks) if near[c] & revealed]
    assert frame.interior.tolist() == [c for c in sorted(blanks) if not near[c] & revealed]
    for c in revealed:
        assert set(frame.blanks_around(c)) == near[c] & blanks
        assert frame.need(c) == marks[c] - sum(marks[d] == FLAG for d in near[c])


def test_frames_cannot_be_changed_and_are_equal_by_what_they_show():
    frame = Frame.parse("1#F", mines=1)
    assert frame == Frame.parse("1 ? F", mines=1)
    assert frame != Frame.parse("1#F")
    assert hash(frame) == hash(Frame.parse("1 H F", mines=1))
    with pytest.raises(ValueError, match="read-only"):
        frame.marks[0] = 2


def test_flags_can_be_taken_for_blanks():
    assert Frame.parse("1#F").without_flags() == Frame.parse("1##")


def test_cells_can_be_marked_anew():
    assert Frame.parse("1##").with_marks({1: FLAG, 2: 0}) == Frame.parse("1F.")


@pytest.mark.parametrize(
    ("marks", "mines", "message"),
    [
        ([1, 2], None, "expected 4 marks for square 2x2, got 2"),
        ([13, 0, 0, 0], None, "expected hints from 0 to 12, got 13"),
        ([-3, 0, 0, 0], None, "expected hints from 0 to 12, got -3"),
        ([0, 0, 0, 0], -1, "expected a mine count of at least 0, got -1"),
    ],
)
def test_a_frame_that_cannot_be_is_refused(marks, mines, message):
    with pytest.raises(NotationError, match=message):
        Frame(tiling("square", 2, 2), marks, mines)


def test_a_frame_shows_itself_briefly():
    assert repr(Frame.parse("1#F", mines=1)) == "<Frame square 3x1, mines 1, 1 revealed>"


@pytest.mark.parametrize(
    ("marks", "got"),
    [([2**40, 0], str(2**40)), ([1.5, 0], "1.5"), ([13, 0], "13"), ([-3, 0], "-3")],
)
def test_marks_that_are_no_hints_are_refused_and_never_rounded(marks, got):
    with pytest.raises(NotationError, match=f"expected hints from 0 to 12, got {got}"):
        Frame(tiling("square", 2, 1), marks)


@pytest.mark.parametrize("hint", [-1, -2, 2**40])
def test_a_named_hint_is_not_taken_for_a_mark(hint):
    with pytest.raises(NotationError, match="expected a hint of at least 0 at 'r1c1'"):
        Frame.of(tiling("square", 2, 1), {"r1c1": hint})


def test_a_copy_of_a_frame_is_as_read_only_as_the_frame():
    frame = Frame.parse("1 # F", mines=2)
    copy = pickle.loads(pickle.dumps(frame))
    assert copy == frame
    with pytest.raises(ValueError, match="read-only"):
        copy.marks[0] = 2


def test_a_notebook_draws_small_frames_and_names_large_ones():
    assert Frame.parse("1#")._repr_svg_().startswith("<svg")
    assert Frame.blank(tiling("square", 300, 300))._repr_svg_() is None


@pytest.mark.parametrize("changes", [{9: 1}, {-1: 1}, {"r9c9": 1}, {0: "x"}, {0: 1.5}, {0: -7}, 7])
def test_marks_for_cells_that_are_not_there_or_that_are_none_are_refused(changes):
    with pytest.raises(SapperError, match="expected"):
        Frame.parse("1##").with_marks(changes)


def test_marks_may_be_given_by_the_names_of_cells():
    assert Frame.parse("1##").with_marks({"r1c2": FLAG}) == Frame.parse("1F#")
