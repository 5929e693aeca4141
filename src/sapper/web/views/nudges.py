"""Help in a game: graded hints, odds, the numbers that a cell may show.

Whatever is told of a position is counted as a hint, once: it is on disk before it is answered.
Nothing is told beyond what was asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.moves import nudge_json
from sapper.answers.odds import numbers_json, odds_json
from sapper.answers.spelling import BY_INDEX, Json
from sapper.errors import IllegalMove, NotationError
from sapper.infer.budget import Cancel
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.odds.ties import tied_for_least
from sapper.infer.proofs.nudges import LEVELS, nudge
from sapper.model.frame import Frame
from sapper.play.session import HINT
from sapper.web.games.live import Live, seen
from sapper.web.server import limits
from sapper.web.server.guard import JsonResponse
from sapper.web.server.work import BUDGET, work
from sapper.web.wire.requests import body_of, games_of, live_of, whole_of

# What may be told before the mines are dealt, by the promise of the rules.
FIRST_CLICK = {
    "zero": "No mine is dealt yet: the first click opens an area, wherever it is.",
    "safe": "No mine is dealt yet: the first click is not a mine, wherever it is.",
    "any": "Nothing is known yet: every cell is a mine with the same odds.",
}
# Analyses are kept while their positions are looked at: each hover asks for the numbers of a cell.
KEPT = 8


class Analyses:
    """The analyses of the positions asked for last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Analysis] = OrderedDict()

    async def of(self, request: Request, live: Live, at: int, frame: Frame) -> Analysis:
        """The analysis of a game's frame after *at* events."""
        key = (live.row.id, at)
        if key not in self._kept:
            self._kept[key] = await work(request, partial(_analyse, frame))
        self._kept.move_to_end(key)
        found = self._kept[key]
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


async def hint(request: Request) -> Response:
    """A hint of a grade from 1 to 4, and not a word more."""
    data = await body_of(request, limits.SMALL_BODY)
    live, level = await live_of(request), _level(data)
    at, frame = await _position(live)
    if live.session.game.layout is None:
        return JsonResponse({"level": level, **_before_the_first_click(live)})
    found = await work(request, lambda cancel: nudge(frame, level, budget=BUDGET))
    await _count(request, live, at, [f"hint {k}" for k in range(1, level + 1)])
    told = {**nudge_json(found, frame.board, BY_INDEX), "level": level}
    return JsonResponse({**told, "state": _figures(live), "at": at})


async def odds(request: Request) -> Response:
    """The odds of every cell that is not revealed, as `sapper odds` gives them."""
    await body_of(request, limits.SMALL_BODY)
    live = await live_of(request)
    at, frame = await _position(live)
    if live.session.game.layout is None:
        return JsonResponse({**_before_the_first_click(live), "cells": [], "odds": []})
    analysis = await _analyses(request).of(request, live, at, frame)
    await _count(request, live, at, ["odds"])
    return JsonResponse({**weighed_json(analysis), "state": _figures(live), "at": at})


async def numbers(request: Request) -> Response:
    """The probability of each number that one cell may show."""
    data = await body_of(request, limits.SMALL_BODY)
    live, cell = await live_of(request), whole_of(data, "cell")
    at, frame = await _position(live)
    live.session.game.board.cell(cell)
    if live.session.game.layout is None:
        return JsonResponse({**_before_the_first_click(live), "numbers": None})
    analysis = await _analyses(request).of(request, live, at, frame)
    found = await work(request, lambda cancel: analysis.numbers(cell))
    await _count(request, live, at, ["odds"])
    told = {"cell": cell, "numbers": numbers_json(found)}
    return JsonResponse({**told, "state": _figures(live), "at": at})


ROUTES = [
    Route("/api/games/{game}/hint", hint, methods=["POST"]),
    Route("/api/games/{game}/odds", odds, methods=["POST"]),
    Route("/api/games/{game}/numbers", numbers, methods=["POST"]),
]


def weighed_json(analysis: Analysis) -> Json:
    """The odds of an analysis cell by cell, what is certain, and the cells of least odds."""
    return {**odds_json(analysis, BY_INDEX), **_least(analysis)}


def _least(analysis: Analysis) -> Json:
    """The cells of least odds, if any has odds."""
    odds = analysis.probability
    cells = tied_for_least(odds)
    if not len(cells):
        return {"least": None, "best": []}
    return {"least": float(odds[cells].min()), "best": cells.tolist()}


def _analyse(frame: Frame, cancel: Cancel) -> Analysis:
    return analyse(frame, budget=BUDGET, cancel=cancel)


def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


def _level(data: Json) -> int:
    level = whole_of(data, "level")
    if not 1 <= level <= len(LEVELS):
        raise NotationError(f"expected a level of help from 1 to {len(LEVELS)}, got {level}")
    return level


async def _position(live: Live) -> tuple[int, Frame]:
    """The number of events so far, and the frame that they led to."""
    async with live.lock:
        session = live.session
        if session.game.over:
            raise IllegalMove(f"cannot help: the game is {session.game.outcome}")
        return seen(session), session.frame


async def _count(request: Request, live: Live, at: int, what: Iterable[str]) -> None:
    """Write down that a hint was given, unless all of it was told at this position before."""
    if at != live.told_at:
        live.told_at, live.told = at, set()
    if not live.told.issuperset(what):
        await games_of(request).act(live.row.id, lambda session: HINT, at)
        live.told.update(what)


def _figures(live: Live) -> Json:
    return {"hints": live.session.hints, "helped": live.session.helped}


def _before_the_first_click(live: Live) -> Json:
    start = live.session.start
    promise = "any" if start.layout is not None else start.rules.promise
    return {"text": FIRST_CLICK[promise], "certain": promise != "any", "state": _figures(live)}
