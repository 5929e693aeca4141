"""Scripts that no test runs (benchmarks, training, tools, pictures) use names that exist."""

import ast
import importlib
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("benchmarks", "training", "tools", "docs", "examples")
SCRIPTS = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_script_imports_what_the_package_has(script):
    tree = ast.parse(script.read_text(encoding="utf-8"))
    imported = [
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "sapper"
        for alias in node.names
    ]
    assert [name for name in imported if not _exists(*name)] == []


def _exists(module: str, name: str) -> bool:
    if hasattr(importlib.import_module(module), name):
        return True
    return importlib.util.find_spec(f"{module}.{name}") is not None
