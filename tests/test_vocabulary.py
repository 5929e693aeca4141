"""Words that must not come back: the project uses one vocabulary and plain English."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".pxd", ".js", ".css", ".html", ".md", ".txt", ".toml"}

# Parts of identifiers and words of texts, each with the word to use.
WORDS = {
    "frame": "position",
    "frames": "positions",
    "blank": "covered",
    "blanks": "covered cells",
    "nudge": "hint",
    "nudges": "hints",
    "rung": "difficulty",
    "rungs": "difficulties",
    "odds": "probability",
    "placement": "solution",
    "placements": "solutions",
    "bbbv": "three_bv",
    "perimeter": "frontier",
    "fringe": "frontier",
    "family": "registry",
    "families": "registries",
    "told": "shown, reported",
    "somebody": "a user",
    "nobody": "no user",
    "everybody": "every user",
    "whoever": "the user",
    "stands": "is",
    "anew": "again",
}
PHRASES = {
    "page_words": "no translation layer",
    "so many": "n",
    "for ever": "permanently",
    "to be had": "available",
    "of one's own": "your own",
}
# Names of other programs and standards that contain such a word.
FOREIGN = re.compile(
    r"about:blank|requestAnimationFrame|cancelAnimationFrame|animation frames?|frame-ancestors"
    r"|X-Frame-Options|screencastFrame(Ack)?"
    r"|iframes?|[fF]ont-?_?[fF]amily|font family|keep_blank_values|_getframe|currentframe|_blank\b"
    r"|[dD]ata ?[fF]rames?|frame rate|address_family|\.family\b|frameon|stack frame"
)
# Files that cite the papers, or define these words.
ALLOWED = {
    "CHANGELOG.md": "describes the renames",
    "docs/glossary.md": "has the papers' words beside ours",
    "docs/errata.md": "quotes the papers",
    "tests/test_vocabulary.py": "lists the words",
}
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def tracked() -> list[str]:
    try:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    found = [name for name in listed.stdout.split() if Path(name).suffix in SUFFIXES]
    return [name for name in found if (ROOT / name).exists() and not excluded(name)]


def excluded(name: str) -> bool:
    return name in ALLOWED or name.startswith(("tests/data/", "src/sapper/data/"))


def violations(name: str) -> list[str]:
    found = []
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
        rest = FOREIGN.sub("", line)
        if "vocabulary: keep" in rest:
            continue
        words = {word.lower() for word in WORD.findall(rest)} & WORDS.keys()
        phrases = {phrase for phrase in PHRASES if re.search(rf"\b{phrase}\b", rest, re.I)}
        found += [f"{name}:{number}: {word}" for word in sorted(words | phrases)]
    return found


def test_no_file_uses_a_word_that_was_replaced():
    assert [line for name in tracked() for line in violations(name)] == []
