"""Reviews: one game move by move, the end of a game, and luck over all results.

Figures of reviews are stored, so that no game is reviewed twice: one document for each month.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import Any

import msgspec
import numpy as np
from anyio import to_thread
from cachetools import LRUCache, cached
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.engine.budget import Cancel
from sapper.errors import IllegalMove, SapperError
from sapper.formats.json_format import board_to_json
from sapper.games.review import LuckStatistics, Review, ReviewedMove, fatal_move, review
from sapper.games.session import Session
from sapper.games.win_review import WinReview, win_review
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.games import luck_json, move_win_json, win_json
from sapper.web.features.play import game_json
from sapper.web.features.statistics import compare
from sapper.web.live_games import LiveGame, count_board_events, games_of, live_game, store_of
from sapper.web.server.http import JsonResponse, owner_of
from sapper.web.server.workers import BUDGET, work
from sapper.web.storage.store import Number, ResultRow, Store

FIGURES_PREFIX = "reviews/"
STORED_DIGITS = 6

LISTED_GAMES = 100
# The page requests the remaining games afterwards.
MAX_REVIEWS_PER_REQUEST = 20

# Computing the win chances of a game on Expert takes a second.
CACHED_WIN_REVIEWS = 32


class ReviewFigures(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The figures of a game up to its first loss or undo; stored as a list."""

    moves: Number
    mistakes: Number
    survived: Number
    expected: Number
    variance: Number

    @classmethod
    def of(cls, review: Review) -> ReviewFigures:
        """Return the figures of a review, rounded as they are stored."""
        counted = [move for move in review.moves if move.counts]
        mistakes = sum(move.move_class == "mistake" for move in counted)
        luck = review.luck_statistics
        sums = (luck.survived, luck.expected, luck.variance)
        return cls(len(counted), mistakes, *(round(value, STORED_DIGITS) for value in sums))

    @property
    def luck_statistics(self) -> LuckStatistics:
        """The luck of the game, to add to that of others."""
        return LuckStatistics(1, self.survived, self.expected, self.variance)

    @property
    def accuracy(self) -> float | None:
        """The share of reveals that were not mistakes; None for a game without reveals."""
        return 1 - self.mistakes / self.moves if self.moves else None


# By game id; None for a game whose review took too long.
FiguresDocument = dict[str, ReviewFigures | None]


async def game_review(request: Request) -> Response:
    """Return a game move by move."""
    live = await _game_to_review(request)
    session = live.session
    result = await work(
        request, lambda cancel: review(session, budget=BUDGET, cancel=cancel), long=True
    )
    if session.game.over:
        row, figures = live.row, ReviewFigures.of(result)
        await store_figures(store_of(request), row.owner, row.updated, row.id, figures)
    return JsonResponse(await to_thread.run_sync(_review_json, live, result))


async def win_chances(request: Request) -> Response:
    """Return the win chances of a game move by move, and what choices and luck changed in them."""
    live = await _game_to_review(request)
    result = await work(request, lambda cancel: _cached_win_review(live, cancel), long=True)
    return JsonResponse(
        {
            "moves": [move_win_json(move) for move in result.moves],
            "start": result.start,
            "end": result.end,
            **win_json(result),
        }
    )


@cached(
    LRUCache[tuple[str, int], WinReview](CACHED_WIN_REVIEWS),
    key=lambda live, cancel: (live.row.id, count_board_events(live.session)),
    lock=Lock(),
)
def _cached_win_review(live: LiveGame, cancel: Cancel) -> WinReview:
    reviewed = review(live.session, budget=BUDGET, cancel=cancel)
    return win_review(reviewed, budget=BUDGET, cancel=cancel)


async def _game_to_review(request: Request) -> LiveGame:
    """Return a game; while it is played, its review counts as help."""
    live = await live_game(request)
    session = live.session
    if session.game.layout is not None and not session.game.over:
        await games_of(request).count_hint(live, count_board_events(session), ["all"])
    return live


async def finished_games(request: Request) -> Response:
    """List the finished games, newest first, with luck and accuracy if they were reviewed."""
    store, owner = store_of(request), owner_of(request)
    rows = await to_thread.run_sync(store.finished_games, owner, LISTED_GAMES)
    figures = await to_thread.run_sync(stored_figures, store, owner)
    outcomes = {row.id: row.outcome for row in await to_thread.run_sync(store.results, owner)}
    return JsonResponse(
        {
            "games": [
                {
                    "id": row.id,
                    "title": row.title,
                    "updated": row.updated,
                    "outcome": outcomes.get(row.id),
                    **_figures_json(figures.get(row.id)),
                }
                for row in rows
            ]
        }
    )


async def luck(request: Request) -> Response:
    """Return luck and accuracy of all results; `remaining` games are not reviewed yet."""
    games, owner = games_of(request), owner_of(request)
    results = await to_thread.run_sync(games.store.results, owner)
    figures = await to_thread.run_sync(stored_figures, games.store, owner)
    finished = await to_thread.run_sync(games.store.finished_games, owner)
    pending = unreviewed(results, figures, [row.id for row in finished])
    for row in pending[:MAX_REVIEWS_PER_REQUEST]:
        session = (await games.get(owner, row.id)).session
        figures[row.id] = await work(request, partial(_review_figures, session), long=True)
        await store_figures(games.store, owner, row.finished, row.id, figures[row.id])
    reviewed = [
        (row, review_figures)
        for row in results
        if not row.repeated and (review_figures := figures.get(row.id)) is not None
    ]
    figures_of_all = [review_figures for _, review_figures in reviewed]
    total = sum((one.luck_statistics for one in figures_of_all), LuckStatistics())
    return JsonResponse(
        {
            "games": [
                {
                    "id": row.id,
                    "finished": row.finished,
                    "outcome": row.outcome,
                    **_figures_json(review_figures),
                }
                for row, review_figures in reviewed
            ],
            **luck_json(total),
            "accuracy": _accuracy(figures_of_all),
            "remaining": max(0, len(pending) - MAX_REVIEWS_PER_REQUEST),
        }
    )


async def end(request: Request) -> Response:
    """Return the records and the fatal move of a finished game."""
    live = await live_game(request)
    async with live.lock:  # a move ends the game only when it is stored
        session, outcome = live.session, live.session.game.outcome
    if outcome == "playing":
        raise IllegalMove("the game is not over")
    results = await to_thread.run_sync(store_of(request).results, live.row.owner)
    record = await to_thread.run_sync(compare, results, live.row.id)
    fatal = None
    if outcome == "lost":
        fatal = await work(request, lambda cancel: _fatal_json(session, cancel))
    return JsonResponse({"record": record, "fatal": fatal})


ROUTES = [
    Route("/api/games/{game}/end", end),
    Route("/api/games/{game}/review", game_review),
    Route("/api/games/{game}/review/win-chance", win_chances),
    Route("/api/reviews", finished_games),
    Route("/api/statistics/luck", luck),
]


def _review_figures(session: Session, cancel: Cancel) -> ReviewFigures | None:
    try:
        return ReviewFigures.of(review(session, budget=BUDGET, cancel=cancel))
    except SapperError:
        return None


def _figures_json(figures: ReviewFigures | None) -> Json:
    return {
        "luck": None if figures is None else figures.luck_statistics.luck,
        "error": None if figures is None else figures.luck_statistics.error,
        "accuracy": None if figures is None else figures.accuracy,
    }


def _accuracy(games: list[ReviewFigures]) -> float | None:
    moves = sum(figures.moves for figures in games)
    return 1 - sum(figures.mistakes for figures in games) / moves if moves else None


def _review_json(live: LiveGame, review: Review) -> Json:
    session, game = live.session, live.session.game
    summary = game_json(live)
    board = session.setup.rules.board
    positions = [
        Position.initial(board),
        *(move.position for move in review.moves),
        session.position,
    ]
    *before, end = [_changes(old, new) for old, new in pairwise(positions)]
    mines = game.layout.mine_cells.tolist() if game.over and game.layout is not None else None
    return {
        **{key: summary[key] for key in ("id", "title", "board", "mines")},
        "board_text": str(board) if board.tiling is not None else board_to_json(board),
        "milliseconds": session.milliseconds,
        "moves": [
            _move_json(move, changes) for move, changes in zip(review.moves, before, strict=True)
        ],
        "end": {**end, "exploded": sorted(game.exploded), "mines": mines},
        "missed": [
            {"cell": cell.cell, "since": cell.since, "moves": cell.moves, "guessed": cell.guessed}
            for cell in review.missed
        ],
        "mistakes": len(review.mistakes),
        **luck_json(review.luck_statistics),
        "accuracy": review.accuracy,
        "outcome": review.outcome,
        "uniform": review.uniform,
    }


def _changes(old: Position, new: Position) -> dict[str, Any]:
    """Return the cells that differ between two positions, with their new marks."""
    cells = np.flatnonzero(old.marks != new.marks)
    return {"cells": cells.tolist(), "marks": new.marks[cells].tolist()}


def _move_json(move: ReviewedMove, changes: Json) -> Json:
    """Return a move, and the changes since the move before it."""
    return {
        **_risks_json(move),
        "seconds": move.seconds,
        "survived": move.survived,
        "counts": move.counts,
        "luck": move.luck,
        **changes,
    }


def _risks_json(move: ReviewedMove) -> Json:
    return {
        **BY_INDEX.move(move.position.board, move.move),
        "class": move.move_class,
        "risk": move.risk,
        "least_risk": move.least_risk,
    }


def merge_figures(stored: FiguresDocument, imported: FiguresDocument) -> FiguresDocument:
    """Merge two months; of a game in both, keep the stored figures."""
    return {**imported, **stored}


def stored_figures(store: Store, owner: str) -> FiguresDocument:
    """Return the figures of all months."""
    months = store.documents(owner, FIGURES_PREFIX).values()
    return {
        game: figures
        for month in months
        for game, figures in msgspec.convert(month, FiguresDocument).items()
    }


async def store_figures(
    store: Store, owner: str, finished: float, game: str, figures: ReviewFigures | None
) -> None:
    """Store the figures of a game that ended in the month of *finished*."""
    name = FIGURES_PREFIX + time.strftime("%Y-%m", time.gmtime(finished))
    stored = msgspec.to_builtins(figures)
    await store.update_document(owner, name, lambda month: {**(month or {}), game: stored})


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


def _fatal_json(session: Session, cancel: Cancel) -> Json | None:
    """Return the move that lost the game with its risk, or None if that takes too long."""
    try:
        fatal = fatal_move(session, budget=BUDGET, cancel=cancel)
    except SapperError:
        return None
    if fatal is None:
        return None
    return {**_risks_json(fatal.reviewed), "safest": list(fatal.safest_cells)}
