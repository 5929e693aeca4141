"""Pictures of every kind of board, kept as files that a reader can look at."""

import pytest
from render_samples import FRAMES, OVERLAYS, layout_of

from sapper.model.tilings import TILINGS
from sapper.render.svg import board_svg, frame_svg, layout_svg
from sapper.render.text import draw


def test_every_tiling_and_a_graph_are_drawn():
    assert set(FRAMES) == {*TILINGS, "graph"}


@pytest.mark.parametrize("name", FRAMES)
def test_svg_of_a_frame_looks_as_before(name, golden):
    golden(f"render/{name}-frame.svg", frame_svg(FRAMES[name]))


@pytest.mark.parametrize("name", FRAMES)
def test_svg_with_overlays_looks_as_before(name, golden):
    golden(f"render/{name}-overlays.svg", frame_svg(FRAMES[name], coordinates=True, **OVERLAYS))


@pytest.mark.parametrize("name", FRAMES)
def test_svg_of_a_layout_looks_as_before(name, golden):
    golden(f"render/{name}-layout.svg", layout_svg(layout_of(name)))


@pytest.mark.parametrize("name", FRAMES)
def test_text_looks_as_before(name, golden):
    frame = FRAMES[name]
    pictures = {
        "frame": draw(frame),
        "frame with overlays": draw(frame, **OVERLAYS),
        "frame with coordinates": draw(frame, coordinates=True),
        "layout": draw(layout_of(name)),
        "board": draw(frame.board),
    }
    text = "\n\n".join(f"{what}\n\n{picture}" for what, picture in pictures.items())
    golden(f"render/{name}.txt", text + "\n")


def test_boards_and_frames_draw_themselves_in_notebooks():
    frame = FRAMES["hexagonal"]
    assert frame._repr_svg_() == frame_svg(frame)
    assert frame.board._repr_svg_() == board_svg(frame.board)
