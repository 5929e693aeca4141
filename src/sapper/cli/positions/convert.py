"""`sapper convert`: a position or a game in the format of another tool, or in ours."""

from __future__ import annotations

import click

from sapper.board.position import Position
from sapper.cli.input import position_or_layout_argument, read_text
from sapper.cli.options import choice_option, file_option, json_option
from sapper.cli.output import print_json, print_note, write_atomically
from sapper.errors import NotationError, unknown_name
from sapper.formats.registry import (
    FORMATS,
    PositionOrLayout,
    encode_file,
    is_game,
    omitted,
    parse_any,
)
from sapper.formats.registry import convert as converted

GAME = "game"
"""Not of the table: a saved game holds moves, and a format of the table a position."""


@click.command()
@position_or_layout_argument
@choice_option("--to", "The format", (*FORMATS.names, GAME), required=True, metavar="FORMAT")
@file_option("-o", "--output", help="Write it there instead; - prints it.")
@json_option
def convert(file: str, to: str, output: str | None, as_json: bool) -> None:
    """Write a position in the format of another tool, or a replay as a saved game.

    What the format has no place for is named on standard error. A format of bytes is printed as
    hex digits, and written as bytes with -o. Of a game, a format of layouts gets its mines and
    any other one what it shows at its end.
    """
    if to.lower() == GAME:
        _put(_as_game(read_text(file)), GAME, output, as_json)
        return
    if to.lower() not in FORMATS.names:
        raise unknown_name("format", to, (*FORMATS.names, GAME))
    row = FORMATS.find(to)
    given = read_text(file)
    position = _position(given, row.name)
    text = converted(position, row.name)
    missing = (*(["the moves"] if is_game(given) else []), *omitted(position, row.name))
    if missing:
        print_note(f"{row.name} has no place for {' and '.join(missing)}")
    _put(text, row.name, output, as_json)


def _put(text: str, name: str, output: str | None, as_json: bool) -> None:
    """Print a text or write its file."""
    if output not in (None, "-"):
        assert output is not None
        write_atomically(output, text.encode() if name == GAME else encode_file(text, name))
    if as_json:
        binary = name != GAME and FORMATS[name].binary
        print_json({"format": name, "hex" if binary else "text": text.rstrip("\n")})
    elif output in (None, "-"):
        click.echo(text, nl=False)


def _as_game(text: str) -> str:
    from sapper.games.setup import GameSetup
    from sapper.serialize.saved_games import load_session

    if is_game(text):
        return load_session(text).save()
    position = parse_any(text)
    if isinstance(position, Position):
        raise NotationError("expected a game or a layout for a saved game, got a position")
    return GameSetup.from_layout(position).format()


def _position(text: str, name: str) -> PositionOrLayout:
    if not is_game(text):
        return parse_any(text)
    from sapper.serialize.saved_games import load_session

    session = load_session(text)
    if Position in FORMATS[name].kinds:
        return session.position
    if session.game.layout is None:
        raise NotationError(f"expected a game with its mines dealt for {name!r}, got none yet")
    return session.game.layout
