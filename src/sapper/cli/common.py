"""What the commands share: reading positions, writing files and JSON, common options."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from sapper.cli.numbers import Number
from sapper.cli.streams import holds_everything
from sapper.errors import NotationError, RulesError
from sapper.infer.budget import Budget
from sapper.model.formats import is_game, parse_board, parse_position, split_positions
from sapper.model.formats.binary import text_of
from sapper.model.frame import Frame
from sapper.model.json_forms import read_json
from sapper.model.layout import Layout
from sapper.model.rules import Rules

Command = TypeVar("Command", bound=Callable[..., Any])


def read_text(path: str) -> str:
    """The text of a file, or of standard input for '-'; of a file of bytes, its hex digits."""
    if path != "-":
        data = Path(path).read_bytes()
    elif sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed", "standard input")
    else:
        data = sys.stdin.buffer.read()
    try:
        return text_of(data)
    except NotationError as error:
        shown = "standard input" if path == "-" else path
        raise NotationError(f"{shown}: {error}") from None


def read_frame(path: str) -> Frame:
    """The frame of a file, in any format; of a game, what it shows at its end."""
    text = read_text(path)
    return _end_of_game(text) if is_game(text) else Frame.parse(text)


def read_frames(path: str) -> list[Frame]:
    """The frames of a file, one after the other; a budget holds for each of them."""
    return [
        _end_of_game(text) if is_game(text) else Frame.parse(text)
        for text in split_positions(read_text(path))
    ]


def read_layouts(path: str) -> list[Layout]:
    """The layouts of a file, one after the other."""
    return [Layout.parse(text) for text in split_positions(read_text(path))]


def read_position(path: str) -> Frame | Layout:
    """The frame or layout of a file, whichever it is; of a game, what it shows at its end."""
    text = read_text(path)
    return _end_of_game(text) if is_game(text) else parse_position(text)


def _end_of_game(text: str) -> Frame:
    from sapper.answers.saved_games import load_session

    return load_session(text).frame


def write_whole(path: str, data: str | bytes) -> None:
    """Write a file whole or not at all: a failure leaves what was there before.

    A link is followed; a device or pipe is written to and stays what it is.
    """
    data = data.encode() if isinstance(data, str) else data
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        Path(path).write_bytes(data)
        return
    target = Path(os.path.realpath(path) if os.path.islink(path) else path)
    folder = _folder_of(target)
    try:
        handle, name = tempfile.mkstemp(prefix=".sapper-", dir=folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, _mode_of(target))
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _folder_of(target: Path) -> Path:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(target))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(target.parent))
    return target.parent


def _mode_of(target: Path) -> int:
    """The mode of the file that is there, else the usual one: mkstemp makes private files."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _json(value: object) -> str:
    """JSON for standard output: letters as they are where its encoding has them all."""
    whole = holds_everything(sys.stdout)
    return json.dumps(value, ensure_ascii=not whole, allow_nan=False)


def print_json(value: dict[str, Any]) -> None:
    """Print exactly one JSON object."""
    click.echo(_json(value))


def print_json_list(key: str, values: Iterable[dict[str, Any]]) -> None:
    """Print one JSON object that holds a list, value by value: a million take no memory.

    The first value is made before anything is printed, so that bad input prints nothing.
    """
    parts = (_json(value) for value in values)
    click.echo(f'{{"{key}": [' + next(parts, ""), nl=False)
    for part in parts:
        click.echo(", " + part, nl=False)
    click.echo("]}")


def note(message: str) -> None:
    """Tell the user something beside the answer, on standard error."""
    click.echo(message, err=True)


# What a FILE looks like, for the help of every command that reads one; \b keeps the lines.
_FRAME_FILE = """

    FILE is a frame as text, or - for standard input. # is a blank, F a flag, . a zero:

    \b
      mines: 2
      1 # #
      1 # #
      # # #

    The mine count may be left out. docs/formats.md has other boards and formats.
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
    """The FILE that a command reads a frame from; its help shows one."""
    return _file_argument(command, _FRAME_FILE)


def layout_argument(command: Command) -> Command:
    """The FILE that a command reads a layout from; its help shows one."""
    return _file_argument(command, _LAYOUT_FILE)


def games_argument(command: Command) -> Command:
    """The FILEs that a command reads saved games from; its help shows one."""
    _show(command, _GAME_FILE)
    return click.argument(
        "files", metavar="FILE...", nargs=-1, required=True, shell_complete=_name_files
    )(command)


def _file_argument(command: Command, looks: str) -> Command:
    _show(command, looks)
    return click.argument("file", metavar="FILE", shell_complete=_name_files)(command)


def _name_files(*_: object) -> list[CompletionItem]:
    """Leave the completion of a FILE to the shell."""
    return [CompletionItem("", type="file")]


def _show(command: Command, looks: str) -> None:
    command.__doc__ = f"{(command.__doc__ or '').rstrip()}{looks}"


def json_option(command: Command) -> Command:
    """--json: one JSON object on standard output."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


class Seed(click.ParamType[int]):
    """An unsigned 64-bit integer."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a seed."""
        from sapper.model.deal import parse_seed  # late: it brings numpy

        try:
            return parse_seed(str(value))
        except NotationError as error:
            self.fail(str(error), param, ctx)


def seed_option(command: Command) -> Command:
    """--seed: which deal; a fresh one unless given."""
    return click.option("--seed", type=Seed(), help="Which one; fresh unless given.")(command)


def budget_options(command: Command) -> Command:
    """--seconds and --memory: what a search may take before it stops."""
    for option in (
        click.option(
            "--memory",
            default=2.0,
            show_default=True,
            type=Number(),
            help="Gigabytes that a search may take.",
        ),
        click.option(
            "--seconds",
            default=20.0,
            show_default=True,
            type=Number(),
            help="Time that a search may take.",
        ),
    ):
        command = option(command)
    return command


def make_budget(seconds: float, memory: float) -> Budget:
    """The budget that the two options ask for."""
    if not 0 < memory <= 1e9:
        raise NotationError(f"expected gigabytes above 0 up to 1e9, got {memory}")
    return Budget(seconds, int(memory * 1e9))


def board_option(command: Command) -> Command:
    """--board: any graph in place of a size."""
    return click.option(
        "--board", metavar="FILE", help="Any graph, as JSON; SIZE is then its number of mines."
    )(command)


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
