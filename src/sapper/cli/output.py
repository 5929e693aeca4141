"""Output of commands: standard streams, files, JSON, and boards drawn for the terminal."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

if TYPE_CHECKING:
    from sapper.board.layout import Layout
    from sapper.board.position import Position
    from sapper.render.scene import Overlays

# Standard streams.


def configure_streams() -> None:
    """Prepare standard output and error so that no write to them raises a traceback.

    Messages to a closed standard error are dropped, but a result that cannot be printed is an
    error, as with a full disk. Characters that the encoding lacks, such as a cell name in another
    alphabet, are written as escapes.
    """
    if sys.stdout is None:
        sys.stdout = _open_devnull(os.O_RDONLY)  # every write to it fails
    if sys.stderr is None:
        sys.stderr = _open_devnull(os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _encodes_unicode(stream):
            stream.reconfigure(errors="backslashreplace")


def _open_devnull(mode: int) -> io.TextIOWrapper:
    return open(os.open(os.devnull, mode), "w", encoding="utf-8")


def _encodes_unicode(stream: object) -> bool:
    name = getattr(stream, "encoding", None) or "ascii"
    return codecs.lookup(name).name.startswith("utf")


def print_note(message: str) -> None:
    """Print a message for the user on standard error, separate from the result."""
    click.echo(message, err=True)


# JSON.


def print_json(value: dict[str, Any]) -> None:
    """Print exactly one JSON object."""
    click.echo(_dump(value))


def reject_svg_with_json(svg: str | None, as_json: bool) -> None:
    """Raise UsageError if both an SVG picture and JSON would go to standard output."""
    if svg == "-" and as_json:
        raise click.UsageError("--svg - and --json cannot be combined: both print their result")


def print_json_list(key: str, values: Iterable[dict[str, Any]]) -> None:
    """Print one JSON object with a list under *key*, value by value, in constant memory.

    The first value is computed before anything is printed, so that bad input prints nothing.
    """
    parts = (_dump(value) for value in values)
    click.echo(f'{{"{key}": [' + next(parts, ""), nl=False)
    for part in parts:
        click.echo(", " + part, nl=False)
    click.echo("]}")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=not _encodes_unicode(sys.stdout), allow_nan=False)


# Files.


def write_atomically(path: str, data: str | bytes) -> None:
    """Write a file completely or not at all: a failure leaves the previous contents.

    A symbolic link is followed; a device or pipe is written to directly. An OSError names the file.
    """
    data = data.encode() if isinstance(data, str) else data
    try:
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
            Path(path).write_bytes(data)
        else:
            _replace_file(Path(os.path.realpath(path) if os.path.islink(path) else path), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _replace_file(target: Path, data: bytes) -> None:
    import tempfile  # slow to import, and most commands write no file

    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder")
    descriptor, temporary = tempfile.mkstemp(prefix=".sapper-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, _file_mode(target))
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _file_mode(target: Path) -> int:
    """Return the mode of an existing file, else the default: mkstemp creates private files."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_or_print(
    path: str | None,
    text: str,
    answer: dict[str, Any] | None = None,
    content: bytes | None = None,
) -> None:
    """Write a result to a file, or print it if *path* is None or '-'.

    With an *answer*, this JSON is printed and not the text. The file gets the text, or *content*.
    """
    if path not in (None, "-"):
        write_atomically(path, text if content is None else content)
    if answer is not None:
        print_json(answer)
    elif path in (None, "-"):
        click.echo(text, nl=not text.endswith("\n"))


def data_folder() -> Path:
    """Return the user's data folder, where games and results are stored by default."""
    import platformdirs

    return Path(platformdirs.user_data_dir("sapper", appauthor=False))


# Boards.


coordinates_option = click.option(
    "--coordinates/--no-coordinates",
    default=None,
    help="Number rows and columns; the default on a terminal.",
)


def draw_text(
    position_or_layout: Position | Layout,
    show_coordinates: bool | None,
    **overlays: Unpack[Overlays],
) -> str:
    """Draw a board as text; colours, and panels for wide boards, only on a terminal.

    *show_coordinates* is whether rows and columns are numbered; None: only on a terminal.
    """
    from shutil import get_terminal_size

    from sapper.render.text import draw

    terminal = sys.stdout.isatty()
    if not terminal:
        overlays["colours"] = {}
    overlays["coordinates"] = terminal if show_coordinates is None else show_coordinates
    width = get_terminal_size().columns if terminal else None
    return draw(position_or_layout, colour=terminal, width=width, **overlays)
