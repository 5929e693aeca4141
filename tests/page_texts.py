"""The texts of the page: those in its files, and words that are never said there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sapper.serialize.page_words import UNSAID

# Names of classes, files and keys and the elements of a drawing are code, though between quotes.
_CODE = re.compile(
    r"(?![A-Z])[\w./#{}\[\]=\"'\\:>-]*|(cell |paint )?(covered cell|open|number)( \w+)*|<.*",
    re.DOTALL,
)
_QUOTED = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`",
    re.DOTALL,
)
_UNSAID = re.compile(rf"\b(?:{'|'.join(UNSAID)})s?\b", re.IGNORECASE)
# A hole in a template is code.
_HOLE = re.compile(r"\$\{[^{}`]*\}")


def unsaid_words(text: str) -> list[str]:
    """The words of a text that the page does not say."""
    return _UNSAID.findall(text)


def texts_of(file: Path) -> Iterator[str]:
    """The texts between quotes in a module of the page, comments and names left out."""
    for found in _QUOTED.finditer(file.read_text(encoding="utf-8")):
        text = next((part for part in found.groups() if part is not None), "")
        text = _HOLE.sub("…", text)
        if not _CODE.fullmatch(text):
            yield text
