"""Draws the pictures of README and odds with Sapper's own SVG; run by `make pictures`."""

from pathlib import Path

from sapper import Frame, Rules, analyse, deal
from sapper.cli.positions.odds import draw_svg
from sapper.play.games.clear import clear

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
SEED = 26


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    # An Expert game where the strategies of a person end.
    stuck = clear(deal(Rules.parse("expert"), SEED).layout).frame.without_flags()
    return {
        "odds.svg": draw_svg(analyse(Frame.parse(FRAME))),
        "expert.svg": draw_svg(analyse(stuck)),
    }


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg)
