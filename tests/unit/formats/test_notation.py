import json

import pytest
from tests.error_messages import assert_refused

from sapper import COVERED, FLAG, Board, Layout, NotationError, Position, tiling
from sapper.formats.registry import parse_any, parse_board, split_texts


def test_position_is_read_from_text():
    position = Position.parse("""
        board: square 5x5
        mines: 8
        #####
        #222#
        #2.2#
        #222#
        #####
    """)
    assert position.board == tiling("square", 5, 5)
    assert position.mines == 8
    assert position.marks[12] == 0
    assert str(position) == "mines: 8\n#####\n#222#\n#2.2#\n#222#\n#####"
    assert str(Position.parse(" ? H #\n\t0 . F\n")) == "###\n..F"
    position = Position.parse("board: triangular 5x1\n9abc#")
    assert position.marks.tolist() == [9, 10, 11, 12, COVERED]
    assert str(position) == "board: triangular 5x1\n9abc#"
    position = Position.parse("3x2x4\n0H?\nFM8\n")
    assert position.mines == 4
    assert position.marks.tolist() == [0, COVERED, FLAG, FLAG, FLAG, 8]
    assert Position.parse("\ufeff1#") == Position.parse("1#")
    assert Position.parse('\ufeff{"cells": ["a"]}').board.names == ("a",)


def test_position_is_read_from_json():
    text = """{"cells": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]],
               "mines": 1, "numbers": {"b": 1}, "flags": ["c"]}"""
    position = Position.parse(text)
    assert position.board.neighbour_names("b") == ("a", "c")
    assert position.marks.tolist() == [COVERED, 1, FLAG]
    assert Position.parse(str(position)) == position
    assert json.loads(str(position)) == json.loads(text)
    edges_only = '{"edges": [["a", "b"]], "numbers": {"a": 1}}'
    assert parse_board(edges_only) == Position.parse(edges_only).board
    position = Position.parse('{"board": "hexagonal 3x2", "numbers": {"r2c3": 2}}')
    assert str(position) == "board: hexagonal 3x2\n###\n##2"
    board = Board.from_edges(
        [("a", "b")],
        points={"a": (0, 0), "b": (1, 2)},
        outlines={"a": ((0, 0), (1, 0), (0, 1)), "b": ((1, 0), (1, 1), (0, 1))},
    )
    again = Position.parse(str(Position.initial(board))).board
    assert again.point(1) == (1.0, 2.0)
    assert again.outline(0) == ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))


def test_layout_is_read_from_text_and_json():
    layout = Layout.parse("* . .\n. C *")
    assert layout.mine_mask.tolist() == [1, 0, 0, 0, 0, 1]
    assert layout.click == 4
    assert str(layout) == "*..\n.c*"
    assert str(Layout.parse("layout: torus 3x3\n*..\n...\n...")).startswith("layout: torus 3x3\n")
    layout = Layout.parse('{"edges": [["a", "b"]], "layout": ["b"], "click": "a"}')
    assert (layout.mine_mask.tolist(), layout.click) == ([0, 1], 0)
    assert Layout.parse(str(layout)) == layout


def test_positions_and_layouts_are_distinguished_by_their_text():
    layouts = ["*..", "..c", "**\n*c", "*", "c", "*c", "layout: square 3x1\n..."]
    layouts += ['{"edges": [["a", "b"]], "layout": []}']
    positions = ["...", "1##", "mines: 1\n..#", "board: triangular 3x1\n..c"]
    positions += ['{"edges": [["a", "b"]]}']
    assert {text: type(parse_any(text)) for text in layouts + positions} == {
        **dict.fromkeys(layouts, Layout),
        **dict.fromkeys(positions, Position),
    }


def test_text_is_split_at_empty_lines_and_a_single_position_is_unchanged():
    assert split_texts("mines: 1\n\n1#\n\n \n1##\n") == ["mines: 1\n1#", "1##"]
    assert split_texts("\n1#\n") == ["\n1#\n"], "line numbers in errors stay right"


def test_json_objects_begin_on_new_lines():
    first, second = '{"edges": [["a",\n"b"]]}', '{"cells": ["c"]}'
    assert split_texts(f"{first}\r\n\n{second}\n") == [f"{first}\r", second]
    for rest in (" x", "\nx", "\n[[1]]", " {}"):
        with pytest.raises(NotationError, match=r"invalid JSON|expected a JSON object"):
            split_texts(first + rest)


def test_mistake_in_a_position_is_reported_with_its_place():
    cases = [
        ("", "expected rows of cells, got none"),
        ("mines: 3", "expected rows of cells, got none"),
        ("###\n##", r"line 2: expected 3 cells, got 2: '##'"),
        ("\n1##\n#x#", r"line 3, cell 2: expected one of .*, got 'x'"),
        ("1#*", r"line 1, cell 3: expected one of .*, got '\*'"),
        ("1#é", r"line 1, cell 3: .*, got 'é'"),
        ("1\ud800", "line 1, cell 2: expected one of"),
        ('{"board": "foo"}', "^board: expected a board such as"),
        ("1#\n\n1#", "line 3: expected one position, got more"),
        ("mines: x\n##", "line 1: expected a number of mines, got 'x'"),
        ("mines: -1\n##", "line 1: expected a number of mines, got '-1'"),
        ("mines: 1\nmines: 2\n##", "line 2: the header 'mines' occurs twice"),
        ("##\nmines: 1", "line 2: expected headers before the rows, or an empty line between two"),
        ("board: square\n##", "line 1: expected a board such as 'square 9x9', got 'square'"),
        ("board: cubic 2x1\n##", "line 1: no such tiling 'cubic'"),
        ("board: torus 2x1\n##", "line 1: expected a torus board of at least 3x3"),
        ("board: square 2x2\n##", "expected 2 rows for square 2x2, got 1"),
        ("board: square 99999x99999\n##", "line 1: expected at most 16,777,216 cells"),
        ("layout: square 2x1\n..", "expected a position, got a layout"),
        ("3x1x1\n1#F#", "line 2: expected 3 cells, got 4"),
        ("3x1x1\n1#F", "line 2, cell 2"),
        ("3x1x1", "expected 1 rows"),
        ("{", "line 1, column 2: invalid JSON"),
        ('{"edges": 3}', "edges: expected a list, got 3"),
        ('{"edges": [["a", "a"]]}', "cells and edges: .* from 'a' to itself"),
        ('{"edges": [["a", "b", "c"]]}', "cells and edges: expected an edge as two names"),
        ('{"cells": ["a"], "number": {}}', "unknown key 'number'; the keys are board, cells"),
        (
            '{"cells": ["a"], "numbers": {"z": 1}}',
            "flags: expected a cell of graph of 1 cells, got 'z'",
        ),
        (
            '{"cells": ["a"], "numbers": {"a": true}}',
            "numbers, 'a': expected a whole .* True",
        ),
        ('{"cells": ["a"], "numbers": {"a": 1}, "flags": ["a"]}', "both a number and a flag"),
        (
            '{"edges": [["a", "b"]], "mines": 1.5}',
            "mines: expected a whole number from 0 to .*, got 1.5",
        ),
        ('{"edges": [["a", "b"]], "flags": [1]}', "flags: expected names"),
        ('{"cells": ["a", "a"], "edges": []}', "cells and edges: the cell 'a' occurs twice"),
        ('{"cells": [], "edges": []}', "cells and edges: a board needs at least one cell"),
        ('{"board": "square 2x2", "positions": {}}', "a board or its cells and edges, got both"),
        ('{"edges": [["a", "b"]], "positions": {"a": [0, 0]}}', "of all cells, got none for 'b'"),
        ('{"edges": [["a", "b"]], "positions": {"a": [0], "b": [1, 1]}}', "expected a point"),
        (
            '{"cells": ["a"], "positions": {"a": [0, 0], "c": [0, 0]}}',
            "of cells of the board, got 'c'",
        ),
        ('{"cells": ["a"], "outlines": {"a": [[0, 0]]}}', "an outline of at least three points"),
        ("{" * 100_000, "invalid JSON"),
        ('{"mines": ' + "9" * 5000 + "}", "at most 20 digits, got one of 5,000"),
        ('{"edges": ' + "[" * 100_000, "invalid JSON"),
    ]
    assert_refused(Position.parse, cases, NotationError)


def test_mistake_in_a_layout_is_reported_with_its_place():
    cases = [
        ("*.z", r"line 1, cell 3: expected one of \. \* c C, got 'z'"),
        ("*.1", "expected a layout, got a position"),
        (".cc", "expected at most one click, got 2"),
        ("mines: 1\n*.", "line 1: expected a layout, got a position"),
        ('{"cells": ["a"], "layout": ["z"]}', "layout: expected a cell"),
        ('{"cells": ["a"], "layout": ["a"], "click": "a"}', "click: the first click a is a mine"),
        ('{"cells": ["a"], "layout": ["a"], "click": 1}', "click: expected a cell's name"),
    ]
    assert_refused(Layout.parse, cases, NotationError)


def test_cell_name_with_white_space_or_control_characters_is_refused():
    names = ["a b", "", "\x1b[31m", "\x00", "\ud800", "\u2028"]
    texts = [(json.dumps({"cells": [name]}), "expected names") for name in names]
    assert_refused(Position.parse, texts, NotationError)
    cases = [(name, "expected a cell name without white space") for name in names]
    assert_refused(lambda name: Board.from_edges([], [name]), cases, NotationError)


def test_no_board_is_built_before_the_rows_are_checked(monkeypatch):
    def build(*size):
        raise AssertionError(f"built {size}")

    monkeypatch.setattr("sapper.formats.rows.tiling", build)
    headers = ["board: triangular 4000x4000\n1", "board: square 4000x1\n1"]
    headers += ["layout: torus 4000x4000\n*", "4000x4000x9\nH"]
    assert_refused(parse_any, [(text, "expected 4000 (rows|cells)") for text in headers])


def test_long_line_of_white_space_is_read_in_linear_time():
    # Quadratic matching took two minutes here; the test is that it ends.
    with pytest.raises(NotationError, match="expected a number of mines"):
        Position.parse("mines: 1" + " " * 200_000 + "x\n1#")
