"""The public surface is one table, and everything in it is there."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sapper


@pytest.mark.parametrize("name", sapper.__all__)
def test_every_public_name_can_be_had(name):
    assert getattr(sapper, name) is not None


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(sapper.__file__).read_text())
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name
        for node in ast.walk(guarded)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen | {"__version__"} == set(sapper.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = sapper.chess


def test_importing_the_package_loads_nothing_heavy():
    heavy = ("rich", "starlette", "reportlab", "pysat", "matplotlib", "click")
    code = f"import sapper, sys; sapper.Frame; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
