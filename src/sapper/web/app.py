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

from sapper.errors import (
    Conflict,
    GameNotFound,
    IllegalMove,
    NotationError,
    RulesError,
    SapperError,
    Unavailable,
)
from sapper.serialize.page_words import error_on_page
from sapper.web import analyse, files, menu, watch
from sapper.web.learn import routes as learn
from sapper.web.play import hints
from sapper.web.play import routes as play
from sapper.web.play.live_games import Games
from sapper.web.play.open_windows import OpenWindows
from sapper.web.profile import routes as profile
from sapper.web.puzzles import routes as puzzles
from sapper.web.puzzles.ratings import Puzzles
from sapper.web.review import game_end
from sapper.web.review import routes as review
from sapper.web.server.analyses import AnalysisCache
from sapper.web.server.auth import AuthMiddleware, SingleUserMiddleware
from sapper.web.server.connection_limits import ConcurrencyLimit
from sapper.web.server.docs_files import DocsFiles
from sapper.web.server.invitations import Invitations, SharingOptions
from sapper.web.server.security import LOOPBACK, SECURITY_HEADERS, SecurityMiddleware, refusal
from sapper.web.server.workers import WorkQueues
from sapper.web.statistics import routes as statistics
from sapper.web.storage.auth_tokens import AuthTokens
from sapper.web.storage.store import Store
from sapper.web.worksheets import routes as worksheets

STATIC = Path(__file__).parent / "static"

# Which status an error on purpose gets; the first row that fits.
STATUS: tuple[tuple[type[SapperError], int], ...] = (
    (GameNotFound, 404),
    (Conflict, 409),
    (NotationError, 400),
    (RulesError, 400),
    (IllegalMove, 422),
    (Unavailable, 503),
    (SapperError, 422),
)

log = logging.getLogger("sapper.web")


def create_app(
    folder: Path, hosts: Iterable[str] = LOOPBACK, sharing: SharingOptions | None = None
) -> Starlette:
    """The application, with its games in *folder*; it opens the store when it starts.

    With *sharing* it lets others in, each with a profile of their own; else there is one owner.
    """
    links = None if sharing is None else Invitations(sharing)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store(folder)
        app.state.games = Games(store)
        app.state.holds = OpenWindows()
        app.state.passes = AuthTokens(store.disk)
        app.state.links = links
        app.state.analyses = AnalysisCache()
        app.state.watching = watch.WatchSessions()
        app.state.worksheets = worksheets.WorksheetCache()
        app.state.lanes = WorkQueues()
        app.state.puzzles = Puzzles()
        try:
            yield
        finally:
            store.close()

    return Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityMiddleware, hosts=tuple(hosts), quiet=links is not None),
            Middleware(SingleUserMiddleware)
            if links is None
            else Middleware(AuthMiddleware, links=links),
            Middleware(ConcurrencyLimit),
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
    menu,
    profile,
    play,
    game_end,
    review,
    files,
    hints,
    statistics,
    watch,
    learn,
    puzzles,
    analyse,
    worksheets,
)
ROUTES = [
    Route("/", page),
    *(route for view in VIEWS for route in view.ROUTES),
    Mount("/static", Assets(directory=STATIC)),
    Mount("/book", DocsFiles()),
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
