"""`sapper show` and `sapper convert`: positions and layouts as pictures and in other formats."""

from __future__ import annotations

import click

from sapper.board.position import Position
from sapper.cli.input import position_or_layout_argument, read_position_or_layout, read_text
from sapper.cli.options import choice_option, file_option, json_option
from sapper.cli.output import (
    coordinates_option,
    draw_text,
    print_note,
    write_or_print,
)
from sapper.errors import NotationError, unknown_name
from sapper.formats.binary import parse_hex
from sapper.formats.registry import (
    FORMATS,
    PositionOrLayout,
    is_game,
    omitted_parts,
    parse_any,
)
from sapper.formats.registry import convert as convert_to_format

GAME = "game"
"""The format of saved games. Not in FORMATS: a saved game contains moves, not a position."""


@click.command()
@position_or_layout_argument
@file_option("--svg", help="Write the picture as SVG instead; - for standard output.")
@coordinates_option
def show(file: str, svg: str | None, coordinates: bool | None) -> None:
    """Draw a position or a layout."""
    source = read_position_or_layout(file)
    if svg is None:
        click.echo(draw_text(source, coordinates))
    else:
        from sapper.render.svg import layout_svg, position_svg

        picture = position_svg(source) if isinstance(source, Position) else layout_svg(source)
        write_or_print(svg, picture)


@click.command()
@position_or_layout_argument
@choice_option("--to", "Format", (*FORMATS.names, GAME), required=True, metavar="FORMAT")
@file_option("-o", "--output", help="Write to a file instead; - for standard output.")
@json_option
def convert(file: str, to: str, output: str | None, as_json: bool) -> None:
    """Convert a position to another program's format, or a replay to a saved game.

    What the format cannot express is named on standard error. A binary format is printed as hex
    digits, and written as bytes with -o. A game is converted to its layout if the format is for
    layouts, else to its last position.
    """
    if to.lower() == GAME:
        text, name, binary = _saved_game(read_text(file)), GAME, False
    else:
        if to.lower() not in FORMATS.names:
            raise unknown_name("format", to, (*FORMATS.names, GAME))
        entry = FORMATS.find(to)
        name, binary = entry.name, entry.binary
        input_text = read_text(file)
        source = _parse_for_format(input_text, name)
        text = convert_to_format(source, name)
        not_expressed = [*omitted_parts(source, name)]
        if is_game(input_text):
            not_expressed.insert(0, "the moves")
        if not_expressed:
            print_note(f"{name} cannot express {' and '.join(not_expressed)}")
    answer = {"format": name, "hex" if binary else "text": text.rstrip("\n")}
    content = parse_hex(text) if binary else None
    write_or_print(output, text, answer if as_json else None, content)


def _saved_game(text: str) -> str:
    from sapper.games.setup import GameSetup
    from sapper.serialize.games import load_session

    if is_game(text):
        return load_session(text).save()
    layout = parse_any(text)
    if isinstance(layout, Position):
        raise NotationError("a saved game is made from a game or a layout, not from a position")
    return GameSetup.from_layout(layout).format()


def _parse_for_format(text: str, name: str) -> PositionOrLayout:
    if not is_game(text):
        return parse_any(text)
    from sapper.serialize.games import load_session

    session = load_session(text)
    if Position in FORMATS[name].result_types:
        return session.position
    if session.game.layout is None:
        raise NotationError(f"format {name!r} needs a layout, but this game has no mines yet")
    return session.game.layout
