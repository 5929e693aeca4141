import pytest
from hypothesis import given
from tests.strategies import positions

from sapper import COVERED, FLAG, NotationError, Position, SapperError, tiling


@given(positions())
def test_cell_sets_equal_their_definitions(position):
    board, marks = position.board, position.marks
    near = [set(map(int, board.around(c))) for c in board.cells]
    revealed = {c for c in board.cells if marks[c] >= 0}
    covered = {c for c in board.cells if marks[c] == COVERED}
    assert set(position.revealed.tolist()) == revealed
    assert set(position.covered.tolist()) == covered
    assert set(position.flags.tolist()) == set(board.cells) - revealed - covered
    assert position.frontier_numbers.tolist() == [c for c in sorted(revealed) if near[c] & covered]
    assert position.frontier.tolist() == [c for c in sorted(covered) if near[c] & revealed]
    assert position.interior.tolist() == [c for c in sorted(covered) if not near[c] & revealed]
    for c in revealed:
        assert set(position.covered_around(c)) == near[c] & covered
        assert position.remaining_mines(c) == marks[c] - sum(marks[d] == FLAG for d in near[c])


def test_positions_are_immutable_and_compared_by_value():
    position = Position.parse("1#F", mines=1)
    assert position == Position.parse("1 ? F", mines=1)
    assert position != Position.parse("1#F")
    assert hash(position) == hash(Position.parse("1 H F", mines=1))
    with pytest.raises(ValueError, match="read-only"):
        position.marks[0] = 2


def test_flag_may_be_named_twice_but_not_on_a_number():
    board = tiling("square", 3, 1)
    assert Position.of(board, {"r1c1": 1}, ["r1c2", "r1c2"]) == Position.parse("1F#")
    with pytest.raises(NotationError, match="'r1c1' has both a number and a flag"):
        Position.of(board, {"r1c1": 1}, ["r1c1"])


@pytest.mark.parametrize(
    ("marks", "mines", "message"),
    [
        ([1, 2], None, "expected 4 marks for square 2x2, got 2"),
        ([13, 0, 0, 0], None, "expected numbers from 0 to 12, got 13"),
        ([-3, 0, 0, 0], None, "expected numbers from 0 to 12, got -3"),
        ([2**40, 0, 0, 0], None, f"expected numbers from 0 to 12, got {2**40}"),
        ([1.5, 0, 0, 0], None, "expected numbers from 0 to 12, got 1.5"),
        ([0, 0, 0, 0], -1, "expected a mine count from 0 to 16,777,216, got -1"),
        ([-1, 0, 0, 0], 10**30, "expected a mine count from 0 to 16,777,216, got 10"),
    ],
)
def test_impossible_position_is_refused(marks, mines, message):
    with pytest.raises(NotationError, match=message):
        Position(tiling("square", 2, 2), marks, mines)


def test_marks_are_replaced_and_flags_removed():
    assert Position.parse("1##").with_marks({1: FLAG, "r1c3": 0}) == Position.parse("1F.")
    assert Position.parse("1#F").without_flags() == Position.parse("1##")


def test_remaining_mines_of_a_covered_cell_are_refused():
    with pytest.raises(NotationError, match="expected a revealed cell, got r1c2"):
        Position.parse("1#F").remaining_mines(1)


def test_repr_is_short():
    assert repr(Position.parse("1#F", mines=1)) == "<Position square 3x1, mines 1, 1 revealed>"


@pytest.mark.parametrize("number", [-1, -2, 2**40])
def test_negative_or_huge_number_is_refused(number):
    with pytest.raises(NotationError, match="expected a number of at least 0 at 'r1c1'"):
        Position.of(tiling("square", 2, 1), {"r1c1": number})


@pytest.mark.parametrize("changes", [{9: 1}, {-1: 1}, {"r9c9": 1}, {0: "x"}, {0: 1.5}, {0: -7}])
def test_impossible_changes_of_marks_are_refused(changes):
    with pytest.raises(SapperError, match="expected"):
        Position.parse("1##").with_marks(changes)
