"""Draw the SVG pictures of README.md and probabilities.md; run by `make docs`."""

from pathlib import Path

from tests.stuck_positions import play_human

from sapper import Position, Rules, analyse, generate, probability_svg

FOLDER = Path(__file__).parent / "pictures"

# A small position with every kind of answer: safe cells, certain mines, probabilities.
POSITION = """
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
    """Return every picture by the name of its file."""
    # An Expert game at the first position in which the solver `human` finds nothing.
    stuck = play_human(generate(Rules.parse("expert"), SEED).layout).without_flags()
    return {
        "probabilities.svg": _draw(Position.parse(POSITION)),
        "expert.svg": _draw(stuck),
    }


def _draw(position: Position) -> str:
    return probability_svg(position, analyse(position).probabilities)


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg)
