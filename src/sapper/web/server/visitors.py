"""Visitors: who a request comes from.

On one's own machine there is one owner, whatever window or browser asks.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from sapper.web.games.schema import HOME


class Alone:
    """Middleware: every request is that of the one owner of this machine."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["owner"] = HOME
        await self.app(scope, receive, send)
