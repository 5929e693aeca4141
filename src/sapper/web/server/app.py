"""The application: the table of routes, and errors as one line of JSON."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from sapper.answers.page_words import error_on_page
from sapper.errors import (
    Conflict,
    IllegalMove,
    NoSuchGame,
    NotationError,
    RulesError,
    SapperError,
    Unavailable,
)
from sapper.web.games.holds import Holds
from sapper.web.games.live import Games
from sapper.web.games.passes import Passes
from sapper.web.games.store import Store
from sapper.web.games.training import Puzzles
from sapper.web.server.analyses import Analyses
from sapper.web.server.book import Book
from sapper.web.server.crowds import Crowd
from sapper.web.server.guard import LOOPBACK, SECURITY_HEADERS, Guard, refusal
from sapper.web.server.links import Links, Sharing
from sapper.web.server.visitors import Alone, Visitors
from sapper.web.server.work import Lanes
from sapper.web.views import (
    analyse,
    common,
    endings,
    files,
    learn,
    nudges,
    play,
    profile,
    reviews,
    statistics,
    train,
    watch,
    worksheets,
)

STATIC = Path(__file__).parents[1] / "static"

# Which status an error on purpose gets; the first row that fits.
STATUS: tuple[tuple[type[SapperError], int], ...] = (
    (NoSuchGame, 404),
    (Conflict, 409),
    (NotationError, 400),
    (RulesError, 400),
    (IllegalMove, 422),
    (Unavailable, 503),
    (SapperError, 422),
)

log = logging.getLogger("sapper.web")


def create_app(
    folder: Path, hosts: Iterable[str] = LOOPBACK, sharing: Sharing | None = None
) -> Starlette:
    """The application, with its games in *folder*; it opens the store when it starts.

    With *sharing* it lets others in, each with a profile of their own; else there is one owner.
    """
    links = None if sharing is None else Links(sharing)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store(folder)
        app.state.games = Games(store)
        app.state.holds = Holds()
        app.state.passes = Passes(store.disk)
        app.state.links = links
        app.state.analyses = Analyses()
        app.state.watching = watch.Watching()
        app.state.worksheets = worksheets.Worksheets()
        app.state.lanes = Lanes()
        app.state.puzzles = Puzzles()
        try:
            yield
        finally:
            store.close()

    return Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, hosts=tuple(hosts), quiet=links is not None),
            Middleware(Alone) if links is None else Middleware(Visitors, links=links),
            Middleware(Crowd),
        ],
        exception_handlers={
            SapperError: _on_refusal,
            HTTPException: _on_http,
            ClientDisconnect: _on_disconnect,
            Exception: _on_bug,
        },
    )


class Assets(StaticFiles):
    """The page's files; the browser asks each time whether they have changed."""

    # Not what this machine believes of a suffix: a module of another type is not run (nosniff).
    TYPES = MappingProxyType(
        {
            ".js": "text/javascript; charset=utf-8",
            ".css": "text/css; charset=utf-8",
            ".svg": "image/svg+xml",
        }
    )

    def file_response(self, full_path: Any, *arguments: Any, **options: Any) -> Response:
        """A file, or 304 where the browser has it."""
        response = super().file_response(full_path, *arguments, **options)
        response.headers["cache-control"] = "no-cache"
        kind = self.TYPES.get(Path(full_path).suffix)
        if kind is not None and response.status_code == 200:
            response.headers["content-type"] = kind
        return response


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


# One module a view; each has its routes.
VIEWS = (
    common,
    profile,
    play,
    endings,
    reviews,
    files,
    nudges,
    statistics,
    watch,
    learn,
    train,
    analyse,
    worksheets,
)
ROUTES = [
    Route("/", page),
    *(route for view in VIEWS for route in view.ROUTES),
    Mount("/static", Assets(directory=STATIC)),
    Mount("/book", Book()),
]


async def _on_refusal(request: Request, error: Exception) -> Response:
    return refusal(
        error_on_page(error), next(status for kind, status in STATUS if isinstance(error, kind))
    )


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "expected a known address", 405: "expected another method"}
    message = words.get(error.status_code)
    shown = f"{request.method} {request.url.path!r:.60}"
    return refusal(f"{message}, got {shown}" if message else error.detail, error.status_code)


async def _on_disconnect(request: Request, error: Exception) -> Response:
    return refusal("expected the whole request, got a part", 400)


async def _on_bug(request: Request, error: Exception) -> Response:
    log.error("cannot answer %s %s", request.method, request.url.path, exc_info=error)
    answer = refusal("the server made a mistake; its log says more", 500)
    answer.headers.update(SECURITY_HEADERS)  # this answer does not pass the guard
    return answer
