"""Authentication: which owner a request comes from.

A server for this machine has one owner. On a shared server every guest has a profile, and a cookie
identifies the guest; a request without a valid cookie gets an empty 403. An invitation link sets
the cookie and redirects to a URL without the token.

The database stores only digests of tokens, so that access to its file is not enough to sign in.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import time

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.web.server.http import forbidden
from sapper.web.server.invitations import Invitations, equal_secrets
from sapper.web.server.security import ENTER, ENTERED, is_loopback
from sapper.web.storage.database import Database
from sapper.web.storage.schema import LOCAL_OWNER

# The longest lifetime that browsers allow; loading the page renews the cookie.
COOKIE_SECONDS = 400 * 86_400

# A browser that follows a link on another site does not send the cookie, which is SameSite=Strict.
# It does when this page reloads.
RELOAD_PAGE = '<!doctype html><meta http-equiv="refresh" content="0;url=/">'


class AuthTokens:
    """The owner of each token, cached in memory because every request looks one up."""

    def __init__(self, database: Database):
        self._database = database
        rows = database.query("select digest, owner from auth_token")
        self._owners = {digest: (digest, owner) for digest, owner in rows}

    def owner(self, token: str) -> str | None:
        """Return the owner of a token, or None for an unknown token."""
        digest = _digest(token)
        # A lookup by digest leaks nothing: an attacker cannot choose a digest bit by bit.
        known, owner = self._owners.get(digest, ("", ""))
        return owner if equal_secrets(known, digest) else None

    async def issue(self, owner: str) -> str:
        """Return a new token for an owner."""
        token = secrets.token_urlsafe(32)
        digest = _digest(token)

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "insert into auth_token values (?, ?, ?)", (digest, owner, time.time())
            )

        await self._database.write(job)
        self._owners[digest] = digest, owner
        return token

    async def revoke(self, token: str) -> None:
        """Make a token invalid."""
        digest = _digest(token)
        await self._database.write(
            lambda connection: connection.execute(
                "delete from auth_token where digest = ?", (digest,)
            )
        )
        self._owners.pop(digest, None)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class SingleUserMiddleware:
    """Attribute every request to the owner of this machine."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["owner"] = LOCAL_OWNER
        await self.app(scope, receive, send)


class AuthMiddleware:
    """Accept clients with a valid cookie or invitation link, and reject the others."""

    def __init__(self, app: ASGIApp, invitations: Invitations):
        self.app = app
        self.invitations = invitations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle or reject one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await (await self._route(scope))(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _route(self, scope: Scope) -> ASGIApp:
        connection = HTTPConnection(scope)
        token = connection.cookies.get(cookie_name(scope), "")
        owner = auth_tokens_of(scope).owner(token)
        path: str = scope["path"]
        is_get = scope["method"] == "GET"
        if path == ENTERED and is_get:
            return forbidden(RELOAD_PAGE) if owner is None else RedirectResponse("/", 303)
        if path.startswith(ENTER) and is_get:
            return await self._accept_link(connection, path.removeprefix(ENTER), owner)
        if owner is None:
            return forbidden()
        scope.setdefault("state", {})["owner"] = owner
        return _with_renewed_cookie(self.app, scope, token) if path == "/" else self.app

    async def _accept_link(
        self, connection: HTTPConnection, token: str, owner: str | None
    ) -> Response:
        grant = self.invitations.find(token, is_local=is_local(connection))
        # A prefetch must not consume a single-use link.
        is_prefetch = "prefetch" in connection.headers.get("sec-purpose", "")
        if is_prefetch or (grant is None and owner is None):
            return forbidden()
        if owner is None:
            assert grant is not None
            self.invitations.consume(token)
            issued = await auth_tokens_of(connection.scope).issue(grant.owner or new_owner())
            return set_auth_cookie(RedirectResponse(ENTERED, 303), connection.scope, issued)
        if grant is None or grant.owner in (None, owner):
            return RedirectResponse("/", 303)
        # The link would replace the profile of this browser: the page asks first.
        return RedirectResponse(f"/#/profile?take={token}", 303)


def new_owner() -> str:
    """Return the random id of a new owner."""
    return secrets.token_hex(8)


def set_auth_cookie(response: Response, scope: Scope, token: str) -> Response:
    """Store a token in the browser; an empty token deletes the cookie."""
    response.headers["cache-control"] = "no-store"
    response.set_cookie(
        cookie_name(scope),
        token,
        max_age=COOKIE_SECONDS if token else 0,
        secure=scope["scheme"] == "https",
        httponly=True,
        samesite="strict",
    )
    return response


def cookie_name(scope: Scope) -> str:
    """Return the cookie's name, which has the port: browsers share cookies between ports."""
    server = scope.get("server") or ("", 0)
    return f"sapper-{server[1]}"


def auth_tokens_of(scope: Scope) -> AuthTokens:
    """Return the tokens of the server."""
    tokens: AuthTokens = scope["app"].state.auth_tokens
    return tokens


def is_local(connection: HTTPConnection) -> bool:
    """Return whether a request comes from this machine."""
    client, server = connection.client, connection.scope.get("server")
    if client is None or server is None:
        return False
    return client.host == server[0] or is_loopback(client.host)


def _with_renewed_cookie(app: ASGIApp, scope: Scope, token: str) -> ASGIApp:
    """Wrap the app so that its response renews the cookie."""
    renewed = set_auth_cookie(Response(), scope, token).headers["set-cookie"]

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["set-cookie"] = renewed
            await send(message)

        await app(scope, receive, send_with_cookie)

    return wrapped
