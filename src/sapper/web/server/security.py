"""The guard: who may talk to the server, and what the page may do.

A page of another site can make the user's browser send requests here, and can point its own name
at this machine (DNS rebinding). So the Host must be ours, an Origin must be that same Host,
and nothing but the page itself is handed to a request that another site caused.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Where a link with a token leads, and where it leads on to.
ENTER = "/enter/"
ENTERED = "/entered"

LOOPBACK = ("localhost", "127.0.0.1", "::1")

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class JsonResponse(Response):
    """A JSON answer without spaces, never stored by the browser."""

    media_type = "application/json"

    def __init__(self, content: object, status_code: int = 200):
        body = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        super().__init__(body, status_code, {"cache-control": "no-store"})


def refusal(message: str, status: int) -> JsonResponse:
    """A 4xx or 5xx: one line that says what was expected."""
    return JsonResponse({"error": " ".join(message.split())}, status)


def nothing(body: str = "") -> Response:
    """A 403 for somebody who was not let in: no word about what is here."""
    # Nor is the connection kept for one who may not ask anything.
    return HTMLResponse(body, 403, {"cache-control": "no-store", "connection": "close"})


class SecurityMiddleware:
    """Middleware: checks Host, Origin and Sec-Fetch-Site, and adds the security headers.

    *hosts* are the names the server answers to; "*" stands for any address, but no other name.
    A *quiet* one does not say why it refuses: who asks may be anybody on the network.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK, quiet: bool = False):
        self.app = app
        self.hosts = frozenset(hosts)
        self.quiet = quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        problem = self._problem(Headers(scope=scope), scope)
        app = self.app
        if problem is not None:
            app = nothing() if self.quiet else refusal(problem, 403)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, send_with_headers)

    def _problem(self, headers: Headers, scope: Scope) -> str | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return f"expected a request to this server, got one to {host!r:.60}"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in _origins(host):
            return f"expected a request from this page, got one from {origin!r:.60}"
        other_site = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        # Following a shared link from elsewhere is fine: it opens the page and nothing more.
        opens = scope["path"] in ("/", ENTERED) or scope["path"].startswith(ENTER)
        if other_site and not (scope["method"] == "GET" and opens):
            return "expected a request from this page, got one from another site"
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if name is None:
            return False
        return name in self.hosts or ("*" in self.hosts and _is_address(name))


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _origins(host: str) -> tuple[str, str]:
    return f"http://{host}".lower(), f"https://{host}".lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
