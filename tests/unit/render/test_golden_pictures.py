"""Pictures of every kind of board, kept as files that a reader can look at."""

import pytest
from render_samples import OVERLAYS, POSITIONS, layout_of

from sapper import draw
from sapper.render.svg import layout_svg, position_svg


@pytest.mark.parametrize("name", POSITIONS)
def test_picture_equals_the_golden_file(name, golden):
    position, layout = POSITIONS[name], layout_of(name)
    overlays = position_svg(position, coordinates=True, **OVERLAYS)
    golden(f"render/{name}-position.svg", position_svg(position))
    golden(f"render/{name}-overlays.svg", overlays)
    golden(f"render/{name}-layout.svg", layout_svg(layout))
    pictures = {
        "position": draw(position),
        "position with overlays": draw(position, **OVERLAYS),
        "position with coordinates": draw(position, coordinates=True),
        "overlays in colour": draw(position, colour=True, **OVERLAYS).replace("\x1b", "ESC"),
        "layout": draw(layout),
        "board": draw(position.board),
    }
    text = "\n\n".join(f"{what}\n\n{picture}" for what, picture in pictures.items())
    golden(f"render/{name}.txt", text + "\n")
