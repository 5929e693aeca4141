"""Every mistake in docs/errata.md names tests, and they exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    line
    for line in (ROOT / "docs" / "errata.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\|\s*\d", line)
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:40])
def test_mistake_has_a_test_that_shows_it(row):
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", row)
    assert named
    for path, name in named:
        files = list((ROOT / "tests").rglob(path))
        assert any(f"def {name}(" in file.read_text(encoding="utf-8") for file in files)
