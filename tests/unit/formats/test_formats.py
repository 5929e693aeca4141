"""The registry of formats: detection, round trips and error messages."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.error_messages import assert_one_line, assert_refused
from tests.fuzz import mutate_bytes, mutate_text
from tests.sampling import cases
from tests.strategies import boards, layouts, positions, tiling_boards, true_positions

from sapper import FORMATS, Board, Layout, NotationError, Position, Rules, tiling
from sapper.board.rules import RULES
from sapper.formats.binary import decode_file, is_mbf
from sapper.formats.links import PTTA
from sapper.formats.registry import (
    MINE_COUNT,
    convert,
    detect_format,
    is_saved_game,
    omitted_parts,
    parse_any,
)

MUTATIONS = cases(300)

# The first bytes of a replay that ms_toollib wrote: a header, a board of 5x4 and a click.
REPLAY = (
    "00800405000310000000070001510000000031373934373733373239363634313635"
    "003137393437373337333030303132313600001020400200000000080008030000140008000804ff"
)

PATH = Board.from_edges([("a", "b"), ("b", "c")], points={"a": (0, 0), "b": (1, 0), "c": (2, 0)})
BOARD_FILE = """# MINESWEEPER-BOARD v0.1
rows: 2
# Render: emoji
comment: two sections: what is there, and what is seen

columns: 3
mines: 1
game_mode: classic

[real]
11*
011
[view]
1️⃣1️⃣🚩
0️⃣⬜❓
"""
TEXTS = {
    "position": "board: hexagonal 2x2\nmines: 1\n1#\nF.",
    "layout": "*.c",
    "jsminesweeper": "3x1x1\nH1F",
    "json": '{"edges": [["a", "b"]], "layout": ["a"]}',
    "minesweepr": "x1.\n*1.\n",
    "array": "[[10, 1], [11, 1]]",
    "board": BOARD_FILE,
    "tatham": "3x3:2,2,u800",
    "ptta": "https://llamasweeper.com/#/game/zini-explorer?b=0302&m=gg",
    "jsm-link": "?board=4x3x3&analysis=aeadaaadS2cSlblUl",
    "mbf": "03 02 00 01 02 01",
}


def test_every_format_is_detected_and_round_trips():
    for name in TEXTS:
        text = TEXTS[name]
        assert detect_format(text).name == name
        position = parse_any(text)
        written = convert(position, name)
        assert parse_any(written) == position
        assert convert(parse_any(written), name) == written


def without_omitted(position_or_layout, name):
    """Return a position or layout without its mine count or its click, if a format omits it."""
    if not omitted_parts(position_or_layout, name):
        return position_or_layout
    board = position_or_layout.board
    return (
        Position(board, position_or_layout.marks)
        if isinstance(position_or_layout, Position)
        else Layout(board, position_or_layout.mine_mask)
    )


@given(positions())
def test_position_round_trips_in_every_format_that_can_write_it(position):
    written = 0
    for entry in FORMATS.values():
        if Position not in entry.result_types:
            continue
        try:
            text = entry.write(position)
        except NotationError:
            continue
        written += 1
        expected = without_omitted(position, entry.name)
        assert entry.read(text, Position) == Position.parse(text) == expected
    assert written


SQUARES = tiling_boards(names=("square",))


@given(true_positions(SQUARES))
def test_square_position_of_a_game_round_trips_in_other_programs_formats(position):
    for name in ("array", "minesweepr", "board", "jsm-link", "jsminesweeper"):
        entry = FORMATS[name]
        if (position.mines is None and MINE_COUNT not in entry.omits) or (
            name == "minesweepr" and not differs_from_a_layout(position)
        ):
            continue
        text = convert(position, name)
        assert detect_format(text) is entry and parse_any(text) == without_omitted(position, name)


def differs_from_a_layout(position):
    """Return whether minesweepr's rows of the position cannot be read as a layout."""
    return len(position.covered) or (len(position.flags) and (position.marks > 0).any())


def test_covered_cells_in_the_first_row_are_not_read_as_a_size():
    rows = "1x11x1\nxxxxxx\n"
    assert detect_format(rows).name == "minesweepr"
    assert convert(parse_any(rows), "minesweepr") == rows
    assert detect_format("5x1x0\n00000").name == "jsminesweeper"
    with pytest.raises(NotationError, match="expected a position with a covered cell"):
        convert(Position.parse("5#1#1\n....."), "minesweepr")


@given(layouts(SQUARES))
def test_square_layout_round_trips_in_every_format_that_can_hold_one(layout):
    for entry in FORMATS.values():
        if Layout not in entry.result_types or (
            entry.name in ("array", "mbf") and not layout.mine_count
        ):
            continue
        text = entry.write(layout)
        expected = without_omitted(layout, entry.name)
        assert entry.read(text, Layout) == Layout.parse(text) == expected


def test_binary_board_of_any_size_and_density_is_not_read_as_a_replay():
    rng = random.Random(1)
    widths, heights, densities = (1, 2, 5, 8, 17, 255), (1, 2, 8, 77), (0.01, 0.2, 0.9, 1)
    for width, height, density in product(widths, heights, densities):
        board = tiling("square", width, height)
        layout = Layout(board, [rng.random() < density for _ in board.cells])
        if layout.mine_count:
            text = convert(layout, "mbf")
            assert parse_any(text) == parse_any(decode_file(bytes.fromhex(text))) == layout


def test_binary_board_without_control_characters_is_not_read_as_text():
    # 126 columns and rows, and mines at coordinates of printable characters only.
    mines = [cell // 126 >= 32 and cell % 126 >= 32 for cell in range(126 * 126)]
    layout = Layout(tiling("square", 126, 126), mines)
    assert parse_any(decode_file(bytes.fromhex(convert(layout, "mbf")))) == layout


def test_links_and_game_ids_of_other_programs_are_read():
    # From LlamaSweeper's notes.
    layout = Layout.parse(PTTA + "?b=4005&m=vvvvvvvv000000010000000194i94i95vvvvvvvv")
    assert layout.board.size == (40, 5) and layout.mine_count == 96
    assert str(layout).splitlines()[3] == ".*..*..*..*..*..*..*..*..*..*..*..*..*.*"
    page = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/mines.html"
    assert Layout.parse(f"{page}#3x3:2,2,u800") == Layout.parse("3x3:2,2,u800")
    for text, click in [
        ("9x9:7,5,m184300a5733dec58a4870", 52),
        ("9x9:1,8,m8e5c6eb5023ba7f64a178", 73),
    ]:
        # sgt-mines generated them for 9x9n10.
        layout = Layout.parse(text)
        assert (layout.mine_count, layout.click, int(layout.numbers[click])) == (10, click, 0)


def test_mistakes_in_other_programs_formats_are_reported():
    cases = [
        ("5x1:1,1,u8", "expected 2 hex digits for 5x1, got 1"),
        ("4x1:1,1,u80", "expected 1 hex digits for 4x1, got 2"),
        ("9x9:7,5,m184300a5733dec58a487", "expected 21 hex digits for 9x9, got 20"),
        ("3x3:3,0,u000", "expected a click on a board of 3x3, got 3,0"),
        ("3x3:0,0,u800", "the first click r1c1 is a mine"),
        ("3x3:u001", "expected mines on 9 cells, got one beyond the last"),
        ("9x9n10#123", "expected a game ID such as 3x3:2,2,u800"),
        ("99999x99999:u0", "expected at most"),
        ("03020001ffff", "expected mines on a board of 3x2, got 255,255"),
        ("0302000201010101", "the mine at 1,1 occurs twice"),
        ("?b=0302&m=g", "m: expected 2 characters, got 1"),
        ("?b=302&m=g8", "b: expected 1, 2, 3, or a size such as 4005"),
        ("?b=0302&m=g!", "m: expected characters from 0 to v, got '!'"),
        ("?analysis=aeadaaadS2cSlblU", "analysis: expected 12 cells, got 11"),
        ("?analysis=aeadaaadSSSSSSSSS", "analysis: expected 12 cells, got more"),
        ("?analysis=aeadaaad9", "expected 12 cells, got 1"),
        ("[[0, 1], [1]]", "row 2: expected 2 cells, got 1"),
        ("[[0, 1], [1, -1]]", "expected 1 at r1c1, got 0"),
        ("[[9, 10]]", "expected cells as 0, 1"),
        ("[[[", "expected rows of numbers"),
        ("# MINESWEEPER-BOARD v9", "line 1: expected # MINESWEEPER-BOARD v0.1"),
        (BOARD_FILE.replace("rows: 2", "rows: 3"), "expected 3 rows"),
        (BOARD_FILE.replace("mines: 1", "mines: many"), "mines: expected a number, got 'many'"),
        (BOARD_FILE.split("[real]")[0], r"expected a section \[real\], got none"),
        (BOARD_FILE + "[view]", r"line 16: expected one \[view\], got a second"),
        ("x1\nx", "line 2: expected 2 cells, got 1"),
        ("https://llamasweeper.com/?b=1&m=", "m: expected 17 characters, got 0"),
        ("https://example.org/?q=1", "expected a link to a position .*, got 'https://example.org"),
        ("https://example.org/mines.html#9x9n10#12", "expected a game ID such as 3x3:2,2,u800"),
    ]
    assert_refused(parse_any, cases, NotationError)


def test_binary_board_is_not_read_as_a_row_of_a_position():
    with pytest.raises(NotationError, match="expected a position, got a layout"):
        Position.parse(TEXTS["mbf"])
    # A board without a mine would be the row 09090000.
    with pytest.raises(NotationError, match="a board or a replay, got 4 bytes of other data"):
        decode_file(bytes([9, 9, 0, 0]))
    assert Position.parse("00000000") == Position(tiling("square", 8, 1), [0] * 8)
    assert is_mbf("09 09 00 01 02 01") and not is_mbf("09090000")


@pytest.mark.parametrize("name", [*TEXTS, "file of a board", "file of a replay"])
def test_every_mutation_is_read_or_reported_in_one_line(name):
    # A hundred thousand of each format in `make check-long SUITE=fuzz`.
    rng = random.Random(f"{name} {MUTATIONS}")
    files = {"file of a board": TEXTS["mbf"], "file of a replay": REPLAY}
    for _ in range(MUTATIONS):
        try:
            if name in files:
                parse_any(decode_file(mutate_bytes(bytes.fromhex(files[name]), rng)))
            else:
                parse_any(mutate_text(TEXTS[name], rng))
        except NotationError as error:
            assert_one_line(error)


def test_format_that_is_unknown_or_for_another_type_is_refused():
    position = Position.parse("1#")
    cases = [
        ((Layout.parse("*.c"), "position"), "the format 'position' cannot hold a layout"),
        ((position, "layout"), "the format 'layout' cannot hold a position"),
        ((position, "jsminesweeper"), "expected a square position with its mine count"),
        ((Position.initial(PATH), "position"), "a graph can only be written as JSON"),
        ((position, "fen"), "no such format 'fen'; choose from position, layout"),
    ]
    assert_refused(lambda case: convert(*case), cases, NotationError)


def test_links_have_room_for_a_limited_width():
    assert "board=" in convert(Position.parse("mines: 1\n" + "#" * 3843), "jsm-link")
    with pytest.raises(NotationError, match="too large for a link"):
        convert(Position.parse("mines: 1\n" + "#" * 3844), "jsm-link")


def test_saved_game_is_not_read_as_a_position():
    for read in [Position.parse, Layout.parse, parse_any]:
        text = "\ufeff\n sapper: game 1\nboard: square 3x3\nmines: 1\nseed: 1\n"
        assert is_saved_game(text) and not is_saved_game("1#")
        with pytest.raises(NotationError, match=r"expected a .*, got a saved game"):
            read(text)


# Boards and rules.


def test_graph_is_shown_by_its_title_and_written_as_json():
    assert f"{PATH}" == PATH.title == "graph of 3 cells"
    assert str(PATH).startswith('{"cells": ["a", "b", "c"]')
    again = Board.parse(str(PATH))
    assert [again.point(cell) for cell in again.cells] == [(0, 0), (1, 0), (2, 0)]


@given(boards(), st.data())
def test_boards_and_rules_round_trip(board, data):
    mines = data.draw(st.integers(0, len(board) - 1))
    rules = Rules(board, mines, data.draw(st.sampled_from(sorted(RULES))))
    assert Board.parse(str(board)) == board
    assert Rules.parse(str(rules)) == rules


def test_rules_are_written_without_defaults():
    for rules, text in [
        (Rules.parse("expert"), "30x16/99"),
        (Rules.parse("9x9/10", "torus", "safe"), "torus 9x9/10 safe"),
        (Rules.parse("hexagonal beginner any"), "hexagonal 9x9/10 any"),
        (Rules.parse(" torus  5x5/3 "), "torus 5x5/3"),
        (Rules(PATH, 1), str(PATH)[:-1] + ', "mines": 1, "rule": "zero"}'),
    ]:
        assert str(rules) == text


def test_mistakes_in_rules_are_reported():
    cases = [
        (("cubic 9x9/10",), "expected a size such as 30x16/99 or a level"),
        (("9x9/10 never",), "expected a size such as"),
        (("9x9",), "expected a size with mines"),
        (("9x9/10", None, ""), "no such rule ''; choose from any"),
        (("9x9/10", ""), "no such tiling ''; choose from square"),
        (("torus 9x9/10", "square"), "expected one tiling, got 'torus' and 'square'"),
        (("9x9/10 any", None, "safe"), "expected one rule, got 'any' and 'safe'"),
        (("9x9/10", None, "never"), "no such rule 'never'; choose from any, safe, zero"),
        (('{"board": "square 3x3"}',), "mines: expected a whole number .* got None"),
        (('{"board": "square 3x3", "mines": 1}', "torus"), "got square 3x3"),
    ]
    assert_refused(lambda arguments: Rules.parse(*arguments), cases, ValueError)
