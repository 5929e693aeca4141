"""Review figures: what statistics add up, stored so that no game is reviewed twice.

They are documents of the store, one for each month, so that no document grows without limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec

from sapper.games.review import Luck, Review
from sapper.web.storage.store import ResultRow, Store

PREFIX = "reviews/"
_DIGITS = 6

Number = (
    Annotated[int, msgspec.Meta(gt=-(10**12), lt=10**12)]
    | Annotated[float, msgspec.Meta(gt=-1e12, lt=1e12)]
)
MonthDocument = dict[str, tuple[Number, Number, Number, Number, Number] | None]


@dataclass(frozen=True)
class ReviewFigures:
    """The figures of a game up to its first loss or undo."""

    moves: int
    mistakes: int
    luck: Luck

    @classmethod
    def of(cls, review: Review) -> ReviewFigures:
        """Return the figures of a review, rounded as they are stored."""
        counted = [move for move in review.moves if move.counts]
        luck = review.tally
        sums = (luck.survived, luck.expected, luck.variance)
        return cls(
            len(counted),
            sum(move.kind == "mistake" for move in counted),
            Luck(1, *(round(value, _DIGITS) for value in sums)),
        )

    @property
    def accuracy(self) -> float | None:
        """The share of reveals that were not mistakes; None for a game without reveals."""
        return 1 - self.mistakes / self.moves if self.moves else None

    def pack(self) -> list[float]:
        """Return the figures as a short list."""
        luck = self.luck
        return [self.moves, self.mistakes, luck.survived, luck.expected, luck.variance]

    @classmethod
    def unpack(cls, data: list[float]) -> ReviewFigures:
        """Return the figures that `pack` wrote."""
        moves, mistakes, survived, expected, variance = data
        return cls(int(moves), int(mistakes), Luck(1, survived, expected, variance))


def merge(stored: MonthDocument, imported: MonthDocument) -> MonthDocument:
    """Merge two months; of a game in both, keep the stored figures."""
    return {**imported, **stored}


def stored_figures(store: Store, owner: str) -> dict[str, ReviewFigures | None]:
    """Return the figures by game; None for a game whose review took too long."""
    return {
        game: None if data is None else ReviewFigures.unpack(data)
        for month in store.documents(owner, PREFIX).values()
        for game, data in month.items()
    }


async def store_figures(
    store: Store, owner: str, finished: float, figures: Mapping[str, ReviewFigures | None]
) -> None:
    """Store the figures of games that ended in the month of *finished*."""
    packed = {game: None if one is None else one.pack() for game, one in figures.items()}
    name = PREFIX + time.strftime("%Y-%m", time.gmtime(finished))
    await store.update_document(owner, name, lambda month: {**(month or {}), **packed})


def unreviewed(
    results: Iterable[ResultRow], figures: Mapping[str, object], games: Iterable[str]
) -> list[ResultRow]:
    """Return the results without figures whose games are stored, newest first."""
    stored = set(games)
    return [
        row
        for row in sorted(results, key=lambda row: -row.finished)
        if not row.repeated and row.id not in figures and row.id in stored
    ]
