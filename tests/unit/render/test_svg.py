"""SVG pictures of boards, positions, layouts and probabilities."""

import re
import xml.etree.ElementTree as ET

import pytest
from render_samples import OVERLAYS, POSITIONS, layout_of
from tests.error_messages import assert_refused

from sapper import Board, NotationError, Position, Unavailable, tiling
from sapper.render.palette import PALETTE
from sapper.render.scene import Scene
from sapper.render.shapes import Circle, Text, centroid, corners_of
from sapper.render.svg import layout_svg, position_svg, probability_svg, scene_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", POSITIONS)
def test_every_picture_is_well_formed_has_no_links_and_all_shapes_inside(name):
    position = POSITIONS[name]
    for theme in ("auto", "light", "dark"):
        for svg in (
            position_svg(position, theme=theme, coordinates=True, **OVERLAYS),
            layout_svg(layout_of(name), theme=theme),
            scene_svg(Scene.of(position.board), theme=theme),
        ):
            root = ET.fromstring(svg)
            assert (root.tag, root.get("role"), root[0].tag) == (f"{SVG}svg", "img", f"{SVG}title")
            assert "href" not in svg and "url(" not in svg and "<script" not in svg
            left, top, width, height = map(float, root.get("viewBox").split())
            for element in root.iter():
                for x, y in (("x", "y"), ("cx", "cy")):
                    if element.get(x) is not None:
                        assert left <= float(element.get(x)) <= left + width
                        assert top <= float(element.get(y)) <= top + height


def test_title_numbers_names_and_labels_are_written():
    position = Position.parse("mines: 2\n1#F\n...")
    title = ET.fromstring(position_svg(position))[0].text
    assert title == "square 3x2, 2 mines, 4 revealed, 1 flag"
    assert texts(position_svg(Position.parse("board: triangular 3x1\n1.c"))) == ["1", "12"]
    board = Board.from_edges([("<a>", "b&\u200b")])
    svg = scene_svg(Scene.of(board, labels={"<a>": '"<&>\x00'}))
    assert {"<a>", "b&�", '"<&>�'} <= set(texts(svg))
    assert "a" * 11 + "…" in texts(scene_svg(Scene.of(Board.from_edges([("a" * 40, "b")]))))


def test_overlays_accept_cells_by_index_and_by_name():
    position = Position.parse("1##")
    svg = position_svg(position, labels={1: "50%"}, colours={2: "mark"}, outlined=[0])
    names = {"labels": {"r1c2": "50%"}, "colours": {"r1c3": "mark"}, "outlined": ["r1c1"]}
    assert position_svg(position, **names) == svg
    assert "50%" in texts(svg)


def test_text_is_readable_on_custom_colours():
    svg = position_svg(Position.parse("1#"), labels={1: "9%"}, colours={0: "#000000", 1: "#ffffff"})
    root = ET.fromstring(svg)
    assert {path.get("fill") for path in root.iter(f"{SVG}path")} == {"#000000", "#ffffff"}
    inks = {group[0].text: group.get("fill") for group in root.iter(f"{SVG}g")}
    assert inks == {"1": "#ffffff", "9%": "#000000"}


def test_flag_is_drawn_beside_a_label():
    flagged = Position.parse("F#")
    assert "9%" in texts(position_svg(flagged, labels={0: "9%"}))
    assert PALETTE["flag"].light in position_svg(flagged, labels={0: "9%"})


def test_invalid_overlays_sizes_and_themes_are_refused_in_one_line():
    wrong = [{"colours": {0: "puce"}}, {"colours": {0: "#12345"}}, {"labels": {"r9c9": "1%"}}]
    wrong += [{"colours": {0: '#123456" onload="alert(1)'}}, {"outlined": [99]}]
    cases = [(overlays, "^expected .*, got .*$") for overlays in wrong]
    cases += [({"glyphs": {0: "skull"}}, "^no such glyph .*$")]
    for cell in (-1, 0, float("nan")):
        cases.append(({"cell": cell}, f"cells from 1 to 10000 pixels wide, got {cell}"))
    cases += [({"theme": "blue"}, "no such theme 'blue'; choose from auto, light, dark")]
    position = Position.parse("1#")
    assert_refused(lambda options: position_svg(position, **options), cases, NotationError)
    cases = [(p, "expected probabilities from 0 to 1") for p in (-0.1, 1.5, float("nan"))]
    assert_refused(lambda p: probability_svg(position, {"r1c2": p}), cases, NotationError)


def test_style_sheet_has_the_dark_colours_that_are_used():
    svg = position_svg(Position.parse("1#"))
    assert ".sapper .f-number-1{fill:" + PALETTE["number-1"].dark + "}" in svg
    assert "number-2" not in svg
    svg = position_svg(Position.parse("1#"), theme="dark")
    assert "<style" not in svg
    assert PALETTE["number-1"].dark in svg and PALETTE["number-1"].light not in svg


def test_larger_cell_makes_a_larger_picture_of_the_same_shapes():
    position = POSITIONS["hexagonal"]
    small, large = (ET.fromstring(position_svg(position, cell=cell)) for cell in (32, 96))
    assert float(large.get("width")) > 2.5 * float(small.get("width"))
    assert [e.tag for e in small.iter()] == [e.tag for e in large.iter()]


def test_graph_with_outlines_is_drawn_with_them():
    board = Board.from_edges(
        [("left", "right")],
        outlines={
            "left": ((0, 0), (100, 0), (100, 100), (0, 100)),
            "right": ((100, 0), (300, 0), (300, 100), (100, 100)),
        },
    )
    root = ET.fromstring(position_svg(Position.of(board, {"left": 1})))
    # Half of the cell's width of 32 pixels is the radius that fits: 50.
    assert float(root.get("width")) < 400
    assert not list(root.iter(f"{SVG}circle"))


def test_file_is_small():
    position = Position.parse("\n".join(["#" * 10 + "12345678.." + "F" * 10] * 16))
    assert len(position_svg(position)) < 30_000
    assert not re.search(r"\.\d{3}", position_svg(POSITIONS["triangular"], coordinates=True))


def test_too_large_board_is_refused_before_it_is_drawn():
    with pytest.raises(Unavailable, match="expected at most 1,000,000 cells to draw, got square"):
        scene_svg(Scene.of(tiling("square", 1001, 1000)))


def test_corners_bound_a_shape():
    assert corners_of(Circle((5, 6), 2, None)) == ((3, 4), (7, 8))
    for anchor, left in (("start", 10.0), ("middle", 7.0), ("end", 4.0)):
        bounds = corners_of(Text((10, 20), "ab", 5, "ink", anchor=anchor))
        assert bounds == ((left, 17.5), (left + 6.0, 22.5))


def test_centroid_of_an_outline_without_area_is_the_mean_of_its_corners():
    assert centroid(((0, 0), (1, 2), (2, 4))) == (1, 2)
    assert centroid(((0, 0), (4, 0), (4, 2), (0, 2))) == (2, 1)
