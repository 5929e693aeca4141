"""The documents that views keep, when they come in from a file: one table.

A document of a name that is not here comes in as it is. Of one that is here already, what it notes
one by one (tries, figures, lessons) is added to; what can only be one thing or another stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sapper.web.learn import progress
from sapper.web.play import question_marks
from sapper.web.puzzles import ratings
from sapper.web.review import figures

SETTINGS = "settings"


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _here(here: Any, there: Any) -> Any:
    return here


@dataclass(frozen=True)
class DocumentType:
    """What a document must look like, and what becomes of one that is here when another comes."""

    fits: Callable[[Any], bool] = lambda value: True
    merged: Callable[[Any, Any], Any] = _here
    """From the one that is here and the one of the file; the same again where it comes twice."""


KINDS = {
    "profile": DocumentType(_is_object),
    SETTINGS: DocumentType(_is_object),
    question_marks.DOCUMENT: DocumentType(question_marks.is_document, question_marks.merged),
    progress.DOCUMENT: DocumentType(progress.is_document, progress.merged),
    figures.PREFIX: DocumentType(figures.is_month_document, figures.merged),
    ratings.RATING_DOCUMENT: DocumentType(ratings.is_user_rating, ratings.newer_rating),
    ratings.ATTEMPTS_PREFIX: DocumentType(ratings.is_month_document, ratings.merged),
}
"""By the name, or by the folder that it begins with."""


def document_type(name: str) -> DocumentType:
    """The kind of a document; one that no view knows comes in as it is."""
    folder, slash, _ = name.partition("/")
    return KINDS.get(folder + slash, DocumentType())
