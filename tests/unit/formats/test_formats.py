"""The table of formats: each text is recognised, and what is written is read back."""

import os
import random
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import boards, layouts, positions, tiling_boards, true_positions

from sapper import FORMATS, Board, Layout, NotationError, Position, Rules, tiling
from sapper.board.rules import RULES
from sapper.errors import UnknownName
from sapper.formats.binary import text_of
from sapper.formats.links import PTTA
from sapper.formats.registry import (
    MINE_COUNT,
    convert,
    detect_format,
    encode_file,
    is_saved_game,
    lost,
    parse_any,
)

MUTATIONS = int(os.environ.get("SAPPER_FUZZ", "300"))

# The first bytes of a replay that ms_toollib wrote: a header, a board of 5x4 and a click.
REPLAY = (
    "00800405000310000000070001510000000031373934373733373239363634313635"
    "003137393437373337333030303132313600001020400200000000080008030000140008000804ff"
)

PATH = Board.from_edges([("a", "b"), ("b", "c")], positions={"a": (0, 0), "b": (1, 0), "c": (2, 0)})
BOARD_FILE = """# MINESWEEPER-BOARD v0.1
# Render: emoji
comment: two sections: what is there, and what is seen

rows: 2
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


@pytest.mark.parametrize("name", FORMATS.names)
def test_every_format_is_recognised_and_written_back(name):
    text = TEXTS[name]
    assert detect_format(text).name == name
    position = parse_any(text)
    written = convert(position, name)
    assert parse_any(written) == position
    assert convert(parse_any(written), name) == written


@given(positions())
def test_a_position_is_the_same_in_every_format_that_can_write_it(position):
    written = 0
    for row in FORMATS.values():
        if Position not in row.holds:
            continue
        try:
            text = row.write(position)
        except NotationError:
            continue
        written += 1
        kept = Position(position.board, position.marks) if lost(position, row.name) else position
        assert row.read(text, Position) == Position.parse(text) == kept
    assert written


SQUARES = tiling_boards(names=("square",))


@given(true_positions(SQUARES))
def test_a_square_position_of_a_game_is_the_same_in_the_formats_of_other_tools(position):
    for name in ("array", "minesweepr", "board", "jsm-link", "jsminesweeper"):
        row = FORMATS[name]
        if (position.mines is None and MINE_COUNT not in row.loses) or (
            name == "minesweepr" and not hidden(position)
        ):
            continue
        text = convert(position, name)
        kept = Position(position.board, position.marks) if lost(position, name) else position
        assert detect_format(text) is row and parse_any(text) == kept


def hidden(position):
    """Whether minesweepr's rows can be told from those of a layout."""
    return len(position.covered) or (len(position.flags) and (position.marks > 0).any())


@given(layouts(SQUARES))
def test_a_square_layout_is_the_same_in_every_format_that_holds_one(layout):
    for row in FORMATS.values():
        if Layout not in row.holds or (row.name in ("array", "mbf") and not layout.mine_count):
            continue
        text = row.write(layout)
        kept = Layout(layout.board, layout.mine_mask) if lost(layout, row.name) else layout
        assert row.read(text, Layout) == Layout.parse(text) == kept


@given(layouts(SQUARES).filter(lambda layout: layout.mine_count))
def test_a_board_of_bytes_is_the_same_through_its_file(layout):
    assert Layout.parse(text_of(encode_file(convert(layout, "mbf"), "mbf"))) == Layout(
        layout.board, layout.mine_mask
    )


# A board that stands in LlamaSweeper's notes, and what sgt-mines made of 9x9n10.


def test_links_of_others_are_read():
    layout = Layout.parse(PTTA + "?b=4005&m=vvvvvvvv000000010000000194i94i95vvvvvvvv")
    assert layout.board.size == (40, 5) and layout.mine_count == 96
    assert str(layout).splitlines()[3] == ".*..*..*..*..*..*..*..*..*..*..*..*..*.*"
    page = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/mines.html"
    assert Layout.parse(f"{page}#3x3:2,2,u800") == Layout.parse("3x3:2,2,u800")


@pytest.mark.parametrize(
    ("text", "click"),
    [("9x9:7,5,m184300a5733dec58a4870", 52), ("9x9:1,8,m8e5c6eb5023ba7f64a178", 73)],
)
def test_masked_ids_of_tathams_mines_are_read(text, click):
    layout = Layout.parse(text)
    assert (layout.mine_count, layout.click, int(layout.numbers[click])) == (10, click, 0)


@pytest.mark.skipif(not shutil.which("/usr/games/sgt-mines"), reason="sgt-mines is not installed")
@pytest.mark.parametrize("rules", ["9x9n10", "30x16n99", "5x5n4", "17x11n30", "6x5n3"])
def test_ids_that_tathams_mines_makes_now_are_read(rules):
    made = subprocess.run(
        ["/usr/games/sgt-mines", "--generate", "3", rules], capture_output=True, text=True
    ).stdout.split()
    for text in made:
        layout = Layout.parse(text)
        assert layout.mine_count == int(rules.split("n")[1]) and layout.zeros[layout.click]
        assert Layout.parse(convert(layout, "tatham")) == layout
    assert len(made) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9x9:7,5,m184300a5733dec58a487", "expected 21 hex digits for 9x9, got 20"),
        ("3x3:3,0,u000", "expected a click on a board of 3x3, got 3,0"),
        ("3x3:0,0,u800", "expected a click on a free cell, got a mine at r1c1"),
        ("3x3:u001", "expected mines on 9 cells, got one beyond the last"),
        ("9x9n10#123", "expected a game ID such as 3x3:2,2,u800"),
        ("99999x99999:u0", "expected at most"),
        ("03020001ffff", "expected mines on a board of 3x2, got 255,255"),
        ("0302000201010101", "expected a mine once in each place, got 1,1 twice"),
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
        ("x1\nx", "line 2: expected 2 cells, got 1"),
        ("https://llamasweeper.com/?b=1&m=", "m: expected 17 characters, got 0"),
        ("https://example.org/?q=1", "expected a link to a position .*, got 'https://example.org"),
        ("https://example.org/mines.html#9x9n10#12", "expected a game ID such as 3x3:2,2,u800"),
    ],
)
def test_broken_texts_of_other_tools_say_what_is_wrong(text, message):
    with pytest.raises(NotationError, match=message):
        parse_any(text)


def test_a_board_of_bytes_is_not_taken_for_the_row_of_a_position():
    with pytest.raises(NotationError, match="expected a position, got a layout"):
        Position.parse(TEXTS["mbf"])
    # A board without a mine would be the row 09090000.
    with pytest.raises(NotationError, match="expected text, a board or a replay, got 4 other"):
        text_of(bytes([9, 9, 0, 0]))


@pytest.mark.parametrize("name", FORMATS.names)
def test_every_mutation_of_a_text_is_a_position_or_one_clear_line(name):
    # Ten thousand of each format in `make fuzz`.
    dice = random.Random(f"{name} {MUTATIONS}")
    for _ in range(MUTATIONS):
        text = mutated(TEXTS[name], dice)
        try:
            parse_any(text)
        except NotationError as error:
            message = str(error)
            assert "expected" in message and "\n" not in message and len(message) < 400, text


@pytest.mark.parametrize("text", [TEXTS["mbf"], REPLAY], ids=["board", "replay"])
def test_every_mutation_of_a_file_is_text_or_one_clear_line(text):
    dice = random.Random(MUTATIONS)
    for _ in range(MUTATIONS):
        data = bytearray(bytes.fromhex(text))
        for _ in range(dice.randint(1, 4)):
            data[dice.randrange(len(data))] = dice.choice([0, 255, dice.randrange(256)])
        try:
            parse_any(text_of(bytes(data[: dice.choice([None, dice.randrange(len(data))])])))
        except NotationError as error:
            assert "expected" in str(error) and "\n" not in str(error)


def mutated(text, dice):
    pieces = [
        "",
        "0",
        "-1",
        "9" * 9,
        "x",
        "?",
        "&",
        "=",
        ":",
        "[",
        "]",
        ",",
        "\0",
        "é",
        "🚩",
        "ff",
        "\n",
    ]
    for _ in range(dice.randint(1, 4)):
        place, length = dice.randint(0, len(text)), dice.choice([0, 1, 1, 3, 9])
        middle = dice.choice([dice.choice(pieces), text[place : place + length] * 2, ""])
        text = text[:place] + middle + text[place + length :]
    return text[: dice.choice([None, None, dice.randint(0, len(text))])]


@pytest.mark.parametrize(
    ("position", "name", "message"),
    [
        (Layout.parse("*.c"), "position", "expected a format that holds a layout, got 'position'"),
        (Position.parse("1#"), "layout", "expected a format that holds a position, got 'layout'"),
        (Position.parse("1#"), "jsminesweeper", "expected a square position with its mine count"),
        (Position.initial(PATH), "position", "expected a board of a tiling, got a graph"),
    ],
)
def test_a_format_that_cannot_hold_a_position_says_so(position, name, message):
    with pytest.raises(NotationError, match=message):
        convert(position, name)


def test_an_unknown_format_is_refused_as_every_unknown_name():
    with pytest.raises(
        UnknownName, match=r"expected a format \(position, layout, jsm.*, got 'fen'"
    ):
        convert(Position.parse("1#"), "fen")


@pytest.mark.parametrize("read", [Position.parse, Layout.parse, parse_any])
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
