"""Who may lean on whom: siblings, layers, other packages; and the one place for errors."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

import sapper

ROOT = Path(sapper.__file__).parent
PROJECT = Path(__file__).parents[1]
SIBLINGS = ("cli", "web", "env")
# `sapper serve` starts the page, by a late import; nothing else may cross.
EXCEPTION = ("cli.games.web", "sapper.web.serve")


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: expected an absolute import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules_of(sibling: str) -> list[Path]:
    return [*ROOT.glob(f"{sibling}.py"), *ROOT.glob(f"{sibling}/**/*.py")]


def crossings() -> Iterator[tuple[str, str]]:
    for sibling in SIBLINGS:
        others = tuple(f"sapper.{other}." for other in SIBLINGS if other != sibling)
        for path in modules_of(sibling):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield from (
                (name, found) for found in imports_of(path) if f"{found}.".startswith(others)
            )


def test_only_the_command_that_starts_the_page_imports_a_sibling():
    assert {(name, found.rpartition(".")[0]) for name, found in crossings()} == {EXCEPTION}


@pytest.mark.parametrize("below", ["answers", "play", "infer", "model", "render"])
def test_nothing_below_imports_the_commands_or_the_page(below):
    above = tuple(f"sapper.{sibling}." for sibling in SIBLINGS)
    found = [(p.name, i) for p in modules_of(below) for i in imports_of(p)]
    assert found and not [pair for pair in found if f"{pair[1]}.".startswith(above)]


def test_nobody_faces_more_than_a_dozen_siblings_or_so():
    for suffix in ("py", "js", "css"):
        files = [path for path in ROOT.rglob(f"*.{suffix}") if path.name != "__init__.py"]
        rooms = Counter(path.parent for path in files)
        assert rooms and {str(room): many for room, many in rooms.items() if many > 14} == {}


def test_a_long_module_says_why_it_is_long():
    sources = {path: path.read_text() for path in ROOT.rglob("*.py")}
    long = {path: text for path, text in sources.items() if len(text.splitlines()) > 400}
    silent = {
        str(path)
        for path, text in long.items()
        if not re.search(r"(?i)\b(long|longer|length)\b", ast.get_docstring(ast.parse(text)) or "")
    }
    assert long and silent == set()
    scripts = {path: path.read_text() for path in ROOT.rglob("*.js")}
    assert [str(path) for path, text in scripts.items() if len(text.splitlines()) > 400] == []


def test_every_error_on_purpose_stands_in_one_file():
    found = {
        (path.name, node.name)
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
    }
    assert ("errors.py", "GameNotFound") in found
    assert {name for name, _ in found} == {"errors.py"}


def test_every_package_that_is_imported_is_declared():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted = chain(project["dependencies"], *project["optional-dependencies"].values())
    declared = {re.split(r"[^\w.-]", one)[0].lower() for one in wanted}
    known = packages_distributions()
    names = {name.partition(".")[0] for path in ROOT.rglob("*.py") for name in imports_of(path)}
    # What the kernels import as cython is kernels/shadow.py, unless they are compiled.
    for name in names - sys.stdlib_module_names - {"sapper", "cython"}:
        assert declared & {other.lower() for other in known.get(name, [name])}, name
