"""Input of commands: the FILE of a position, a layout or a game, and the rules of a board.

The help of every command that takes a FILE shows an example of one.
"""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import Any

import click

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.cli.options import (
    CommandFunction,
    Decorator,
    FileName,
    board_option,
    bundle,
    rule_option,
    size_argument,
    tiling_option,
)
from sapper.errors import NotationError, RulesError
from sapper.formats.binary import decode_file
from sapper.formats.json_format import is_json, read_json
from sapper.formats.registry import is_game, parse_any, parse_board, split_texts


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for '-'; a binary file as hex digits."""
    if path != "-":
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            raise NotationError(f"no such file {path!r}") from None
    elif sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed", "standard input")
    else:
        data = sys.stdin.buffer.read()
    try:
        return decode_file(data)
    except NotationError as error:
        source = "standard input" if path == "-" else path
        raise NotationError(f"{source}: {error}") from None


def read_position(path: str) -> Position:
    """Read a position in any format; a game gives its last position."""
    return _parse_position(read_text(path))


def read_positions(path: str) -> list[Position]:
    """Read all positions of a file."""
    return [_parse_position(text) for text in split_texts(read_text(path))]


def read_layouts(path: str) -> list[Layout]:
    """Read all layouts of a file."""
    return [Layout.parse(text) for text in split_texts(read_text(path))]


def read_position_or_layout(path: str) -> Position | Layout:
    """Read a position or a layout; a game gives its last position."""
    text = read_text(path)
    return _parse_position(text) if is_game(text) else parse_any(text)


def _parse_position(text: str) -> Position:
    if not is_game(text):
        return Position.parse(text)
    from sapper.serialize.games import load_session

    return load_session(text).position


def read_rules(size: str | None, board: str | None, tiling: str | None, rule: str | None) -> Rules:
    """Return the rules for SIZE and --tiling, or for the graph in the file of --board."""
    if board is None:
        if size is None:
            raise click.UsageError("missing SIZE such as 30x16/99, or --board FILE")
        return Rules.parse(size, tiling, rule)
    if tiling is not None:
        raise RulesError("--tiling and --board cannot be combined")
    text = read_text(board)
    graph = parse_board(text)
    if size is None:
        mines = read_json(text).get("mines") if is_json(text) else None
        if mines is None:
            raise RulesError(f"missing number of mines: give it as SIZE, or as 'mines' in {board}")
    elif not (size.isascii() and size.isdigit()) or len(size) > 9:
        raise NotationError(f"expected a number of mines beside --board, got {size!r:.60}")
    else:
        mines = int(size)
    return Rules(graph, mines, rule or "zero")


# Examples of a FILE; click leaves the lines after \b as they are.
_POSITION_EXAMPLE = """
    \b
      mines: 2
      1 # #
      1 # #
      # # #
"""
_LAYOUT_EXAMPLE = """
    \b
      * . . *
      . . c .
"""
_OTHER_FORMATS = "docs/formats.md describes other boards and formats."
_POSITION_FILE = f"""

    FILE is a position as text, or - for standard input. # is a covered cell, F a flag, . a zero:
{_POSITION_EXAMPLE}
    The mine count is optional. {_OTHER_FORMATS}
    """
_POSITION_OR_LAYOUT_FILE = f"""

    FILE is a position, a layout or a saved game as text, or - for standard input. In a position #
    is a covered cell, F a flag, . a zero; in a layout * is a mine, c the first click:
{_POSITION_EXAMPLE}{_LAYOUT_EXAMPLE}
    {_OTHER_FORMATS}
    """
_LAYOUT_FILE = f"""

    FILE is a layout as text, or - for standard input. * is a mine, c the first click:
{_LAYOUT_EXAMPLE}
    {_OTHER_FORMATS}
    """
_GAME_FILE = """

    FILE is a saved game, a replay (avf, evf, mvf, rmv), or - for standard input:

    \b
      sapper: game 1
      board: square 9x9
      mines: 10
      rule: zero
      seed: 7

    \b
      0.000 reveal r5c5
      1.250 reveal r1c1

    docs/formats.md describes the format.
    """


def _file_argument(example: str, argument: Decorator) -> Decorator:
    """Return an argument that also adds an example of the file to the help."""

    def decorate(command: CommandFunction) -> Any:
        command.__doc__ = f"{(command.__doc__ or '').rstrip()}{example}"
        return argument(command)

    return decorate


_file = click.argument("file", metavar="FILE", type=FileName())
_files = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FileName())
position_argument = _file_argument(_POSITION_FILE, _file)
position_or_layout_argument = _file_argument(_POSITION_OR_LAYOUT_FILE, _file)
layout_argument = _file_argument(_LAYOUT_FILE, _file)
games_argument = _file_argument(_GAME_FILE, _files)

rules_options = bundle("rules", read_rules, size_argument, board_option, tiling_option, rule_option)
"""[SIZE], --board, --tiling and --rule, passed on as one `rules`."""
