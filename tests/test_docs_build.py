"""The docs build without a warning, and the reference lists every public name."""

import subprocess
import sys
from pathlib import Path

import pytest

import sapper

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built_docs(tmp_path_factory):
    """Build the docs with warnings, such as broken links, as errors."""
    folder = tmp_path_factory.mktemp("docs")
    arguments = ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", ROOT / "docs", folder]
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_public_name_is_in_the_reference(built_docs):
    reference = (built_docs / "reference.html").read_text(encoding="utf-8")
    names = [name for name in sapper.__all__ if name != "__version__"]
    assert [name for name in names if f'id="sapper.{name}"' not in reference] == []


def test_search_works_without_a_network(built_docs):
    """The search index is local, and no page loads anything from another host."""
    assert (built_docs / "searchindex.js").stat().st_size > 10_000
    for page in built_docs.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert 'src="http' not in text and 'rel="stylesheet" type="text/css" href="http' not in text
