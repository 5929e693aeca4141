"""Draws a position in which three players choose three cells; run by `make pictures`."""

from pathlib import Path

from sapper import Frame, advise, frame_svg

FOLDER = Path(__file__).parent / "pictures"

# Few numbers, many cells of nearly the same odds: what a cell leads to decides, not its risk.
FRAME = """
    mines: 18
    #########
    #########
    #########
    ###222###
    ###1.1###
    ###112###
    ###1#####
    #########
    #########
"""
PLAYERS = {"careful": "L", "thoughtful": "T", "shrewd": "S"}
"""The letter in the cell of each player: least odds, two moves ahead, networks."""


def choices() -> dict[str, str]:
    """The cell of each player, by name."""
    frame = Frame.parse(FRAME)
    return {name: frame.board.name(advise(frame, name).move.cell or 0) for name in PLAYERS}


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    chosen = choices()
    labels = {cell: PLAYERS[name] for name, cell in chosen.items()}
    drawn = frame_svg(
        Frame.parse(FRAME),
        labels=labels,
        colours=dict.fromkeys(labels, "guess"),
        outlined=[chosen["shrewd"]],
        coordinates=True,
    )
    return {"guessing-three.svg": drawn}


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg)
