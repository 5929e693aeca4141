"""Fixtures that run the command line."""

import json
import os
import pty
import re
import sys
import termios
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.main import run

CommandResult = tuple[int, str, str]


@pytest.fixture
def sapper(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """Run a command in this process; return status, standard output and standard error."""

    def call(*arguments: object) -> CommandResult:
        status = run([str(argument) for argument in arguments])
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def run_json(sapper: Callable[..., CommandResult]) -> Callable[..., Any]:
    """Run a command with --json; return what it prints."""

    def call(*arguments: object) -> Any:
        status, out, err = sapper(*arguments, "--json")
        assert status == 0, err
        return json.loads(out)

    return call


@pytest.fixture
def run_on_text(
    sapper: Callable[..., CommandResult], tmp_path: Path
) -> Callable[..., CommandResult]:
    """Write a text to a file and run a command on it."""

    def call(command: str, text: str, *options: object) -> CommandResult:
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        return sapper(command, file, *options)

    return call


@dataclass(frozen=True)
class TerminalOutput:
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
def terminal(
    sapper: Callable[..., CommandResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., TerminalOutput]:
    """Run a command on a terminal of that size; type *keys* when it shows its key help."""

    def call(
        *arguments: object, columns: int = 80, lines: int = 40, keys: bytes = b"", text: str = ""
    ) -> TerminalOutput:
        file = tmp_path / "typed.txt"
        file.write_text(text, encoding="utf-8")
        words = [file if argument == "FILE" else argument for argument in arguments]
        controller, terminal_end = pty.openpty()
        modes = termios.tcgetattr(controller)
        screen: list[bytes] = []
        reader = threading.Thread(target=_type_and_read, args=(controller, keys, screen))
        with (
            monkeypatch.context() as patch,
            open(os.dup(terminal_end), encoding="utf-8") as stdin,
            open(terminal_end, "w", encoding="utf-8") as stdout,
        ):
            for name, value in (("COLUMNS", columns), ("LINES", lines), ("TERM", "xterm-256color")):
                patch.setenv(name, str(value))
            patch.setattr(sys, "stdin", stdin)
            patch.setattr(sys, "stdout", stdout)
            reader.start()
            status, _, error = sapper(*words)
        reader.join()
        assert termios.tcgetattr(controller) == modes, "the terminal was left in another mode"
        os.close(controller)
        return TerminalOutput(status, b"".join(screen), error)

    return call


def _type_and_read(terminal: int, keys: bytes, screen: list[bytes]) -> None:
    """Read what a command writes until it closes the terminal."""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            return
        screen.append(part)
        if keys and b"space: pause" in b"".join(screen):
            os.write(terminal, keys)
            keys = b""
