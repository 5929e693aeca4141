"""The commands in the docs run, and print what the docs show."""

import glob
import io
import re
import shlex
import sys
from pathlib import Path

import click
import pytest
from training.pictures.scenes import draw_board
from training.pictures.skins import Skin

from sapper.cli.main import run

ROOT = Path(__file__).parents[1]
GAME = (
    "sapper: game 1\nboard: square 5x3\nlayout: r1c4 r3c5\n\n0.000 reveal r1c1\n2.500 reveal r3c5\n"
)
MAX_GAMES = 60


def examples(page: Path) -> list[tuple[str, list[str]]]:
    """Return the commands of a page, each with the output that follows a line with a prompt."""
    found = []
    lines = page.read_text(encoding="utf-8").splitlines()
    for k, line in enumerate(lines):
        match = re.match(r"( *)(\$ )?(sapper .*)$", line)
        if match is None or line.endswith("\\"):  # continued lines need a cluster
            continue
        indent, prompt, command = match.groups()
        shown = []
        for other in lines[k + 1 :] if prompt else ():
            if other.startswith("```") or (other and not other.startswith(indent)) or "$ " in other:
                break
            shown.append(other.removeprefix(indent).rstrip())
        found.append((command.partition("  #")[0].strip(), [text for text in shown if text]))
    return found


PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if examples(page)]


@pytest.fixture
def example_files(tmp_path, monkeypatch):
    """Create the files that the examples use, and change to their folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    Path("position.txt").write_text("mines: 2\n1##\n1##\n###\n", encoding="utf-8")
    for name in ("game.txt", "monday.txt", "tuesday.txt"):
        Path(name).write_text(GAME, encoding="utf-8")
    rows = ["..1F##", ".12###", ".1####", ".112F#", "...12#", "....1F"]
    draw_board(Skin(), [row + 24 * "#" for row in rows], 24).save("screenshot.png")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_a_page_run_and_print_what_is_shown(page, example_files, monkeypatch, capsys):
    monkeypatch.setattr("sapper.web.serve.serve", lambda *_, **options: click.echo("served"))
    if "merge" in page.read_text(encoding="utf-8"):
        for file, seed in (("here.sqlite", 1), ("there.sqlite", 9)):
            line = f"lab run beginner --player careful --games 8 --seed {seed} --out {file}"
            assert run(line.split()) == 0
    for line, shown in examples(page):
        short = re.sub(r"--games \d+", f"--games {MAX_GAMES}", line)
        short += f" --games {MAX_GAMES}" if "--sprt" in line else ""
        capsys.readouterr()
        text = errors = ""
        for part in short.split(" | "):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
            words = [w for word in shlex.split(part)[1:] for w in glob.glob(word) or [word]]
            assert run(words) == 0, line
            printed = capsys.readouterr()
            text, errors = printed.out, errors + printed.err
        if shown and not line.startswith("sapper play"):
            lines = [row.rstrip() for row in (text + errors).splitlines()]
            assert [row for row in lines if row] == shown, line
