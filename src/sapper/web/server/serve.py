"""Running the server: find a port, say where the page is, serve until told to stop."""

from __future__ import annotations

import gc
import ipaddress
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from sapper.errors import Unavailable
from sapper.web.games.store import Store
from sapper.web.server.app import create_app
from sapper.web.server.guard import LOOPBACK

LOCAL = "127.0.0.1"
PORT = 8765
# Beyond this many requests at once the server answers 503 instead of queueing without end.
MOST_AT_ONCE = 1_000
# The thread that writes needs the interpreter back after each statement, and waits this long for
# it while the event loop is busy. A tenth of Python's usual 5 ms took about a third off the
# slowest answers under load (docs/design/090-the-page.md).
SWITCH_SECONDS = 0.0005


def serve(
    folder: Path,
    *,
    host: str = LOCAL,
    port: int | None = None,
    say: Callable[[str], None],
    open_browser: bool = False,
) -> None:
    """Serve the page until interrupted; *say* is told its address once it can be opened.

    Without a port the usual one is taken, or any free one where that is in use.
    """
    Store(folder).close()  # a folder that cannot be written is an error now, not at the first move
    listener = _listen(host, port)
    address = _address(listener)
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(folder, hosts=_names(host)),
            log_level="warning",
            access_log=False,
            limit_concurrency=MOST_AT_ONCE,
            timeout_graceful_shutdown=3,
            server_header=False,
        )
    )
    # What was imported stays as long as the server: the collector need not look at it again and
    # again, which stopped all players for 160 ms at a time on a busy machine.
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)
    say(address)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _listen(host: str, port: int | None) -> socket.socket:
    wishes = (PORT, 0) if port is None else (port,)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wish in wishes:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wish))
            # A second server may bind beside a first one that does not listen yet; listen now.
            listener.listen(2048)
        except (OSError, OverflowError, ValueError) as error:  # ValueError: no name at all
            listener.close()
            problem = error
            continue
        return listener
    raise Unavailable(f"cannot listen on {host!r:.60} port {wishes[0]}: {problem}")


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    # "Everywhere" is no address that a browser could open; this machine is part of it.
    host = {"0.0.0.0": LOCAL, "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _names(host: str) -> tuple[str, ...]:
    """The names that a request may call this server by."""
    if is_loopback(host):
        return (*LOOPBACK, host.lower())
    wide = ("*",) if host in ("0.0.0.0", "::") else ()
    return (*LOOPBACK, host.lower(), socket.gethostname().lower(), *wide)
