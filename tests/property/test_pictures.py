"""Every position and every layout can be drawn."""

import xml.etree.ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import layouts, positions, tiling_boards

from sapper import Position, draw
from sapper.render.palette import PALETTE
from sapper.render.svg import layout_svg, position_svg


@settings(max_examples=30)
@given(positions(), st.data())
def test_every_position_is_drawn_with_any_overlay(position, data):
    cells = st.sampled_from(position.board.cells)
    overlays = {
        "colours": data.draw(st.dictionaries(cells, st.sampled_from([*PALETTE, "#a0b0c0"]))),
        "labels": data.draw(st.dictionaries(cells, st.text(max_size=6))),
        "outlined": data.draw(st.sets(cells)),
        "coordinates": data.draw(st.booleans()),
    }
    ET.fromstring(position_svg(position, **overlays))
    plain = draw(position, **overlays)
    assert "\x1b" not in plain
    for label in overlays["labels"].values():
        assert not label.isprintable() or label.rstrip() in plain


@settings(max_examples=30)
@given(layouts())
def test_every_layout_is_drawn_with_all_its_mines(layout):
    ET.fromstring(layout_svg(layout))
    names = "".join(layout.board.names) if layout.board.tiling is None else ""
    if "*" not in names:
        assert draw(layout).count("*") == layout.mine_count


@settings(max_examples=30)
@given(positions(on=tiling_boards(names=("square",))))
def test_text_of_a_square_position_round_trips(position):
    assert Position.parse(draw(position), mines=position.mines) == position
