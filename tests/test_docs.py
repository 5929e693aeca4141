"""The examples in the README, the docs and the docstrings give the results that they show."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def files_with_examples(folder: Path, pattern: str) -> list[Path]:
    return [
        path for path in sorted(folder.rglob(pattern)) if ">>> " in path.read_text(encoding="utf-8")
    ]


PAGES = [ROOT / "README.md", *files_with_examples(ROOT / "docs", "*.md")]
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in files_with_examples(SOURCE, "*.py")
    if "kernels" not in path.parts
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_a_page_run(page):
    result = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS)
    assert result.attempted and not result.failed


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.attempted and not result.failed
