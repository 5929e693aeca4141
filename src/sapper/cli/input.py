"""What commands read: the FILE of a position, a layout or a game, and the rules that are asked for.

The help of every command that takes a FILE shows what one looks like.
"""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import click

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.cli.options import Command, complete_files
from sapper.errors import NotationError, RulesError
from sapper.formats.binary import decode_file
from sapper.formats.json_format import read_json
from sapper.formats.registry import is_game, parse_any, parse_board, split_texts


def read_text(path: str) -> str:
    """The text of a file, or of standard input for '-'; of a file of bytes, its hex digits."""
    if path != "-":
        data = Path(path).read_bytes()
    elif sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed", "standard input")
    else:
        data = sys.stdin.buffer.read()
    try:
        return decode_file(data)
    except NotationError as error:
        shown = "standard input" if path == "-" else path
        raise NotationError(f"{shown}: {error}") from None


def read_position(path: str) -> Position:
    """The position of a file, in any format; of a game, what it shows at its end."""
    text = read_text(path)
    return _final_position(text) if is_game(text) else Position.parse(text)


def read_positions(path: str) -> list[Position]:
    """The positions of a file, one after the other; a budget holds for each of them."""
    return [
        _final_position(text) if is_game(text) else Position.parse(text)
        for text in split_texts(read_text(path))
    ]


def read_layouts(path: str) -> list[Layout]:
    """The layouts of a file, one after the other."""
    return [Layout.parse(text) for text in split_texts(read_text(path))]


def read_position_or_layout(path: str) -> Position | Layout:
    """The position or layout of a file, whichever it is; of a game, what it shows at its end."""
    text = read_text(path)
    return _final_position(text) if is_game(text) else parse_any(text)


def _final_position(text: str) -> Position:
    from sapper.serialize.saved_games import load_session

    return load_session(text).position


def read_rules(size: str | None, board: str | None, tiling: str | None, rule: str | None) -> Rules:
    """The rules of a size, or of the graph in a file with its mines beside it or within."""
    if board is None:
        if size is None:
            raise click.UsageError("expected a SIZE such as 30x16/99, or --board FILE, got neither")
        return Rules.parse(size, tiling, rule)
    if tiling is not None:
        raise RulesError("expected --tiling or --board, got both")
    text = read_text(board)
    mines = read_json(text).get("mines") if size is None else _mines(size)
    if mines is None:
        raise RulesError(f"expected a number of mines beside --board or in {board}, got none")
    return Rules(parse_board(text), mines, rule or "zero")


def _mines(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise NotationError(f"expected a number of mines beside --board, got {text!r:.60}")
    return int(text)


# What a FILE looks like; click leaves the lines after \b as they are.
_POSITION_FILE = """

    FILE is a position as text, or - for standard input. # is a covered cell, F a flag, . a zero:

    \b
      mines: 2
      1 # #
      1 # #
      # # #

    The mine count may be left out. docs/formats.md has other boards and formats.
    """
_POSITION_OR_LAYOUT_FILE = """

    FILE is a position, a layout or a saved game as text, or - for standard input. In a position # is a
    covered cell, F a flag, . a zero; in a layout * is a mine, c the click:

    \b
      mines: 2
      1 # #
      1 # #
      # # #

    \b
      * . . *
      . . c .

    docs/formats.md has other boards and formats.
    """
_LAYOUT_FILE = """

    FILE is a layout as text, or - for standard input. * is a mine, c the click:

    \b
      * . . *
      . . c .

    docs/formats.md has other boards and formats.
    """
_GAME_FILE = """

    FILE is a game that the page or a session saved, a replay (avf, evf, mvf, rmv), or - for
    standard input:

    \b
      sapper: game 1
      board: square 9x9
      mines: 10
      rule: zero
      seed: 7

    \b
      0.000 reveal r5c5
      1.250 reveal r1c1

    docs/formats.md says the rest.
    """


def position_argument(command: Command) -> Command:
    """The FILE that a command reads a position from; its help shows one."""
    return _file_argument(command, _POSITION_FILE)


def position_or_layout_argument(command: Command) -> Command:
    """The FILE that a command reads a position or a layout from; its help shows both."""
    return _file_argument(command, _POSITION_OR_LAYOUT_FILE)


def layout_argument(command: Command) -> Command:
    """The FILE that a command reads a layout from; its help shows one."""
    return _file_argument(command, _LAYOUT_FILE)


def games_argument(command: Command) -> Command:
    """The FILEs that a command reads saved games from; its help shows one."""
    _show(command, _GAME_FILE)
    return click.argument(
        "files", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_files
    )(command)


def _file_argument(command: Command, looks: str) -> Command:
    _show(command, looks)
    return click.argument("file", metavar="FILE", shell_complete=complete_files)(command)


def _show(command: Command, looks: str) -> None:
    command.__doc__ = f"{(command.__doc__ or '').rstrip()}{looks}"
