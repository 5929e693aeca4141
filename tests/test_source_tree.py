"""Exceptions, dataclasses and dependencies; import-linter checks the layers."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import sapper

PACKAGE = Path(sapper.__file__).parent
PROJECT = Path(__file__).parents[1]


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: expected an absolute import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_exceptions_are_defined_in_one_module():
    found = {
        (path.name, node.name)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
    }
    assert ("errors.py", "NotFound") in found
    assert {name for name, _ in found} == {"errors.py"}


def test_dataclasses_are_immutable_unless_they_are_listed_here():
    mutable = {"LiveGame", "_Styles", "_Estimates", "MoveTally"}
    found = {
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)
        and not any("frozen=True" in ast.unparse(decorator) for decorator in node.decorator_list)
    }
    assert found == mutable


def test_imported_packages_are_declared():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    requirements = chain(project["dependencies"], *project["optional-dependencies"].values())
    declared = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in requirements}
    distributions = packages_distributions()
    names = {name.partition(".")[0] for path in PACKAGE.rglob("*.py") for name in imports_of(path)}
    # The kernels' `cython` is kernels/plain.py, unless they are compiled.
    for name in names - sys.stdlib_module_names - {"sapper", "cython"}:
        assert declared & {other.lower() for other in distributions.get(name, [name])}, name
