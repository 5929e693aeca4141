"""The end of a game: how it compares with other games, and the move that lost it."""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.engine.budget import Cancel
from sapper.errors import IllegalMove, SapperError
from sapper.games.review import fatal_move
from sapper.games.session import Session
from sapper.serialize.cells import Json
from sapper.web.play.live_games import live_game, store_of
from sapper.web.server.responses import JsonResponse
from sapper.web.server.workers import BUDGET, work
from sapper.web.statistics.summaries import compare


async def end(request: Request) -> Response:
    """Return the records and the fatal move of a finished game."""
    live = await live_game(request)
    async with live.lock:  # a move that is not on disk yet has not ended the game
        session, outcome = live.session, live.session.game.outcome
    if outcome == "playing":
        raise IllegalMove("the game is not over")
    results = await to_thread.run_sync(store_of(request).results, live.row.owner)
    record = await to_thread.run_sync(compare, results, live.row.id)
    fatal = None
    if outcome == "lost":
        fatal = await work(request, lambda cancel: _fatal_json(session, cancel))
    return JsonResponse({"record": None if record is None else asdict(record), "fatal": fatal})


ROUTES = [Route("/api/games/{game}/end", end)]


def _fatal_json(session: Session, cancel: Cancel) -> Json | None:
    """Return the move that lost the game with its risk; None where that takes too long."""
    try:
        found = fatal_move(session, budget=BUDGET, cancel=cancel)
    except SapperError:
        return None
    if found is None:
        return None
    return {
        "action": found.reviewed.move.action,
        "cell": found.reviewed.move.cell,
        "class": found.reviewed.kind,
        "risk": found.reviewed.risk,
        "least_risk": found.reviewed.least_risk,
        "safest": list(found.best),
    }
