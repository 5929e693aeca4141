"""Many at once: connections that say nothing must not keep out those that do.

Who opens a connection must send a whole head soon, and where too many have not, the oldest of them
make room. So thousands of half-sent heads cost some memory, and nobody a move.
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

from sapper.web.server.security import refusal

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

FILES = 65_536
# From the first byte of a head to its last; and from the connection to the first byte.
HEADER_TIMEOUT = 5.0
# So many connections may wait for their first head, and half as many as the system lets be open.
# Fewer would be hung up on sooner, and come again sooner: taking one costs more than keeping it.
MAX_WAITING = 4_096
# The event loop takes so many new connections before it goes on with what is asked: about 100 us
# each, so a flood of them holds a move up for some milliseconds. The system keeps the others.
ACCEPT_BATCH = 64
BACKLOG = 2_048
# Beyond this many requests at once the server answers 503 instead of queueing without end.
MAX_REQUESTS = 1_000


class HeaderTimeoutProtocol(H11Protocol):
    """A connection that must say soon what it wants."""

    waiting: ClassVar[OrderedDict[HeaderTimeoutProtocol, None]] = OrderedDict()
    """Those of all servers of this process that have not asked anything yet, oldest first."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection: it waits for its first head."""
        super().connection_made(transport)
        self._expect_head()
        self.waiting[self] = None
        if len(self.waiting) > min(MAX_WAITING, open_file_limit() // 2):
            next(iter(self.waiting))._hang_up()

    def data_received(self, data: bytes) -> None:
        """Bytes: the clock runs while they are a part of a head, and stops when it is whole."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._expect_head()
        else:
            self._have_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._have_head()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        # A byte now and then does not turn the clock back.
        if self._late is None:
            self._late = self.loop.call_later(HEADER_TIMEOUT, self._hang_up)

    def _have_head(self) -> None:
        self.waiting.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _hang_up(self) -> None:
        self._have_head()
        self.transport.abort()


class Server(uvicorn.Server):
    """A server whose event loop takes a few new connections at a time."""

    def __init__(self, app: ASGIApp, listener: socket.socket):
        super().__init__(
            uvicorn.Config(
                app,
                http=HeaderTimeoutProtocol,
                ws="none",
                # Whoever sends rubbish shall not fill the log.
                log_level="error",
                access_log=False,
                backlog=ACCEPT_BATCH,
                timeout_graceful_shutdown=3,
                server_header=False,
            )
        )
        self.listener = listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; then let the system keep more connections in line than are taken at once."""
        await super().startup(sockets)
        self.listener.listen(BACKLOG)


class ConcurrencyLimit:
    """Middleware: beyond so many requests at once, the next ones are told to come again."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or ask to come again."""
        app: Any = self.app
        if scope["type"] == "http" and self.inside >= MAX_REQUESTS:
            app = refusal("the server has too much to do; try again", 503)
        self.inside += 1
        try:
            await app(scope, receive, send)
        finally:
            self.inside -= 1


def raise_open_file_limit() -> None:
    """Let the process hold as many connections as the system allows: each is a file to it."""
    if resource is not None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def open_file_limit() -> int:
    """How many files the process may have open."""
    if resource is None:
        return FILES
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES if soft == resource.RLIM_INFINITY else soft
