"""The public names of the package."""

import subprocess
import sys

import pytest

import sapper


def test_public_names_can_be_loaded():
    assert all(getattr(sapper, name) is not None for name in sapper.__all__)


def test_both_spellings_of_analyse_are_accepted():
    assert sapper.analyze is sapper.analyse


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No sapper attribute chess"):
        _ = sapper.chess


def test_importing_the_package_loads_nothing_heavy():
    heavy = ("rich", "starlette", "reportlab", "pysat", "matplotlib", "click")
    code = f"import sapper, sys; sapper.Position; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
