"""What commands give: files written whole or not at all, JSON on standard output, notes beside."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from sapper.cli.streams import encodes_unicode


def write_atomically(path: str, data: str | bytes) -> None:
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


def write_or_print(path: str, text: str) -> None:
    """Write a text to a file, or to standard output for '-'."""
    if path == "-":
        click.echo(text, nl=not text.endswith("\n"))
    else:
        write_atomically(path, text)


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


def data_folder() -> Path:
    """Where games and results are kept unless the user names a place."""
    import platformdirs

    return Path(platformdirs.user_data_dir("sapper", appauthor=False))


def _json(value: object) -> str:
    """JSON for standard output: letters as they are where its encoding has them all."""
    whole = encodes_unicode(sys.stdout)
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


def print_note(message: str) -> None:
    """Tell the user something beside the answer, on standard error."""
    click.echo(message, err=True)
