"""Reviews in short: the figures that statistics add up, kept so that no game is judged twice.

They are documents of the store, one a month: no document grows without end.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sapper.games.review import Luck, Review
from sapper.web.storage.store import ResultRow, Store

PREFIX = "reviews/"
_DIGITS = 6


@dataclass(frozen=True)
class ReviewFigures:
    """A game up to its first loss or undo: what comes after them changes no figure."""

    moves: int
    mistakes: int
    luck: Luck

    @classmethod
    def of(cls, found: Review) -> ReviewFigures:
        """The figures of a review, with as many digits as are kept."""
        counted = [move for move in found.moves if move.counts]
        luck = found.tally
        sums = (luck.survived, luck.expected, luck.variance)
        return cls(
            len(counted),
            sum(move.kind == "mistake" for move in counted),
            Luck(1, *(round(value, _DIGITS) for value in sums)),
        )

    @property
    def accuracy(self) -> float | None:
        """The share of reveals that were no mistakes; None for a game without any."""
        return 1 - self.mistakes / self.moves if self.moves else None

    def pack(self) -> list[float]:
        """The figures as a short list; `unpack` reads it."""
        luck = self.luck
        return [self.moves, self.mistakes, luck.survived, luck.expected, luck.variance]

    @classmethod
    def unpack(cls, data: list[float]) -> ReviewFigures:
        """The figures that `pack` wrote."""
        moves, mistakes, survived, expected, variance = data
        return cls(int(moves), int(mistakes), Luck(1, survived, expected, variance))


def is_month_document(value: Any) -> bool:
    """Whether a document that comes in as a file is a month of figures."""
    return isinstance(value, dict) and all(
        data is None
        or (isinstance(data, list) and len(data) == 5 and all(map(is_finite_number, data)))
        for data in value.values()
    )


def merged(here: dict[str, Any], there: dict[str, Any]) -> dict[str, Any]:
    """The figures of both months; of a game that both have, those that are here."""
    return {**there, **here}


def is_finite_number(value: Any) -> bool:
    """Whether a value is a number that can be reckoned with."""
    return type(value) in (int, float) and abs(value) < 1e12


def stored_figures(store: Store, owner: str) -> dict[str, ReviewFigures | None]:
    """The figures by game; None for one that was beyond the budget and is not tried again."""
    found: dict[str, ReviewFigures | None] = {}
    for month in store.documents(owner, PREFIX).values():
        for game, data in month.items():
            found[game] = None if data is None else ReviewFigures.unpack(data)
    return found


async def store_figures(
    store: Store, owner: str, finished: float, figures: Mapping[str, ReviewFigures | None]
) -> None:
    """Keep the figures of games that ended in the month of *finished*."""
    packed = {game: None if one is None else one.pack() for game, one in figures.items()}
    name = PREFIX + time.strftime("%Y-%m", time.gmtime(finished))
    await store.change(owner, name, lambda month: {**(month or {}), **packed})


def unreviewed(
    results: Iterable[ResultRow], kept: Mapping[str, Any], there: Iterable[str]
) -> list[ResultRow]:
    """The results whose figures are not known yet, of games that are still there, newest first."""
    games = set(there)
    return [
        row
        for row in sorted(results, key=lambda row: -row.finished)
        if not row.again and row.id not in kept and row.id in games
    ]
