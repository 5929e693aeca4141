"""Package, changelog and citation agree on version and date of a release."""

import re
from pathlib import Path

import sapper

ROOT = Path(__file__).parents[1]


def test_package_the_changelog_and_the_citation_name_the_same_version_and_date():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version, date = re.search(r"^## (\d+\.\d+\.\d+) - ([\d-]+)$", changelog, re.M).groups()
    assert version == sapper.__version__
    assert f"\nversion: {version}\n" in citation and f"\ndate-released: {date}\n" in citation
