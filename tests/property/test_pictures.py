"""Whatever can be a frame or a layout can be drawn."""

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import frames, layouts, tiling_boards

from sapper.model.frame import Frame
from sapper.render.palette import PALETTE
from sapper.render.svg import frame_svg, layout_svg
from sapper.render.text import draw


@given(frames(), st.data())
def test_every_frame_is_drawn_with_any_overlay(frame, data):
    cells = st.sampled_from(frame.board.cells)
    overlays = {
        "colours": data.draw(st.dictionaries(cells, st.sampled_from([*PALETTE, "#a0b0c0"]))),
        "labels": data.draw(st.dictionaries(cells, st.text(max_size=6))),
        "outlined": data.draw(st.sets(cells)),
        "coordinates": data.draw(st.booleans()),
    }
    ET.fromstring(frame_svg(frame, **overlays))
    plain = draw(frame, **overlays)
    assert "\x1b" not in plain
    for label in overlays["labels"].values():
        assert not label.isprintable() or label.rstrip() in plain


@given(layouts())
def test_every_layout_is_drawn_with_all_its_mines(layout):
    ET.fromstring(layout_svg(layout))
    names = "".join(layout.board.names) if layout.board.tiling is None else ""
    if "*" not in names:
        assert draw(layout).count("*") == layout.mine_count


@given(frames(on=tiling_boards(names=("square",))))
def test_the_text_of_a_square_frame_reads_back(frame):
    assert Frame.parse(draw(frame), mines=frame.mines) == frame
