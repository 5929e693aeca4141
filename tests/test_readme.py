"""The README describes what exists, and its commands run."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

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


# Each console block has a command and all that it prints.
TASKS = re.findall(r"^```console\n\$ (sapper [^\n]+)\n(.*?)^```$", README, re.M | re.S)


@pytest.mark.parametrize(("line", "expected"), TASKS, ids=[line for line, _ in TASKS])
def test_every_task_prints_what_is_shown(line, expected, tmp_path, monkeypatch, capsys):
    lines = re.search(r"`position.txt` has the lines ((?:`[^`]+`(?:, )?)+)", README)[1]
    position = "\n".join(re.findall(r"`([^`]+)`", lines))
    (tmp_path / "position.txt").write_text(position, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if line == "sapper play":
        # tests/e2e/test_web_server.py starts the server.
        monkeypatch.setattr("sapper.web.serve.serve", lambda _, **options: click.echo(expected))
    assert run(shlex.split(line)[1:]) == 0
    printed = capsys.readouterr()
    shown = [text.rstrip() for text in (printed.out + printed.err).splitlines()]
    assert [text for text in shown if text] == [text for text in expected.splitlines() if text]


def test_readme_is_short_and_shows_six_tasks():
    assert len(README.split()) <= 600
    assert len(TASKS) == 6
