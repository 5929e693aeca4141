"""Header timeouts and a concurrency limit, so that idle connections cannot block active ones.

A client must send complete request headers soon after it connects. When too many clients have not,
the oldest of those connections are closed. Thousands of half-sent requests then cost some memory,
but delay no move.
"""

from __future__ import annotations

import asyncio
import socket
from collections import OrderedDict
from typing import Any, ClassVar

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from sapper.web.server.http import error_response

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

MAX_OPEN_FILES = 65_536
# Seconds from the connection to the first byte, and from the first byte of the headers to the last.
HEADER_TIMEOUT = 5.0
# Connections that may wait for their first headers (at most half of the open files). With fewer,
# clients would be disconnected and reconnect sooner, which costs more than keeping them.
MAX_WAITING = 4_096
# The event loop accepts this many connections at a time, each in about 100 us, so a flood of
# connections delays a move by some milliseconds. The others wait in the backlog of the socket.
ACCEPT_BATCH = 64
BACKLOG = 2_048
# Beyond this number of concurrent requests the server answers 503 instead of queueing them.
MAX_REQUESTS = 1_000


class HeaderTimeoutProtocol(H11Protocol):
    """An HTTP connection that is closed unless complete headers arrive in time."""

    waiting: ClassVar[OrderedDict[HeaderTimeoutProtocol, None]] = OrderedDict()
    """Connections of this process without a complete request so far, oldest first."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer; close the oldest waiting connection when there are too many."""
        super().connection_made(transport)
        self._start_timer()
        self.waiting[self] = None
        if len(self.waiting) > min(MAX_WAITING, open_file_limit() // 2):
            next(iter(self.waiting))._close()

    def data_received(self, data: bytes) -> None:
        """Keep the timer running while headers are incomplete, else stop it."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._start_timer()
        else:
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        # Receiving a byte does not restart it.
        if self._timer is None:
            self._timer = self.loop.call_later(HEADER_TIMEOUT, self._close)

    def _stop_timer(self) -> None:
        self.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._stop_timer()
        self.transport.abort()


class Server(uvicorn.Server):
    """A uvicorn server that accepts a few connections at a time."""

    def __init__(self, app: ASGIApp, listener: socket.socket):
        super().__init__(
            uvicorn.Config(
                app,
                http=HeaderTimeoutProtocol,
                ws="none",
                # Malformed requests must not fill the log.
                log_level="error",
                access_log=False,
                backlog=ACCEPT_BATCH,
                timeout_graceful_shutdown=3,
                server_header=False,
            )
        )
        self.listener = listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; then set a backlog that is longer than the accept batch."""
        await super().startup(sockets)
        self.listener.listen(BACKLOG)


class ConcurrencyLimit:
    """Middleware that answers 503 to requests beyond MAX_REQUESTS concurrent ones."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle or reject one request."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        app: Any = self.app
        if self.running >= MAX_REQUESTS:
            app = error_response("the server is too busy; try again", 503)
        self.running += 1
        try:
            await app(scope, receive, send)
        finally:
            self.running -= 1


def raise_open_file_limit() -> None:
    """Allow as many connections as the system permits; each one is an open file."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        soft = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def open_file_limit() -> int:
    """Return how many files the process may have open."""
    if resource is None:
        return MAX_OPEN_FILES
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_OPEN_FILES if soft == resource.RLIM_INFINITY else soft
