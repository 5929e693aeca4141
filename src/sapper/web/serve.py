"""Running the server: find a port, say where the page is, serve until told to stop."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sapper.errors import Unavailable
from sapper.web.app import create_app
from sapper.web.server.connection_limits import BACKLOG, Server, raise_open_file_limit
from sapper.web.server.invitations import SharingOptions
from sapper.web.server.network import check_name, lan_address, qr_lines
from sapper.web.server.security import LOOPBACK, is_loopback
from sapper.web.storage.store import Store

LOCAL = "127.0.0.1"
# What listens everywhere, and how this machine itself reaches that.
ANYWHERE = {"0.0.0.0": LOCAL, "::": "::1"}
PORT = 8765
# The thread that writes needs the interpreter back after each statement, and waits this long for
# it while the event loop is busy. A tenth of Python's usual 5 ms took about a third off the
# slowest answers under load (docs/design/090-the-page.md).
SWITCH_SECONDS = 0.0005


@dataclass(frozen=True)
class ServerAddresses:
    """Where the page is, once it can be opened."""

    address: str
    """For the person at this machine; a link that lets them in where others are let in."""
    invitations: tuple[str, ...] = ()
    """The links for others, best first; none where nobody else is let in."""

    def code(self, *, colours: bool) -> list[str]:
        """The first link for others as a QR code for a terminal."""
        return qr_lines(self.invitations[0], colours=colours)


def serve(
    folder: Path,
    *,
    host: str | None = None,
    port: int | None = None,
    name: str | None = None,
    say: Callable[[ServerAddresses], None],
    open_browser: bool = False,
) -> None:
    """Serve the page until interrupted; *say* is told where it is once it can be opened.

    Without a host it is for this machine and its one owner. With one, others are let in by a link,
    each with a profile of their own; *name* is what this machine is called on its network.
    Without a port the usual one is taken, or any free one where that is in use.
    """
    named = () if name is None else (check_name(name),)
    Store(folder).close()  # a folder that cannot be written is an error now, not at the first move
    listener = _listen(host or LOCAL, port)
    sharing, served = None, ServerAddresses(_address(listener, None))
    if host is not None:
        wide = lan_address(ipv6=":" in host) if host in ANYWHERE else None
        addresses = [_address(listener, other) for other in (*named, wide or None)]
        sharing = SharingOptions(addresses[0])
        served = ServerAddresses(
            sharing.link(sharing.own, served.address),
            tuple(sharing.link(sharing.invitation, address) for address in addresses),
        )
    names = (*_names(host or LOCAL), *named)
    server = Server(create_app(folder, hosts=names, sharing=sharing), listener)
    raise_open_file_limit()
    # What was imported stays as long as the server: the collector need not look at it again and
    # again, which stopped all players for 160 ms at a time on a busy machine.
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)
    say(served)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, (served.address,)).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()


def _listen(host: str, port: int | None) -> socket.socket:
    wishes = (PORT, 0) if port is None else (port,)
    registry = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wish in wishes:
        listener = socket.socket(registry, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wish))
            # A second server may bind beside a first one that does not listen yet; listen now.
            listener.listen(BACKLOG)
        except (OSError, OverflowError, ValueError) as error:  # ValueError: no name at all
            listener.close()
            problem = error
            continue
        return listener
    raise Unavailable(f"cannot listen on {host!r:.60} port {wishes[0]}: {problem}")


def _address(listener: socket.socket, name: str | None) -> str:
    """Where a browser finds the page, by a name or by the address that it listens on."""
    host, port = listener.getsockname()[:2]
    # "Everywhere" is no address that a browser could open; this machine is part of it.
    host = name or ANYWHERE.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _names(host: str) -> tuple[str, ...]:
    """The names that a request may call this server by."""
    if is_loopback(host):
        return (*LOOPBACK, host.lower())
    wide = ("*",) if host in ANYWHERE else ()
    return (*LOOPBACK, host.lower(), socket.gethostname().lower(), *wide)
