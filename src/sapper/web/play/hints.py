"""Help in a game: hints, probabilities, the numbers that a cell may show.

Whatever is told of a position is counted as a hint, once: it is on disk before it is answered.
Nothing is told beyond what was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import Analysis
from sapper.engine.budget import Budget, Cancel
from sapper.engine.probabilities import tied_for_least
from sapper.errors import IllegalMove, OutOfBudget
from sapper.generators.layout_sources import NO_GUESS
from sapper.players.hints import hint as find_hint
from sapper.proofs.hints import check_detail
from sapper.proofs.simple import simple_certain_cells
from sapper.serialize.analysis import probabilities_json, values_json
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.guesses import guess_json
from sapper.serialize.moves import hint_json
from sapper.serialize.page_words import difficulty_text
from sapper.web.play.live_games import LiveGame, seen
from sapper.web.server import limits
from sapper.web.server.analyses import analyses_of
from sapper.web.server.requests import games_of, live_game, read_body, whole_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import BUDGET, work

# What may be told before the mines are dealt, by the rule of the first click.
FIRST_CLICK = {
    "zero": "No mine is dealt yet: the first click opens an area, wherever it is.",
    "safe": "No mine is dealt yet: the first click is not a mine, wherever it is.",
    "any": "Nothing is known yet: every cell is a mine with the same probabilities.",
}

# What the choice of a guess may take, so that the probabilities are there at once.
GUESS_BUDGET = Budget(seconds=0.5, memory=BUDGET.memory)


async def hint(request: Request) -> Response:
    """A hint of a degree from 1 to 4, and not a word more."""
    data = await read_body(request, limits.SMALL_BODY)
    live, detail = await live_game(request), check_detail(whole_of(data, "detail"))
    at, position = await _position(live)
    if live.session.game.layout is None:
        return JsonResponse({"detail": detail, **_before_the_first_click(live)})
    found = await work(
        request, lambda cancel: find_hint(position, detail, budget=BUDGET, cancel=cancel)
    )
    await games_of(request).tell(live, at, [f"degree {k}" for k in range(1, detail + 1)])
    told = hint_json(found, BY_INDEX)
    told["difficulty_text"] = (
        None if found.difficulty is None else difficulty_text(found.difficulty)
    )
    return JsonResponse({**told, "state": _help_state(live), "at": at})


async def probabilities(request: Request) -> Response:
    """The probabilities of every cell that is not revealed, as `sapper analyse` gives them."""
    await read_body(request, limits.SMALL_BODY)
    live = await live_game(request)
    at, position = await _position(live)
    if live.session.game.layout is None:
        return JsonResponse({**_before_the_first_click(live), "cells": [], "probabilities": []})
    analyses = analyses_of(request)

    def find(cancel: Cancel) -> Json:
        try:
            analysis = analyses.of(position, False, BUDGET.start(cancel))
        except OutOfBudget:
            if cancel.is_set:
                raise
            return _late(position)
        return {**analysis_json(analysis), "guess": _guess(analysis, cancel), "partial": False}

    found = await work(request, find)
    await games_of(request).tell(live, at, ["probabilities"])
    return JsonResponse({**found, "state": _help_state(live), "at": at})


async def values(request: Request) -> Response:
    """The probability of each number that one cell may show."""
    data = await read_body(request, limits.SMALL_BODY)
    live, cell = await live_game(request), whole_of(data, "cell")
    at, position = await _position(live)
    position.board.cell(cell)
    if live.session.game.layout is None:
        return JsonResponse({**_before_the_first_click(live), "values": None})
    analyses = analyses_of(request)

    def find(cancel: Cancel) -> Mapping[int, float] | None:
        limit = BUDGET.start(cancel)
        return analyses.of(position, False, limit).values(cell, budget=limit)

    told = {"cell": cell, "values": values_json(await work(request, find))}
    await games_of(request).tell(live, at, ["probabilities"])
    return JsonResponse({**told, "state": _help_state(live), "at": at})


async def justified(request: Request) -> Response:
    """Whether a reveal or a chord keeps to the path of certainty: it is certain, or nothing is.

    Telling that it does not is a hint; telling that it does is not.
    """
    data = await read_body(request, limits.SMALL_BODY)
    live, cell = await live_game(request), whole_of(data, "cell")
    at, position = await _position(live)
    position.board.cell(cell)
    if live.session.game.layout is None:
        return JsonResponse({"justified": True, "state": _help_state(live), "at": at})
    analyses = analyses_of(request)
    analysis = await work(
        request, lambda cancel: analyses.of(position, False, BUDGET.start(cancel))
    )
    certain = set(analysis.safe_cells.tolist())
    keeps = not certain or certain.issuperset(_opened_by(position, cell))
    if not keeps:
        await games_of(request).tell(live, at, ["certain move"])
    return JsonResponse({"justified": keeps, "state": _help_state(live), "at": at})


ROUTES = [
    Route("/api/games/{game}/hint", hint, methods=["POST"]),
    Route("/api/games/{game}/probabilities", probabilities, methods=["POST"]),
    Route("/api/games/{game}/values", values, methods=["POST"]),
    Route("/api/games/{game}/justified", justified, methods=["POST"]),
]


def analysis_json(analysis: Analysis) -> Json:
    """The probabilities of an analysis cell by cell, what is certain, and the cells of least probability."""
    return {**probabilities_json(analysis, BY_INDEX), **_least(analysis)}


def _guess(analysis: Analysis, cancel: Cancel) -> Json | None:
    """The best guess, if one is needed and it is not a cell that the player has flagged."""
    found = guess_json(analysis, GUESS_BUDGET.start(cancel), BY_INDEX)
    flagged = found is not None and analysis.position.marks[found["cell"]] == FLAG
    return None if flagged else found


def _late(position: Position) -> Json:
    """What one or two numbers give, where the probabilities take too long."""
    flag, reveal = simple_certain_cells(position)
    cells = sorted([*flag, *reveal])
    probabilities = [float(cell in set(flag)) for cell in cells]
    told: Json = {
        "cells": cells,
        "probabilities": probabilities,
        "safe": reveal,
        "certain_mines": flag,
    }
    return {**told, "least_risk": None, "safest": [], "guess": None, "partial": True}


def _least(analysis: Analysis) -> Json:
    """The cells of least probability, if any has probabilities."""
    probabilities = analysis.probability_array
    cells = tied_for_least(probabilities)
    if not len(cells):
        return {"least_risk": None, "safest": []}
    return {"least_risk": float(probabilities[cells].min()), "safest": cells.tolist()}


async def _position(live: LiveGame) -> tuple[int, Position]:
    """The number of events so far, and the position that they led to."""
    async with live.lock:
        session = live.session
        if session.game.over:
            raise IllegalMove(f"cannot help: the game is {session.game.outcome}")
        return seen(session), session.position


def _opened_by(position: Position, cell: int) -> list[int]:
    """The cells that a click on this one reveals: itself, or by a chord the covered cells around it."""
    if position.marks[cell] < 0:
        return [cell]
    return [c for c in position.board.around(cell).tolist() if position.marks[c] == COVERED]


def _help_state(live: LiveGame) -> Json:
    return {"hints": live.session.hints, "helped": live.session.helped}


def _before_the_first_click(live: LiveGame) -> Json:
    start = live.session.setup
    rule = "any" if start.layout is not None else start.rules.rule
    if rule == "any" and start.generator.startswith(NO_GUESS):
        rule = "safe"  # a board without a guess does not begin with one
    return {"text": FIRST_CLICK[rule], "certain": rule != "any", "state": _help_state(live)}
