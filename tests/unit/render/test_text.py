"""Boards, positions and layouts drawn as text."""

import re
import subprocess
import sys

import pytest
from render_samples import OVERLAYS, POSITIONS, layout_of
from rich.color import ColorSystem
from rich.style import Style
from tests.boards import star
from tests.error_messages import assert_refused

from sapper import TILINGS, Board, NotationError, Position, tiling
from sapper.render.palette import PALETTE
from sapper.render.scene import Scene
from sapper.render.text import draw, scene_text, window_around


def lines(picture: str) -> list[str]:
    return picture.split("\n")


GRAPH_LINES = ["a    1: b d", "b    F: a c", "c    1: b d", "d    #: a c tail", "tail .: d"]
GLYPHS = {0: "cross", 1: "dash", 2: "mine", 3: "wrong"}


def test_positions_are_drawn_as_text():
    for position, overlays, expected in [
        ("#21F\n#3..\nF#1#", {}, ["# 2 1 F", "# 3 . .", "F # 1 #"]),
        ("board: hexagonal 3x3\n#21\n#3.\nF#1", {}, ["# 2 1", " # 3 .", "F # 1"]),
        ("board: triangular 3x2\n#2a\n#3.", {}, ["/#\\2/a\\", "\\#/3\\./"]),
        (str(POSITIONS["graph"]), {}, GRAPH_LINES),
        (str(POSITIONS["graph"]), {"zeros": True}, [*GRAPH_LINES[:-1], "tail 0: d"]),
        ("12#1", {"outlined": [0, 1, 3]}, ["[1|2]#[1]"]),
        ("1#F\n###", {"labels": {1: "50%", 2: "7%", 4: "100%"}}, [" 1   50%  F7%", " #   100%  #"]),
        (
            "board: hexagonal 2x2\n##\n##",
            {"labels": dict.fromkeys(range(4), "50%")},
            ["50% 50%", "  50% 50%"],
        ),
        ("###F", {"glyphs": GLYPHS}, ["x - * X"]),
    ]:
        assert lines(draw(Position.parse(position), **overlays)) == expected


def test_graphs_are_listed_with_their_neighbours():
    assert draw(Board.from_edges([], ["lonely"])) == "lonely o:"
    first = lines(draw(Position.of(star(14), {"hub": 14})))[0]
    assert first.startswith("hub    14: leaf0 leaf1")
    board = Board.from_edges([("x" * 100_000, "b"), ("b", "c")])
    assert len(draw(board)) < 400
    board = Board.from_edges([("a\u202e", "b")])  # a right-to-left override
    drawn = draw(board, labels={0: "\x1b[31mred"})
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn


def test_first_click_and_coordinates_are_drawn():
    assert lines(draw(layout_of("square")))[0] == "(.). 1 *"
    position = Position.initial(Position.parse("#" * 11).board)
    assert lines(draw(position, coordinates=True)) == [
        "                    1 1",
        "  1 2 3 4 5 6 7 8 9 0 1",
        "1 # # # # # # # # # # #",
    ]
    # A number is above the middle of its column, beside wide labels and triangles too.
    position = Position.initial(tiling("triangular", 3, 1))
    assert lines(draw(position, coordinates=True, labels={0: "12.5"})) == [
        "    1    2    3",
        "1 /12.5\\ #  / #  \\",
    ]


def test_colour_adds_escape_codes_and_changes_no_character():
    from rich.text import Text

    for position in POSITIONS.values():
        coloured = draw(position, colour=True, **OVERLAYS)
        assert "\x1b[" in coloured
        picture = scene_text(Scene.of(position, **OVERLAYS))
        assert Text.from_ansi(coloured).plain == picture.rich().plain == picture.plain()
        assert picture.rich().no_wrap
        assert picture.plain() == draw(position, **OVERLAYS)


def test_each_character_has_the_style_of_its_cell():
    picture = scene_text(Scene.of(Position.parse("1#F"), colours={1: "reveal"}))
    styles = [picture.styles_used[number] for number in picture.styles[0]]
    nothing = ("", "")
    cells = [("number-1", ""), ("covered-text", "reveal"), ("flag", "")]
    assert styles == [cells[0], nothing, cells[1], nothing, cells[2]]


def test_text_colours_are_those_of_the_palette():
    coloured = draw(Position.parse("1#F"), colour=True)
    for role, character in (("number-1", "1"), ("flag", "F")):
        style = Style.parse(PALETTE[role].terminal)
        assert style.render(character, color_system=ColorSystem.EIGHT_BIT) in coloured


def test_rich_is_imported_only_for_colour():
    code = (
        "import sys; from sapper.board.position import Position;"
        "from sapper.render.text import draw;"
        "draw(Position.parse('1#')); sys.exit('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_wide_board_is_split_into_numbered_panels():
    position = Position.parse("1##..........\n1#2.......111\n###.......1#1")
    assert draw(position, width=20).splitlines() == [
        *("  1 2 3 4 5 6 7", "1 1 # # . . . .", "2 1 # 2 . . . .", "3 # # # . . . .", ""),
        *("      1 1 1 1", "  8 9 0 1 2 3", "1 . . . . . .", "2 . . . 1 1 1", "3 . . . 1 # 1"),
    ]


def test_board_that_fits_is_not_split():
    position = Position.parse("1##\n1##")
    assert draw(position, width=5) == draw(position)
    assert draw(position, width=7, coordinates=True) == draw(position, coordinates=True)
    assert draw(position, width=4).count("\n\n") == 2
    cases = [(width, "expected a width of at least 1 character") for width in [0, -5]]
    assert_refused(lambda width: draw(Position.parse("1#"), width=width), cases, NotationError)


@pytest.mark.parametrize("name", TILINGS)
@pytest.mark.parametrize("width", [1, 9, 17, 30])
def test_panels_show_every_cell_in_its_row_and_fit_the_width(name, width):
    board = tiling(name, 11, 4)
    labels = {cell: f"{cell:02}" for cell in board.cells}
    drawn = draw(board, labels=labels, width=width).splitlines()
    assert len(drawn) > 4
    found = {}
    for line in drawn:
        row, *cells = re.findall(r"\d+", line) or [""]
        for label in cells if re.match(r"\d [^1-9]*\d\d", line) else ():
            found[int(label)] = int(row)
    assert found == {cell: 1 + cell // 11 for cell in board.cells}
    if width > 9:
        assert max(map(len, drawn)) <= width


def test_window_contains_the_given_cell_and_has_the_given_size():
    for name in TILINGS:
        scene = Scene.of(tiling(name, 40, 30), coordinates=True)
        window = window_around(scene, [15 * 40 + 20], 30, 12)
        assert 15 in window.rows and 20 in window.columns
        text = scene_text(scene, window=window).plain().splitlines()
        assert max(map(len, text)) <= 30 and len(text) == 12
        assert window_around(scene, [0], 200, 40) is None
        for corner in (0, 39, 29 * 40, 29 * 40 + 39):
            window = window_around(scene, [corner], 30, 12)
            assert corner // 40 in window.rows and corner % 40 in window.columns
