"""Draws the picture of the README with Sapper's own SVG; run by `make pictures`."""

from pathlib import Path

from sapper import Frame, analyse
from sapper.cli.positions.odds import draw_svg

FOLDER = Path(__file__).parent / "pictures"

# A small position with every kind of answer: certain reveals, certain mines, odds on both sides.
FRAME = """
    mines: 17
    ############
    ###2223#####
    #321..1#####
    #1....1#####
    #211112#####
    ############
    ############
"""


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    return {"odds.svg": draw_svg(analyse(Frame.parse(FRAME)))}


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg)
