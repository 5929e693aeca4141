"""Pictures of every kind of board, kept as files that a reader can look at."""

import pytest
from render_samples import OVERLAYS, POSITIONS, layout_of

from sapper import TILINGS, draw
from sapper.render.svg import layout_svg, position_svg


def test_every_tiling_and_a_graph_are_drawn():
    assert set(POSITIONS) == {*TILINGS, "graph"}


@pytest.mark.parametrize("name", POSITIONS)
def test_svg_of_a_position_equals_the_golden_file(name, golden):
    golden(f"render/{name}-position.svg", position_svg(POSITIONS[name]))


@pytest.mark.parametrize("name", POSITIONS)
def test_svg_with_overlays_equals_the_golden_file(name, golden):
    golden(
        f"render/{name}-overlays.svg", position_svg(POSITIONS[name], coordinates=True, **OVERLAYS)
    )


@pytest.mark.parametrize("name", POSITIONS)
def test_svg_of_a_layout_equals_the_golden_file(name, golden):
    golden(f"render/{name}-layout.svg", layout_svg(layout_of(name)))


@pytest.mark.parametrize("name", POSITIONS)
def test_text_equals_the_golden_file(name, golden):
    position = POSITIONS[name]
    pictures = {
        "position": draw(position),
        "position with overlays": draw(position, **OVERLAYS),
        "position with coordinates": draw(position, coordinates=True),
        "layout": draw(layout_of(name)),
        "board": draw(position.board),
    }
    text = "\n\n".join(f"{what}\n\n{picture}" for what, picture in pictures.items())
    golden(f"render/{name}.txt", text + "\n")
