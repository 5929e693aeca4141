"""The end of a game: how it stands among others of its kind, and what lost it."""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.engine.budget import Cancel
from sapper.errors import IllegalMove, SapperError
from sapper.games.review import FatalMove, fatal_move
from sapper.games.session import Session
from sapper.serialize.cells import Json
from sapper.web.server.requests import games_of, live_game
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import BUDGET, work
from sapper.web.statistics import summaries


async def end(request: Request) -> Response:
    """What the end card tells beyond the figures of the state, once the game is over."""
    live = await live_game(request)
    async with live.lock:  # a move that is not on disk yet has not ended the game
        session, outcome = live.session, live.session.game.outcome
    if outcome == "playing":
        raise IllegalMove("cannot tell the end of a game: it is not over")
    results = await to_thread.run_sync(games_of(request).store.results, live.row.owner)
    record = await to_thread.run_sync(summaries.record, results, live.row.id)
    lost_by = None
    if outcome == "lost":
        lost_by = await work(request, lambda cancel: _fatal_json(session, cancel))
    return JsonResponse(
        {"record": None if record is None else asdict(record), "fatal_move": lost_by}
    )


ROUTES = [Route("/api/games/{game}/end", end)]


def _fatal_json(session: Session, cancel: Cancel) -> Json | None:
    """The reveal that lost the game with its risk; None where that is beyond the budget."""
    try:
        found = fatal_move(session, budget=BUDGET, cancel=cancel)
    except SapperError:
        return None
    return None if found is None else _told(found)


def _told(found: FatalMove) -> Json:
    judged = found.reviewed
    return {
        "action": judged.move.action,
        "cell": judged.move.cell,
        "class": judged.kind,
        "risk": judged.risk,
        "least_risk": judged.least_risk,
        "safest": list(found.best),
    }
