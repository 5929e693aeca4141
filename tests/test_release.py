"""Package, changelog and citation agree on version and date of a release."""

import re
import tomllib
from pathlib import Path

import sapper

ROOT = Path(__file__).parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
# The newest section that has a version, and its date.
NEWEST = re.search(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$", CHANGELOG, re.M)


def test_package_the_changelog_and_the_citation_name_the_same_version():
    assert NEWEST[1] == sapper.__version__
    assert f"\nversion: {sapper.__version__}\n" in CITATION
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "sapper.__version__"}


def test_changelog_and_the_citation_name_the_same_date():
    assert f"\ndate-released: {NEWEST[2]}\n" in CITATION


def test_changelog_begins_with_unreleased_changes():
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.M)
    assert headings[0] == "Unreleased" and headings[1].startswith(sapper.__version__)
