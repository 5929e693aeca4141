"""Help in a game: nudges, odds, the numbers that a cell may show.

Whatever is told of a position is counted as a nudge, once: it is on disk before it is answered.
Nothing is told beyond what was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.guesses import guess_json
from sapper.answers.moves import nudge_json
from sapper.answers.odds import numbers_json, odds_json
from sapper.answers.page_words import difficulty
from sapper.answers.spelling import BY_INDEX, Json
from sapper.errors import IllegalMove, OutOfBudget
from sapper.generate.dealers import NO_GUESS
from sapper.infer.budget import Budget, Cancel
from sapper.infer.odds.analysis import Analysis
from sapper.infer.odds.ties import tied_for_least
from sapper.infer.proofs.looking import simple_knowledge
from sapper.infer.proofs.nudges import check_degree
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.play.nudging import nudge as find_nudge
from sapper.web.games.live import Live, seen
from sapper.web.server import limits
from sapper.web.server.analyses import analyses_of
from sapper.web.server.guard import JsonResponse
from sapper.web.server.work import BUDGET, work
from sapper.web.wire.requests import body_of, games_of, live_of, whole_of

# What may be told before the mines are dealt, by the rule of the first click.
FIRST_CLICK = {
    "zero": "No mine is dealt yet: the first click opens an area, wherever it is.",
    "safe": "No mine is dealt yet: the first click is not a mine, wherever it is.",
    "any": "Nothing is known yet: every cell is a mine with the same odds.",
}

# What the choice of a guess may take, so that the odds are there at once.
THINK = Budget(seconds=0.5, memory=BUDGET.memory)


async def nudge(request: Request) -> Response:
    """A nudge of a degree from 1 to 4, and not a word more."""
    data = await body_of(request, limits.SMALL_BODY)
    live, degree = await live_of(request), check_degree(whole_of(data, "degree"))
    at, frame = await _position(live)
    if live.session.game.layout is None:
        return JsonResponse({"degree": degree, **_before_the_first_click(live)})
    found = await work(
        request, lambda cancel: find_nudge(frame, degree, budget=BUDGET, cancel=cancel)
    )
    await games_of(request).tell(live, at, [f"degree {k}" for k in range(1, degree + 1)])
    told = nudge_json(found, frame.board, BY_INDEX)
    told["difficulty"] = None if found.rung is None else difficulty(found.rung)
    return JsonResponse({**told, "state": _figures(live), "at": at})


async def odds(request: Request) -> Response:
    """The odds of every cell that is not revealed, as `sapper odds` gives them."""
    await body_of(request, limits.SMALL_BODY)
    live = await live_of(request)
    at, frame = await _position(live)
    if live.session.game.layout is None:
        return JsonResponse({**_before_the_first_click(live), "cells": [], "odds": []})
    analyses = analyses_of(request)

    def find(cancel: Cancel) -> Json:
        try:
            analysis = analyses.of(frame, False, BUDGET.start(cancel))
        except OutOfBudget:
            if cancel.is_set:
                raise
            return _late(frame)
        return {**weighed_json(analysis), "guess": _guess(analysis, cancel), "late": False}

    found = await work(request, find)
    await games_of(request).tell(live, at, ["odds"])
    return JsonResponse({**found, "state": _figures(live), "at": at})


async def numbers(request: Request) -> Response:
    """The probability of each number that one cell may show."""
    data = await body_of(request, limits.SMALL_BODY)
    live, cell = await live_of(request), whole_of(data, "cell")
    at, frame = await _position(live)
    frame.board.cell(cell)
    if live.session.game.layout is None:
        return JsonResponse({**_before_the_first_click(live), "numbers": None})
    analyses = analyses_of(request)

    def find(cancel: Cancel) -> Mapping[int, float] | None:
        limit = BUDGET.start(cancel)
        return analyses.of(frame, False, limit).numbers(cell, budget=limit)

    told = {"cell": cell, "numbers": numbers_json(await work(request, find))}
    await games_of(request).tell(live, at, ["odds"])
    return JsonResponse({**told, "state": _figures(live), "at": at})


async def assured(request: Request) -> Response:
    """Whether a reveal or a chord keeps to the path of certainty: it is certain, or nothing is.

    Telling that it does not is a nudge; telling that it does is not.
    """
    data = await body_of(request, limits.SMALL_BODY)
    live, cell = await live_of(request), whole_of(data, "cell")
    at, frame = await _position(live)
    frame.board.cell(cell)
    if live.session.game.layout is None:
        return JsonResponse({"assured": True, "state": _figures(live), "at": at})
    analyses = analyses_of(request)
    analysis = await work(request, lambda cancel: analyses.of(frame, False, BUDGET.start(cancel)))
    certain = set(analysis.reveal_cells.tolist())
    keeps = not certain or certain.issuperset(_opened_by(frame, cell))
    if not keeps:
        await games_of(request).tell(live, at, ["certain move"])
    return JsonResponse({"assured": keeps, "state": _figures(live), "at": at})


ROUTES = [
    Route("/api/games/{game}/nudge", nudge, methods=["POST"]),
    Route("/api/games/{game}/odds", odds, methods=["POST"]),
    Route("/api/games/{game}/numbers", numbers, methods=["POST"]),
    Route("/api/games/{game}/assured", assured, methods=["POST"]),
]


def weighed_json(analysis: Analysis) -> Json:
    """The odds of an analysis cell by cell, what is certain, and the cells of least odds."""
    return {**odds_json(analysis, BY_INDEX), **_least(analysis)}


def _guess(analysis: Analysis, cancel: Cancel) -> Json | None:
    """The best guess, if one is needed and it is not a cell that the player has flagged."""
    found = guess_json(analysis, THINK.start(cancel), BY_INDEX)
    flagged = found is not None and analysis.frame.marks[found["cell"]] == FLAG
    return None if flagged else found


def _late(frame: Frame) -> Json:
    """What one or two hints give, where the odds take too long."""
    flag, reveal = simple_knowledge(frame)
    cells = sorted([*flag, *reveal])
    odds = [float(cell in set(flag)) for cell in cells]
    told: Json = {"cells": cells, "odds": odds, "reveal": reveal, "flag": flag}
    return {**told, "least": None, "best": [], "guess": None, "late": True}


def _least(analysis: Analysis) -> Json:
    """The cells of least odds, if any has odds."""
    odds = analysis.probability
    cells = tied_for_least(odds)
    if not len(cells):
        return {"least": None, "best": []}
    return {"least": float(odds[cells].min()), "best": cells.tolist()}


async def _position(live: Live) -> tuple[int, Frame]:
    """The number of events so far, and the frame that they led to."""
    async with live.lock:
        session = live.session
        if session.game.over:
            raise IllegalMove(f"cannot help: the game is {session.game.outcome}")
        return seen(session), session.frame


def _opened_by(frame: Frame, cell: int) -> list[int]:
    """The cells that a click on this one reveals: itself, or by a chord the blanks around it."""
    if frame.marks[cell] < 0:
        return [cell]
    return [c for c in frame.board.around(cell).tolist() if frame.marks[c] == BLANK]


def _figures(live: Live) -> Json:
    return {"nudges": live.session.nudges, "helped": live.session.helped}


def _before_the_first_click(live: Live) -> Json:
    start = live.session.start
    rule = "any" if start.layout is not None else start.rules.rule
    if rule == "any" and start.deal.startswith(NO_GUESS):
        rule = "safe"  # a board without a guess does not begin with one
    return {"text": FIRST_CLICK[rule], "certain": rule != "any", "state": _figures(live)}
