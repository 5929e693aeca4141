"""Fixtures that run the command line."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sapper.cli.main import run

Answer = tuple[int, str, str]


@pytest.fixture
def sapper(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command in this process; return status, standard output and standard error."""

    def call(*arguments: object) -> Answer:
        status = run([str(argument) for argument in arguments])
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def ask(sapper: Callable[..., Answer], tmp_path: Path) -> Callable[..., Answer]:
    """Run a command on the text of a position."""

    def call(command: str, text: str, *options: object) -> Answer:
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        return sapper(command, file, *options)

    return call


@dataclass(frozen=True)
class Shown:
    """The output of a command on a terminal, and its standard error."""

    status: int
    raw: bytes
    error: str

    @property
    def text(self) -> str:
        """Return the output without control codes."""
        plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self.raw).decode()
        return plain.replace("\r", "")


@pytest.fixture
def terminal(tmp_path: Path) -> Callable[..., Shown]:
    """Run a command on a terminal of that size; type *keys* when it shows its key help."""

    def call(
        *arguments: object, columns: int = 80, lines: int = 40, keys: bytes = b"", text: str = ""
    ) -> Shown:
        ours, theirs = pty.openpty()
        file = tmp_path / "typed.txt"
        file.write_text(text, encoding="utf-8")
        size = {"COLUMNS": str(columns), "LINES": str(lines)}
        words = [str(file) if argument == "FILE" else str(argument) for argument in arguments]
        with subprocess.Popen(
            [sys.executable, "-m", "sapper", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env={**os.environ, "TERM": "xterm-256color", **size},
        ) as process:
            os.close(theirs)
            raw = b""
            while part := _read(ours):
                raw += part
                if keys and b"space: pause" in raw:
                    os.write(ours, keys)
                    keys = b""
            assert process.stderr is not None
            error = process.stderr.read().decode()
        os.close(ours)
        return Shown(process.returncode, raw, error)

    return call


def _read(file: int) -> bytes:
    try:
        return os.read(file, 65536)
    except OSError:  # the other end is closed
        return b""
