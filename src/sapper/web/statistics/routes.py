"""Statistics: summaries and history of the results."""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.web.play.live_games import store_of
from sapper.web.server.requests import owner_of
from sapper.web.server.responses import JsonResponse
from sapper.web.statistics.history import histories
from sapper.web.statistics.summaries import summarise


async def summaries(request: Request) -> Response:
    """Return a summary of each category of games."""
    results = await to_thread.run_sync(store_of(request).results, owner_of(request))
    rows = await to_thread.run_sync(summarise, results)
    return JsonResponse({"results": len(results), "summaries": [asdict(row) for row in rows]})


async def history(request: Request) -> Response:
    """Return the last games, the best games and the months of each category."""
    store, owner = store_of(request), owner_of(request)
    results = await to_thread.run_sync(store.results, owner)
    categories = await to_thread.run_sync(histories, results)
    shown = {game.id for category in categories for game in (*category.last, *category.best)}
    available = await to_thread.run_sync(store.existing_games, owner, shown)
    return JsonResponse(
        {
            "categories": [asdict(category) for category in categories],
            "available": sorted(available),
        }
    )


async def delete_all(request: Request) -> Response:
    """Delete all results."""
    return JsonResponse({"deleted": await store_of(request).delete_results(owner_of(request))})


ROUTES = [
    Route("/api/statistics", summaries),
    Route("/api/statistics", delete_all, methods=["DELETE"]),
    Route("/api/statistics/history", history),
]
