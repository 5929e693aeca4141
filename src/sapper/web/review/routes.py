"""Reviews: a game move by move, the games that can be reviewed, and luck over the score book."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.engine.budget import Cancel
from sapper.errors import SapperError
from sapper.formats.json_format import board_to_json
from sapper.games.review import Luck, Review, ReviewedMove, review
from sapper.games.session import Session
from sapper.serialize.cells import Json
from sapper.serialize.reviews import luck_json
from sapper.web.play.game_json import game_json
from sapper.web.play.live_games import LiveGame, seen
from sapper.web.review.figures import ReviewFigures, store_figures, stored_figures, unreviewed
from sapper.web.server.requests import games_of, live_game, owner_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import BUDGET, work

LISTED = 100
# So many games of the book are judged in one answer; the page asks again for the rest.
MAX_REVIEWS_PER_REQUEST = 20


async def whole(request: Request) -> Response:
    """A game move by move. While it is played, a look from here is help, and counted as such."""
    live = await live_game(request)
    games, session = games_of(request), live.session
    if session.game.layout is not None and not session.game.over:
        await games.tell(live, seen(session), ["all"])
    found = await work(request, lambda cancel: review(session, budget=BUDGET, cancel=cancel))
    if session.game.over:
        figures = {live.row.id: ReviewFigures.of(found)}
        await store_figures(games.store, live.row.owner, live.row.touched, figures)
    return JsonResponse(await to_thread.run_sync(_whole_json, live, found))


async def listed(request: Request) -> Response:
    """The games that are over, the last ones first, with luck and accuracy where known."""
    store, owner = games_of(request).store, owner_of(request)
    rows = await to_thread.run_sync(store.ended, owner, LISTED)
    kept = await to_thread.run_sync(stored_figures, store, owner)
    outcomes = {row.id: row.outcome for row in await to_thread.run_sync(store.results, owner)}
    return JsonResponse(
        {
            "games": [
                {
                    "id": row.id,
                    "title": row.title,
                    "updated": row.touched,
                    "outcome": outcomes.get(row.id),
                    **_figures_json(kept.get(row.id)),
                }
                for row in rows
            ]
        }
    )


async def luck(request: Request) -> Response:
    """Luck and accuracy of the score book, game by game and in all; `left` are to be judged yet."""
    games, owner = games_of(request), owner_of(request)
    results = await to_thread.run_sync(games.store.results, owner)
    kept = await to_thread.run_sync(stored_figures, games.store, owner)
    there = await to_thread.run_sync(games.store.ended, owner)
    waiting = unreviewed(results, kept, [row.id for row in there])
    for row in waiting[:MAX_REVIEWS_PER_REQUEST]:
        session = (await games.get(owner, row.id)).session
        kept[row.id] = await work(request, partial(_review_figures, session))
        await store_figures(games.store, owner, row.finished, {row.id: kept[row.id]})
    counted = [
        (row, figures)
        for row in results
        if not row.again and (figures := kept.get(row.id)) is not None
    ]
    points = [
        {"id": row.id, "finished": row.finished, "outcome": row.outcome, **_figures_json(figures)}
        for row, figures in counted
    ]
    return JsonResponse(
        {
            "games": points,
            **luck_json(sum((figures.luck for _, figures in counted), Luck())),
            "accuracy": _accuracy([figures for _, figures in counted]),
            "remaining": max(0, len(waiting) - MAX_REVIEWS_PER_REQUEST),
        }
    )


ROUTES = [
    Route("/api/games/{game}/review", whole),
    Route("/api/reviews", listed),
    Route("/api/statistics/luck", luck),
]


def _review_figures(session: Session, cancel: Cancel) -> ReviewFigures | None:
    try:
        return ReviewFigures.of(review(session, budget=BUDGET, cancel=cancel))
    except SapperError:
        return None


def _figures_json(figures: ReviewFigures | None) -> Json:
    return {
        "luck": None if figures is None else figures.luck.luck,
        "error": None if figures is None else figures.luck.error,
        "accuracy": None if figures is None else figures.accuracy,
    }


def _accuracy(counted: list[ReviewFigures]) -> float | None:
    moves = sum(one.moves for one in counted)
    return 1 - sum(one.mistakes for one in counted) / moves if moves else None


def _whole_json(live: LiveGame, found: Review) -> Json:
    session, game = live.session, live.session.game
    shown = game_json(live)
    board = session.setup.rules.board
    positions = [
        Position.initial(board),
        *(move.position for move in found.moves),
        session.position,
    ]
    *before, end = [_changes(old, new) for old, new in pairwise(positions)]
    mines = game.layout.mine_cells.tolist() if game.over and game.layout is not None else None
    return {
        **{key: shown[key] for key in ("id", "title", "board", "mines")},
        "position": str(board) if board.tiling is not None else board_to_json(board),
        "milliseconds": session.milliseconds,
        "moves": [
            _move_json(move, changes) for move, changes in zip(found.moves, before, strict=True)
        ],
        "end": {**end, "exploded": sorted(game.exploded), "mines": mines},
        "missed": [
            {"cell": one.cell, "since": one.since, "moves": one.moves, "guessed": one.guessed}
            for one in found.missed
        ],
        "mistakes": len(found.mistakes),
        **luck_json(found.tally),
        "accuracy": found.accuracy,
        "outcome": found.outcome,
    }


def _changes(old: Position, new: Position) -> dict[str, Any]:
    """What changed from one position to the next: a whole game in little more than one board."""
    cells = np.flatnonzero(old.marks != new.marks)
    return {"cells": cells.tolist(), "marks": new.marks[cells].tolist()}


def _move_json(move: ReviewedMove, changes: Json) -> Json:
    """A move, and what changed on the board from the one before it."""
    return {
        "action": move.move.action,
        "cell": move.move.cell,
        "class": move.kind,
        "risk": move.risk,
        "least_risk": move.least_risk,
        "seconds": move.seconds,
        "survived": move.survived,
        "counts": move.counts,
        "luck": move.luck,
        **changes,
    }
