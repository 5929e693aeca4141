"""What somebody has learned: kept for each lesson, by the one who learns."""

from __future__ import annotations

from typing import Any

from sapper.serialize.cells import Json

DOCUMENT = "learn"

MASTERY_STREAK = 5
"""So many positions in a row, each right at the first try, and the step sits."""

NEW: Json = {"first": False, "right": 0, "wrong": 0, "row": 0, "sits": False}


def progress_of(document: Any, lesson: str) -> Json:
    """How far a lesson has come."""
    known = document.get(lesson, {}) if isinstance(document, dict) else {}
    return {**NEW, **{key: known[key] for key in NEW if key in known}}


def progress_json(document: Any, lesson: str) -> Json:
    """Return the progress of a lesson for the page; the stored keys are older."""
    one = progress_of(document, lesson)
    return {
        "first_board": one["first"],
        "right": one["right"],
        "wrong": one["wrong"],
        "streak": one["row"],
        "mastered": one["sits"],
    }


def with_first_board(document: Any, lesson: str) -> Json:
    """The document after the first board of a lesson was done."""
    return _changed(document, lesson, {"first": True})


def with_try(document: Any, lesson: str, right: bool) -> Json:
    """The document after the first try at a position of practice."""
    one = progress_of(document, lesson)
    row = one["row"] + 1 if right else 0
    counted = "right" if right else "wrong"
    news = {counted: one[counted] + 1, "row": row, "sits": one["sits"] or row >= MASTERY_STREAK}
    return _changed(document, lesson, news)


def is_document(value: Any) -> bool:
    """Whether a document that comes in as a file tells of lessons."""
    return isinstance(value, dict) and all(
        isinstance(one, dict) and all(type(one.get(key, NEW[key])) is type(NEW[key]) for key in NEW)
        for one in value.values()
    )


def merged(here: Json, there: Json) -> Json:
    """How far each lesson has come in either of two documents."""
    return {
        lesson: {key: max(progress_of(one, lesson)[key] for one in (here, there)) for key in NEW}
        for lesson in {**here, **there}
    }


def _changed(document: Any, lesson: str, news: Json) -> Json:
    whole = document if isinstance(document, dict) else {}
    return {**whole, lesson: {**progress_of(document, lesson), **news}}
