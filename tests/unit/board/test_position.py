import pytest
from hypothesis import given
from tests.error_messages import assert_refused
from tests.strategies import positions

from sapper import COVERED, FLAG, NotationError, Position, tiling


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


def test_positions_are_compared_by_value():
    position = Position.parse("1#F", mines=1)
    assert position == Position.parse("1 ? F", mines=1) != Position.parse("1#F")
    assert hash(position) == hash(Position.parse("1 H F", mines=1))
    assert repr(position) == "<Position square 3x1, mines 1, 1 revealed>"


def test_impossible_position_is_refused():
    cases = [
        (([1, 2], None), "expected 4 marks for square 2x2, got 2"),
        *(
            (([mark, 0, 0, 0], None), f"expected numbers from 0 to 12, got {mark}")
            for mark in (13, -3, 2**40, 1.5)
        ),
        (([0, 0, 0, 0], -1), "expected a mine count from 0 to 16,777,216, got -1"),
        (([-1, 0, 0, 0], 10**30), "expected a mine count from 0 to 16,777,216, got 10"),
    ]
    assert_refused(lambda given: Position(tiling("square", 2, 2), *given), cases, NotationError)


def test_position_of_numbers_and_flags_by_name():
    board = tiling("square", 3, 1)
    assert Position.of(board, {"r1c1": 1}, ["r1c2", "r1c2"]) == Position.parse("1F#")
    with pytest.raises(NotationError, match="'r1c1' has both a number and a flag"):
        Position.of(board, {"r1c1": 1}, ["r1c1"])
    wrong = [(n, "expected a number of at least 0 at 'r1c1'") for n in (-1, -2, 2**40)]
    assert_refused(lambda number: Position.of(board, {"r1c1": number}), wrong, NotationError)


def test_marks_are_replaced_and_flags_removed():
    position = Position.parse("1##")
    assert position.with_marks({1: FLAG, "r1c3": 0}) == Position.parse("1F.")
    assert Position.parse("1#F").without_flags() == position
    wrong = [{9: 1}, {-1: 1}, {"r9c9": 1}, {0: "x"}, {0: 1.5}, {0: -7}]
    assert_refused(position.with_marks, [(changes, "expected") for changes in wrong])


def test_remaining_mines_of_a_covered_cell_are_refused():
    with pytest.raises(NotationError, match="expected a revealed cell, got r1c2"):
        Position.parse("1#F").remaining_mines(1)
