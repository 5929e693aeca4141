"""Visitors: who a request comes from.

On one's own machine there is one owner, whatever window or browser asks. On a server that lets
others in, everybody has a profile of their own, known by a cookie; without one every request is
answered with 403 and nothing else. A link with a token gives the cookie, and is left at once.
"""

from __future__ import annotations

import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.web.server.invitations import Invitations
from sapper.web.server.security import ENTER, ENTERED, is_loopback, nothing
from sapper.web.storage.auth_tokens import AuthTokens
from sapper.web.storage.schema import HOME

# Browsers keep no cookie for longer; the page renews it with every visit.
COOKIE_SECONDS = 400 * 86_400

# A person who followed the link on a page of another site comes without the cookie, since that is
# SameSite=Strict. What this page itself asks for has it.
AGAIN = '<!doctype html><meta http-equiv="refresh" content="0;url=/">'


class SingleUserMiddleware:
    """Middleware: every request is that of the one owner of this machine."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["owner"] = HOME
        await self.app(scope, receive, send)


class AuthMiddleware:
    """Middleware: lets in who has a pass or a link, and tells the others nothing."""

    def __init__(self, app: ASGIApp, links: Invitations):
        self.app = app
        self.links = links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await (await self._answer(scope))(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope) -> ASGIApp:
        connection = HTTPConnection(scope)
        secret = connection.cookies.get(cookie_name(scope), "")
        owner = auth_tokens_of(scope).owner(secret)
        path: str = scope["path"]
        reads = scope["method"] == "GET"
        if path == ENTERED and reads:
            return nothing(AGAIN) if owner is None else RedirectResponse("/", 303)
        if path.startswith(ENTER) and reads:
            return await self._enter(connection, path.removeprefix(ENTER), owner)
        if owner is None:
            return nothing()
        scope.setdefault("state", {})["owner"] = owner
        return _renewing(self.app, scope, secret) if path == "/" else self.app

    async def _enter(self, connection: HTTPConnection, token: str, owner: str | None) -> Response:
        entry = self.links.find(token, is_local=is_local(connection))
        # A browser that only looks ahead must not use a link up.
        ahead = "prefetch" in connection.headers.get("sec-purpose", "")
        if ahead or (entry is None and owner is None):
            return nothing()
        if owner is None:
            assert entry is not None
            self.links.consume(token)
            secret = await auth_tokens_of(connection.scope).give(entry.owner or new_owner())
            return set_auth_cookie(RedirectResponse(ENTERED, 303), connection.scope, secret)
        if entry is None or entry.owner in (None, owner):
            return RedirectResponse("/", 303)
        # Another profile would take the place of the one that is here: the page asks first.
        return RedirectResponse(f"/#/profile?take={token}", 303)


def new_owner() -> str:
    """An owner that nobody was before."""
    return secrets.token_hex(8)


def set_auth_cookie(response: Response, scope: Scope, secret: str) -> Response:
    """Let the browser keep a secret; the response is for this browser alone."""
    response.headers["cache-control"] = "no-store"
    response.set_cookie(
        cookie_name(scope),
        secret,
        max_age=COOKIE_SECONDS if secret else 0,
        secure=scope["scheme"] == "https",
        httponly=True,
        samesite="strict",
    )
    return response


def cookie_name(scope: Scope) -> str:
    """The cookie of this server: browsers keep those of all ports of a machine together."""
    server = scope.get("server") or ("", 0)
    return f"sapper-{server[1]}"


def auth_tokens_of(scope: Scope) -> AuthTokens:
    """The passes of the server."""
    passes: AuthTokens = scope["app"].state.passes
    return passes


def is_local(connection: HTTPConnection) -> bool:
    """Whether a request comes from this machine itself: by loopback, or to its own address."""
    client, server = connection.client, connection.scope.get("server")
    if client is None or server is None:
        return False
    return client.host == server[0] or is_loopback(client.host)


def _renewing(app: ASGIApp, scope: Scope, secret: str) -> ASGIApp:
    """The app, whose answer lets the browser keep its pass for longer."""
    renewed = set_auth_cookie(Response(), scope, secret).headers["set-cookie"]

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["set-cookie"] = renewed
            await send(message)

        await app(scope, receive, send_with_cookie)

    return answer
