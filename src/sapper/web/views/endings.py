"""The end of a game: how it stands among others of its kind, and what lost it."""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.spelling import Json
from sapper.errors import IllegalMove, SapperError
from sapper.infer.budget import Cancel
from sapper.play.review import Fatal, fatal
from sapper.play.session import Session
from sapper.web.games import statistics
from sapper.web.server.guard import JsonResponse
from sapper.web.server.work import BUDGET, work
from sapper.web.wire.requests import games_of, live_of


async def end(request: Request) -> Response:
    """What the end card tells beyond the figures of the state, once the game is over."""
    live = await live_of(request)
    async with live.lock:  # a move that is not on disk yet has not ended the game
        session, outcome = live.session, live.session.game.outcome
    if outcome == "playing":
        raise IllegalMove("cannot tell the end of a game: it is not over")
    results = await to_thread.run_sync(games_of(request).store.results, live.row.owner)
    record = await to_thread.run_sync(statistics.record, results, live.row.id)
    lost_by = None
    if outcome == "lost":
        lost_by = await work(request, lambda cancel: _fatal_json(session, cancel))
    return JsonResponse({"record": None if record is None else asdict(record), "fatal": lost_by})


ROUTES = [Route("/api/games/{game}/end", end)]


def _fatal_json(session: Session, cancel: Cancel) -> Json | None:
    """The reveal that lost the game with its risk; None where that is beyond the budget."""
    try:
        found = fatal(session, budget=BUDGET, cancel=cancel)
    except SapperError:
        return None
    return None if found is None else _told(found)


def _told(found: Fatal) -> Json:
    judged = found.judged
    return {
        "action": judged.move.action,
        "cell": judged.move.cell,
        "kind": judged.kind,
        "risk": judged.risk,
        "least": judged.least_risk,
        "best": list(found.best),
    }
