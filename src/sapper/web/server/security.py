"""Middleware that checks where requests come from, and adds security headers.

Another site can make the user's browser send requests to this server, and can point its own host
name at this machine (DNS rebinding). So the Host header must name this server, an Origin header
must have the same host, and a request from another site can load the page and nothing else.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapper.web.server.http import error_response, forbidden

# The path of an invitation link, followed by its token; and where it redirects to.
ENTER = "/enter/"
ENTERED = "/entered"

LOOPBACK = ("localhost", "127.0.0.1", "::1")

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class SecurityMiddleware:
    """Check Host, Origin and Sec-Fetch-Site, and add the security headers.

    *hosts* are the names of the server; "*" allows any IP address, but no other name. With *quiet*
    a rejection gives no reason, because the client may be anyone on the network.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK, quiet: bool = False):
        self.app = app
        self.hosts = frozenset(hosts)
        self.quiet = quiet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle or reject one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        problem = self._problem(Headers(scope=scope), scope)
        app = self.app
        if problem is not None:
            app = forbidden() if self.quiet else error_response(problem, 403)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, send_with_headers)

    def _problem(self, headers: Headers, scope: Scope) -> str | None:
        host = headers.get("host", "")
        if not self._is_own_host(host):
            return f"expected a request to this server, got one to {host!r:.60}"
        origin = headers.get("origin")
        own_origins = (f"http://{host}".lower(), f"https://{host}".lower())
        if origin is not None and origin.lower() not in own_origins:
            return f"expected a request from this page, got one from {origin!r:.60}"
        from_other_site = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        # A link on another site may open the page.
        opens_page = scope["path"] in ("/", ENTERED) or scope["path"].startswith(ENTER)
        if from_other_site and not (scope["method"] == "GET" and opens_page):
            return "expected a request from this page, got one from another site"
        return None

    def _is_own_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if name is None:
            return False
        return name in self.hosts or ("*" in self.hosts and _address(name) is not None)


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only."""
    address = _address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an IP address; return None for a host name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
