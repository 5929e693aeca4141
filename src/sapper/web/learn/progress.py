"""Progress in the lessons, stored in one document for each owner."""

from __future__ import annotations

from typing import Any

import msgspec

DOCUMENT = "lessons"

MASTERY_STREAK = 3
"""A lesson is mastered after this many exercises in a row, each solved at the first attempt."""


class Progress(msgspec.Struct, frozen=True):
    """Progress in one lesson."""

    first_board: bool = False
    right: int = 0
    wrong: int = 0
    streak: int = 0
    mastered: bool = False


Document = dict[str, Progress]


def read_document(document: Any) -> Document:
    """Read a stored document; a malformed one counts as empty."""
    try:
        return msgspec.convert(document or {}, Document)
    except msgspec.ValidationError:
        return {}


def progress_of(document: Any, lesson: str) -> Progress:
    """Return the progress in a lesson."""
    return read_document(document).get(lesson, Progress())


def with_first_board(document: Any, lesson: str) -> Any:
    """Return the document after the first board of a lesson was solved."""
    progress = msgspec.structs.replace(progress_of(document, lesson), first_board=True)
    return _with_progress(document, lesson, progress)


def with_attempt(document: Any, lesson: str, right: bool) -> Any:
    """Return the document after the first attempt at an exercise."""
    before = progress_of(document, lesson)
    streak = before.streak + 1 if right else 0
    progress = Progress(
        before.first_board,
        before.right + right,
        before.wrong + (not right),
        streak,
        before.mastered or streak >= MASTERY_STREAK,
    )
    return _with_progress(document, lesson, progress)


def merge(stored: Document, imported: Document) -> Document:
    """Merge two documents: take the larger value of each field of each lesson."""
    merged = {}
    for lesson in {**stored, **imported}:
        both = [document.get(lesson, Progress()) for document in (stored, imported)]
        merged[lesson] = Progress(*map(max, *map(msgspec.structs.astuple, both)))
    return merged


def _with_progress(document: Any, lesson: str, progress: Progress) -> Any:
    return msgspec.to_builtins({**read_document(document), lesson: progress})
