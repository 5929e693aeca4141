"""Draw positions in which three players choose three cells; run by `make docs`."""

from pathlib import Path

from sapper import Position, advise, position_svg

FOLDER = Path(__file__).parent / "pictures"

# The first is constructed: few numbers, and many cells of similar probability. The others are
# guesses of games of 16x16 with 51 mines (rule zero, r4c4), from seed 8 * 10^9 on.
POSITIONS = {
    "three": """
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
    """,
    "corner": """
        mines: 51
        #F31112F3F11####
        FF3F11F3F333####
        2221111212FF4###
        11.......13#####
        F1........1#####
        11........12####
        11...1221.1###32
        F21..2FF1.2#43F1
        2F1.13F3113F3F21
        22223F21.1F#311.
        F11FF32..12#1111
        22234F1.112112F3
        2F21F21.1F2#13FF
        2F3221..124#33F3
        223F1.1111FFF211
        1F211.1F112321..
    """,
    "coin": """
        mines: 51
        ....2FF2111#####
        11..3F42F22#####
        F1..2F2113F5####
        11..111..2FF3F3#
        111....12332212#
        1F1111.1FF1.123#
        2221F211221.2FF#
        1F222F2221..3F##
        12F1123FF2113F##
        .222.1F4########
        .1F21212########
        .112F2122#######
        ...223F2########
        ..13F43#########
        ..2FF###########
        ..2F############
    """,
    "equal": """
        mines: 51
        111....1F2111###
        1F1....112F22###
        221..111.12F33##
        F21.12F22123F###
        2F213F4F3F12F###
        112F3F43F2224###
        ..11323F212F4###
        ....2F311.2F####
        ....2F2.1133####
        .112221.2F4F####
        12F2F21.2F######
        2F432F2223######
        2FF223F3F2######
        134##2##4#######
        .2F#212#########
        .2F#1.1#########
    """,
}
PLAYERS = {"careful": "L", "thoughtful": "T", "shrewd": "S"}
"""The letter in the cell of each player: least probability, two moves ahead, networks."""


def choices(text: str) -> dict[str, str]:
    """Return the cell of each player in a position, by name."""
    position = Position.parse(text)
    return {name: position.board.name(advise(position, name).move.cell or 0) for name in PLAYERS}


def pictures() -> dict[str, str]:
    """Return every picture by the name of its file."""
    return {f"guessing-{name}.svg": draw(text) for name, text in POSITIONS.items()}


def draw(text: str) -> str:
    """Draw a position with the cells of the players; that of `shrewd` is outlined."""
    chosen = choices(text)
    labels = {cell: PLAYERS[name] for name, cell in chosen.items()}
    return position_svg(
        Position.parse(text),
        labels=labels,
        colours=dict.fromkeys(labels, "guess"),
        outlined=[chosen["shrewd"]],
        coordinates=True,
    )


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg)
