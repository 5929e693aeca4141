"""The guide to adding a compiled player: its files are all that a player needs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "how-to" / "add-a-player.md"
FILE = re.compile(r"^`(src/\S+)`:\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Its whole games by the kernel are those of its agent, move by move.
USE = """
from dataclasses import replace
from sapper import PLAYERS, Position, advise, play_many
from sapper.games.play_many import play_each
from sapper.kernels import STATUS

last = PLAYERS["last"]
for size, tiling in (("5x4/4", "square"), ("4x4/3", "hexagonal")):
    games = [
        play_each(size, player, 12, seed=1, rule="safe", tiling=tiling)[:, :3].tolist()
        for player in (last, replace(last, compiled=None))
    ]
    assert games[0] == games[1], games
    assert sum(guesses for _, guesses, _ in games[0]) > 5
position = Position.parse("1##########", mines=4)
assert advise(position, "last").text(position) == "reveal r1c11: guess at 33.3% risk"
print(STATUS)
"""


def follow_the_guide(project):
    """Write the files that the guide names into a copy of the project, and make its edit."""
    files = FILE.findall(GUIDE.read_text())
    assert [Path(path).suffix for path, _, _ in files] == [".py", ".pxd", ".py", ".py"]
    for name, language, text in files:
        path = project / name
        if language != "diff":
            assert not path.exists()
            path.write_text(text)
            continue
        source = path.read_text()
        for old, new in changes(text):
            assert source.count(old) == 1
            source = source.replace(old, new)
        path.write_text(source)


def changes(diff):
    """Return the edits of a diff: lines are added before or instead of the next other line."""
    added, found = "", []
    for sign, line in ((line[0], line[1:] + "\n") for line in diff.splitlines()):
        if sign == "+":
            added += line
        elif sign == " ":
            found.append((line, added + line))
            added = ""
        else:
            assert not added
            found.append([line, ""])
    if added:
        found[-1][1] = added
    return found


def use(project, **environment):
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env={**os.environ, "PYTHONPATH": str(project / "src"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_files_of_the_guide_make_a_player(tmp_path):
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "static", "*.pyi")
    shutil.copytree(ROOT / "src" / "sapper", tmp_path / "src" / "sapper", ignore=ignored)
    shutil.copy(ROOT / "src/sapper/__init__.pyi", tmp_path / "src/sapper/__init__.pyi")
    follow_the_guide(tmp_path)
    assert use(tmp_path, SAPPER_PLAIN="1") == "plain"


@pytest.mark.slow
def test_files_of_the_guide_can_be_compiled(tmp_path):
    names = ["src", "tools", "build/cython", "setup.py", "pyproject.toml", "README.md", "LICENSE"]
    for name in names:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(exist_ok=True)
        if (ROOT / name).exists():
            copy(ROOT / name, tmp_path / name)
    for path in tmp_path.rglob("*.so"):  # newer than their sources, so that they are kept
        path.touch()
    follow_the_guide(tmp_path)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert use(tmp_path) == "compiled"
