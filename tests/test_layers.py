"""Commands, page and environment stand beside each other: none may lean on another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sapper

ROOT = Path(sapper.__file__).parent
SIBLINGS = ("cli", "web", "env")
# `sapper web` starts the page, by a late import; nothing else may cross.
EXCEPTION = ("cli.web", "sapper.web.server.serve")


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
