"""Limits of connections: a timeout for request headers, their number, and open files."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

# Seconds from the connection to the first byte, and from the first byte of the headers to the last.
# uvicorn has a timeout only between a response and the next request.
HEADER_TIMEOUT = 5.0
# A browser opens up to six connections, so that these are more than 300 browsers.
MAX_CONNECTIONS = 2_000
# Each connection is an open file, and many systems allow 1,024 unless a program asks for more.
OPEN_FILES = 2 * MAX_CONNECTIONS


class HeaderTimeoutProtocol(H11Protocol):
    """An HTTP connection that is closed unless complete headers arrive in time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer."""
        super().connection_made(transport)
        self._start_timer()

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
            self._timer = self.loop.call_later(HEADER_TIMEOUT, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def raise_open_file_limit() -> None:
    """Allow OPEN_FILES open files, or as many as the system permits."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
