"""The documents that views keep, when they come in from a file: one table.

A document of a name that is not here comes in as it is. Of one that is here already, what it notes
one by one (tries, figures, lessons) is added to; what can only be one thing or another stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sapper.web.games import doubts, reviews, training
from sapper.web.learning import progress

SETTINGS = "settings"


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _here(here: Any, there: Any) -> Any:
    return here


@dataclass(frozen=True)
class Kind:
    """What a document must look like, and what becomes of one that is here when another comes."""

    fits: Callable[[Any], bool] = lambda value: True
    merged: Callable[[Any, Any], Any] = _here
    """From the one that is here and the one of the file; the same again where it comes twice."""


KINDS = {
    "profile": Kind(_is_object),
    SETTINGS: Kind(_is_object),
    doubts.DOCUMENT: Kind(doubts.is_document, doubts.merged),
    progress.DOCUMENT: Kind(progress.is_document, progress.merged),
    reviews.PREFIX: Kind(reviews.is_month, reviews.merged),
    training.TRAINEE: Kind(training.is_trainee, training.farther),
    training.TRIES: Kind(training.is_month, training.merged),
}
"""By the name, or by the folder that it begins with."""


def kind_of(name: str) -> Kind:
    """The kind of a document; one that no view knows comes in as it is."""
    folder, slash, _ = name.partition("/")
    return KINDS.get(folder + slash, Kind())
