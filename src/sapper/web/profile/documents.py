"""The documents of all features: their types, and how an imported document is merged.

A document of an unknown name is imported as it is. Documents that record one thing after another
(attempts, figures, lessons, question marks) are merged; of the others the stored one stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from sapper.errors import NotationError
from sapper.web.learn import progress
from sapper.web.play import question_marks
from sapper.web.puzzles import ratings
from sapper.web.review import figures

SETTINGS = "settings"
PROFILE = "profile"


def _keep_stored(stored: Any, imported: Any) -> Any:
    return stored


@dataclass(frozen=True)
class DocumentType:
    """The shape of a document, and a function that merges a stored and an imported one."""

    shape: Any = Any
    merge: Callable[[Any, Any], Any] = _keep_stored

    def check(self, name: str, value: Any) -> None:
        """Reject a value of another shape."""
        try:
            msgspec.convert(value, self.shape)
        except msgspec.ValidationError as error:
            raise NotationError(f"{name}: {error}") from None

    def merged(self, stored: Any, imported: Any) -> Any:
        """Merge two documents; merging the same one twice changes nothing."""
        both = (msgspec.convert(value, self.shape) for value in (stored, imported))
        return msgspec.to_builtins(self.merge(*both))


# By name, or by the folder of the name.
DOCUMENT_TYPES = {
    PROFILE: DocumentType(dict[str, Any]),
    SETTINGS: DocumentType(dict[str, Any]),
    question_marks.DOCUMENT: DocumentType(question_marks.Document, question_marks.merge),
    progress.DOCUMENT: DocumentType(progress.Document, progress.merge),
    figures.PREFIX: DocumentType(figures.MonthDocument, figures.merge),
    ratings.RATING_DOCUMENT: DocumentType(ratings.UserRating, ratings.merge_ratings),
    ratings.ATTEMPTS_PREFIX: DocumentType(list[ratings.Attempt], ratings.merge_attempts),
}


def document_type(name: str) -> DocumentType:
    """Return the type of a document."""
    folder, slash, _ = name.partition("/")
    return DOCUMENT_TYPES.get(folder + slash, DocumentType())
