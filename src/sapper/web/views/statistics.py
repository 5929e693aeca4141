"""The score book: what it adds up to, and the book as a file."""

from __future__ import annotations

import json
from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.web.games import statistics
from sapper.web.server import limits
from sapper.web.server.guard import JsonResponse
from sapper.web.wire.requests import body_of, games_of, owner_of


async def summaries(request: Request) -> Response:
    """The summaries by kind of game."""
    results = await to_thread.run_sync(games_of(request).store.results, owner_of(request))
    rows = await to_thread.run_sync(statistics.summarise, results)
    return JsonResponse({"results": len(results), "summaries": [asdict(row) for row in rows]})


async def export(request: Request) -> Response:
    """The score book as a file."""
    results = await to_thread.run_sync(games_of(request).store.results, owner_of(request))
    text = await to_thread.run_sync(lambda: json.dumps(statistics.export_book(results), indent=1))
    name = "sapper-statistics.json"
    return Response(
        text,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def take_in(request: Request) -> Response:
    """Add the results of an exported score book that are not here yet."""
    data = await body_of(request, limits.BOOK_BODY)
    rows = await to_thread.run_sync(statistics.import_book, data)
    added = await games_of(request).store.add_results(owner_of(request), rows)
    return JsonResponse({"added": added, "known": len(rows) - added})


async def forget(request: Request) -> Response:
    """Empty the score book."""
    forgotten = await games_of(request).store.forget_results(owner_of(request))
    return JsonResponse({"forgotten": forgotten})


ROUTES = [
    Route("/api/statistics", summaries),
    Route("/api/statistics", take_in, methods=["POST"]),
    Route("/api/statistics", forget, methods=["DELETE"]),
    Route("/api/statistics/export", export),
]
