"""The score book: what it adds up to, and the book as a file."""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.web.profile import profile_export
from sapper.web.server import limits
from sapper.web.server.requests import body_chunks, file_response, games_of, owner_of
from sapper.web.server.security import JsonResponse
from sapper.web.statistics import summaries
from sapper.web.statistics.history import histories


async def summary(request: Request) -> Response:
    """The summaries by kind of game."""
    results = await to_thread.run_sync(games_of(request).store.results, owner_of(request))
    rows = await to_thread.run_sync(summaries.summarise, results)
    return JsonResponse({"results": len(results), "summaries": [asdict(row) for row in rows]})


async def history(request: Request) -> Response:
    """The last and the best games of each kind, and its months; *known* are those to be opened."""
    store, owner = games_of(request).store, owner_of(request)
    results = await to_thread.run_sync(store.results, owner)
    kinds = await to_thread.run_sync(histories, results)
    shown = {played.id for kind in kinds for played in (*kind.last, *kind.best)}
    known = await to_thread.run_sync(store.known, owner, shown)
    return JsonResponse(
        {"categories": [asdict(kind) for kind in kinds], "available": sorted(known)}
    )


async def export(request: Request) -> Response:
    """The score book as a file."""
    book = profile_export.export_results(games_of(request).store, owner_of(request))
    return file_response("sapper-statistics.json", book)


async def import_profile(request: Request) -> Response:
    """Add the results of an exported score book that are not here yet."""
    chunks = body_chunks(request, limits.FILE_BODY)
    taken = await profile_export.import_profile(
        games_of(request).store, owner_of(request), chunks, ["results"]
    )
    return JsonResponse(asdict(taken.counts["results"]))


async def forget(request: Request) -> Response:
    """Empty the score book."""
    forgotten = await games_of(request).store.delete_results(owner_of(request))
    return JsonResponse({"deleted": forgotten})


ROUTES = [
    Route("/api/statistics", summary),
    Route("/api/statistics", import_profile, methods=["POST"]),
    Route("/api/statistics", forget, methods=["DELETE"]),
    Route("/api/statistics/history", history),
    Route("/api/statistics/export", export),
]
