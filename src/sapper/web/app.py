"""The Starlette application: routes, middleware and exception handlers."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sapper.errors import (
    Conflict,
    IllegalMove,
    NotationError,
    NotFound,
    RulesError,
    SapperError,
    Unavailable,
)
from sapper.web import boards, page
from sapper.web.features import (
    analyse,
    files,
    hints,
    menu,
    play,
    profile,
    puzzles,
    review,
    statistics,
    watch,
    worksheets,
)
from sapper.web.learn import routes as learn
from sapper.web.live_games import Games
from sapper.web.server.auth import AuthMiddleware, AuthTokens, SingleUserMiddleware
from sapper.web.server.http import error_response
from sapper.web.server.invitations import Invitations, SharingOptions
from sapper.web.server.security import LOOPBACK, SECURITY_HEADERS, SecurityMiddleware
from sapper.web.server.workers import WorkLimits
from sapper.web.storage.store import Store

# The HTTP status of an error: that of the first type that matches.
ERROR_STATUS: tuple[tuple[type[SapperError], int], ...] = (
    (NotFound, 404),
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
    """Create the application, with its database in *folder*, opened at startup.

    With *sharing*, guests are accepted and each has a profile; without it, there is one owner.
    """
    invitations = None if sharing is None else Invitations(sharing)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store(folder)
        app.state.games = Games(store)
        app.state.open_windows = play.OpenWindows()
        app.state.auth_tokens = AuthTokens(store.database)
        app.state.invitations = invitations
        app.state.watch_sessions = watch.WatchSessions(watch.MAX_SESSIONS)
        app.state.work_limits = WorkLimits()
        try:
            yield
        finally:
            store.close()

    return Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityMiddleware, hosts=tuple(hosts), quiet=invitations is not None),
            Middleware(SingleUserMiddleware)
            if invitations is None
            else Middleware(AuthMiddleware, invitations=invitations),
        ],
        exception_handlers={
            SapperError: _on_sapper_error,
            HTTPException: _on_http_error,
            ClientDisconnect: _on_disconnect,
            Exception: _on_unexpected_error,
        },
    )


FEATURES = (
    page,
    menu,
    boards,
    profile,
    play,
    hints,
    review,
    files,
    statistics,
    watch,
    learn,
    puzzles,
    analyse,
    worksheets,
)
ROUTES = [route for feature in FEATURES for route in feature.ROUTES]


async def _on_sapper_error(request: Request, error: Exception) -> Response:
    status = next(status for kind, status in ERROR_STATUS if isinstance(error, kind))
    return error_response(str(error), status, getattr(error, "field", None))


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    method_and_path = f"{request.method} {request.url.path!r:.60}"
    messages = {
        404: f"no such address: {method_and_path}",
        405: f"this method is not allowed: {method_and_path}",
    }
    return error_response(messages.get(error.status_code, error.detail), error.status_code)


async def _on_disconnect(request: Request, error: Exception) -> Response:
    return error_response("the client disconnected", 400)


async def _on_unexpected_error(request: Request, error: Exception) -> Response:
    log.error("unexpected error in %s %s", request.method, request.url.path, exc_info=error)
    response = error_response("internal server error; see the server's log", 500)
    # Starlette sends this response without passing it through the middleware.
    response.headers.update(SECURITY_HEADERS)
    return response
