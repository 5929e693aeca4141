"""The README describes what exists, and its commands run."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from training.pictures.scenes import draw_board
from training.pictures.skins import Skin

from sapper.board.position import Position
from sapper.cli.main import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = README.partition("## Installation")[2].partition("\n## ")[0]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULE_NAMES = {"pillow": "PIL"}


def module_of(requirement):
    """Return the module that a required distribution installs."""
    name = re.match(r"[\w-]+", requirement)[0].replace("-", "_")
    return MODULE_NAMES.get(name, name)


# Except `all`, which combines the others, and `train`, which only training needs.
EXTRAS = {
    name: [module_of(requirement) for requirement in requirements]
    for name, requirements in PROJECT["project"]["optional-dependencies"].items()
    if name not in ("all", "train")
}


def is_imported(packages):
    """Return whether the source imports any of these packages."""
    pattern = re.compile(rf"^\s*(import|from) ({'|'.join(packages)})\b", re.M)
    return any(pattern.search(path.read_text("utf-8")) for path in (ROOT / "src").rglob("*.py"))


@pytest.mark.parametrize("extra", EXTRAS)
def test_extra_is_described_if_the_source_imports_it(extra):
    described = f"`{extra}` (" in INSTALL
    assert described == is_imported(EXTRAS[extra])


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md"])
def test_example_position_can_be_parsed(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = re.search(r"(^    mines: 2\n(?:    [#F.\d ]+\n)+)", text, re.M)
    assert Position.parse(shown[1]).mines == 2


COMMANDS = [
    line.partition("#")[0].strip()
    for line in README.partition("## Commands")[2].partition("\n## ")[0].splitlines()
    if line.startswith("    sapper ")
]


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_works_as_printed(line, tmp_path, monkeypatch, capsys):
    (tmp_path / "position.txt").write_text("mines: 2\n1##\n1##\n###\n", encoding="utf-8")
    draw_board(Skin(), ["..1F##", ".12###", ".1####"], 24).save(tmp_path / "screenshot.png")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    # tests/e2e/test_web_server.py starts the server.
    monkeypatch.setattr("sapper.web.serve.serve", lambda _, **options: click.echo("served"))
    program, *words = shlex.split(line)
    assert (program, run(words)) == ("sapper", 0)
    printed = capsys.readouterr().out
    assert (tmp_path / words[-1]).stat().st_size > 1000 if "-o" in words else printed
