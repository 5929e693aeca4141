"""The table of formats: each text is recognised, and what is written is read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import boards, frames

from sapper import FORMATS, Board, Frame, Layout, NotationError, Rules, UnknownName, tiling
from sapper.model.formats import convert, is_saved_game, parse_position, recognise
from sapper.model.rules import RULES

PATH = Board.from_edges([("a", "b"), ("b", "c")], positions={"a": (0, 0), "b": (1, 0), "c": (2, 0)})
TEXTS = {
    "frame": "board: hexagonal 2x2\nmines: 1\n1#\nF.",
    "layout": "*.c",
    "jsminesweeper": "3x1x1\nH1F",
    "json": '{"edges": [["a", "b"]], "layout": ["a"]}',
}


@pytest.mark.parametrize("name", FORMATS.names)
def test_every_format_is_recognised_and_written_back(name):
    text = TEXTS[name]
    assert recognise(text).name == name
    position = parse_position(text)
    written = convert(position, name)
    assert parse_position(written) == position
    assert convert(parse_position(written), name) == written


@given(frames())
def test_a_frame_is_the_same_in_every_format_that_can_write_it(frame):
    written = 0
    for row in FORMATS:
        if Frame not in row.holds:
            continue
        try:
            text = row.write(frame)
        except NotationError:
            continue
        written += 1
        assert row.read(text, Frame) == Frame.parse(text) == frame
    assert written


@pytest.mark.parametrize(
    ("position", "name", "message"),
    [
        (Layout.parse("*.c"), "frame", "expected a format that holds a layout, got 'frame'"),
        (Frame.parse("1#"), "layout", "expected a format that holds a frame, got 'layout'"),
        (Frame.parse("1#"), "jsminesweeper", "expected a square frame with its mine count"),
        (Frame.blank(PATH), "frame", "expected a board of a tiling, got a graph"),
    ],
)
def test_a_format_that_cannot_hold_a_position_says_so(position, name, message):
    with pytest.raises(NotationError, match=message):
        convert(position, name)


def test_an_unknown_format_is_refused_as_every_unknown_name():
    with pytest.raises(UnknownName, match=r"expected a format \(frame, layout, jsm.*, got 'fen'"):
        convert(Frame.parse("1#"), "fen")


@pytest.mark.parametrize("read", [Frame.parse, Layout.parse, parse_position])
def test_a_saved_game_is_not_taken_for_a_position(read):
    text = "\ufeff\n sapper: game 1\nboard: square 3x3\nmines: 1\nseed: 1\n"
    assert is_saved_game(text) and not is_saved_game("1#")
    with pytest.raises(NotationError, match=r"expected a .*, got a saved game"):
        read(text)


# Boards and rules.


@given(boards())
def test_a_board_is_read_back_from_its_text(board):
    assert Board.parse(str(board)) == board


def test_a_graph_is_named_by_its_size_in_a_sentence_and_by_its_json_as_text():
    assert f"{PATH}" == PATH.title == "graph of 3 cells"
    assert str(PATH).startswith('{"cells": ["a", "b", "c"]')
    again = Board.parse(str(PATH))
    assert [again.position(cell) for cell in again.cells] == [(0, 0), (1, 0), (2, 0)]


@given(boards(), st.data())
def test_rules_are_read_back_from_their_text(board, data):
    mines = data.draw(st.integers(0, len(board) - 1))
    rules = Rules(board, mines, data.draw(st.sampled_from(sorted(RULES))))
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules.parse("expert"), "30x16/99"),
        (Rules.parse("9x9/10", "torus", "safe"), "torus 9x9/10 safe"),
        (Rules.parse("hexagonal beginner any"), "hexagonal 9x9/10 any"),
        (Rules.parse(" torus  5x5/3 "), "torus 5x5/3"),
        (Rules(PATH, 1), str(PATH)[:-1] + ', "mines": 1, "rule": "zero"}'),
    ],
)
def test_rules_are_written_with_what_is_not_usual(rules, text):
    assert str(rules) == text


@pytest.mark.parametrize(
    ("text", "chosen", "message"),
    [
        ("cubic 9x9/10", {}, "expected a size such as 30x16/99 or a level"),
        ("9x9/10 never", {}, "expected a size such as"),
        ("9x9", {}, "expected a size with mines"),
        ("torus 9x9/10", {"tiling": "square"}, "expected one tiling, got 'torus' and 'square'"),
        ("9x9/10 any", {"rule": "safe"}, "expected one rule, got 'any' and 'safe'"),
        ("9x9/10", {"rule": "never"}, r"expected a rule \(any, safe, zero\), got 'never'"),
        ('{"board": "square 3x3"}', {}, "mines: expected a number, got None"),
        ('{"board": "square 3x3", "mines": 1}', {"tiling": "torus"}, "got square 3x3"),
    ],
)
def test_rules_that_cannot_be_read_say_why(text, chosen, message):
    with pytest.raises(ValueError, match=message):
        Rules.parse(text, **chosen)


def test_rules_take_the_older_word_for_their_rule():
    rules = Rules(tiling("square", 9, 9), 10, promise="safe")
    assert (
        rules == Rules.parse("beginner", promise="safe") and rules.promise == rules.rule == "safe"
    )
