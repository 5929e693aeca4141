"""Words that must not come back: the project uses one vocabulary and plain English."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Each with the word to use.
WORDS = {
    "nudges?": "hint",
    "rungs?": "difficulty",
    "odds": "probability",
    "placements?": "solution",
    "bbbv": "three_bv",
    "fringe": "frontier",
    "told": "shown, reported",
    "somebody|nobody|everybody|whoever": "the user",
    "anew": "again",
    "for ever": "permanently",
    "to be had": "available",
}
# Files that describe renames, quote the papers or list these words.
ALLOWED = ("CHANGELOG.md", "docs/glossary.md", "docs/errata.md", "tests/test_vocabulary.py")


def test_no_file_uses_a_word_that_was_replaced():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    pattern = rf"(?<![a-z])({'|'.join(WORDS)})(?![a-z])"
    files = ("*.py", "*.js", "*.css", "*.html", "*.md", *(f":!{name}" for name in ALLOWED))
    command = ["git", "grep", "-nIiP", "--untracked", pattern, "--", *files]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    assert [line for line in found if "vocabulary: keep" not in line] == []
