"""The command line as a fixture: run in this process, seen as a user sees it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.cli.main import run

Answer = tuple[int, str, str]


@pytest.fixture
def sapper(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Runs a command: status, standard output, standard error."""

    def call(*arguments: object) -> Answer:
        status = run([str(argument) for argument in arguments])
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def ask(sapper: Callable[..., Answer], tmp_path: Path) -> Callable[..., Answer]:
    """Runs a command on the text of a position."""

    def call(command: str, text: str, *options: object) -> Answer:
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        return sapper(command, file, *options)

    return call
