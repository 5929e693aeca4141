"""Every example in the README, the docs and the docstrings is run."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import sapper

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(
    info.name
    for info in pkgutil.walk_packages(sapper.__path__, "sapper.")
    if not info.name.startswith("sapper.kernels.") and info.name != "sapper.__main__"
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_hold(page):
    assert doctest.testfile(str(page), module_relative=False, optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0
