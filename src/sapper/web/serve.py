"""Run the server: find a port, report the address, serve until interrupted."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from sapper.errors import Unavailable
from sapper.render.qr_codes import qr_lines
from sapper.web.app import create_app
from sapper.web.server.connection_limits import (
    MAX_CONNECTIONS,
    HeaderTimeoutProtocol,
    raise_open_file_limit,
)
from sapper.web.server.invitations import SharingOptions, check_name, lan_address
from sapper.web.server.security import LOOPBACK, is_loopback
from sapper.web.storage.store import Store

LOCAL = "127.0.0.1"
# Addresses that mean all interfaces, and the address by which this machine reaches the server.
ALL_INTERFACES = {"0.0.0.0": LOCAL, "::": "::1"}
DEFAULT_PORT = 8765


@dataclass(frozen=True)
class ServerAddresses:
    """The URLs at which the page can be opened."""

    address: str
    """For the owner of this machine; an invitation link if the server is shared."""
    invitations: tuple[str, ...] = ()
    """The links for others, best first; empty if the server is not shared."""

    def qr_code(self, *, colours: bool) -> list[str]:
        """Return the first link for others as a QR code for a terminal."""
        return qr_lines(self.invitations[0], colours=colours)


def serve(
    folder: Path,
    *,
    host: str | None = None,
    port: int | None = None,
    name: str | None = None,
    announce: Callable[[ServerAddresses], None],
    open_browser: bool = False,
) -> None:
    """Serve the page until interrupted; *announce* is called once it can be opened.

    Without a host the page is for this machine and its owner. With one, others can open it by a
    link, each with a profile; *name* is the name of this machine on its network. The default port
    is 8765, or any free one if that is in use.
    """
    extra_names = () if name is None else (check_name(name),)
    Store(folder).close()  # fail now, not at the first move, if the folder is not writable
    listener = _listen(host or LOCAL, port)
    sharing, addresses = None, ServerAddresses(_address(listener, None))
    if host is not None:
        lan_host = lan_address(ipv6=":" in host) if host in ALL_INTERFACES else None
        public_addresses = [_address(listener, other) for other in (*extra_names, lan_host)]
        sharing = SharingOptions(public_addresses[0])
        addresses = ServerAddresses(
            sharing.link(sharing.owner_token, addresses.address),
            tuple(sharing.link(sharing.invitation_token, other) for other in public_addresses),
        )
    names = (*_host_names(host or LOCAL), *extra_names)
    server = uvicorn.Server(server_config(create_app(folder, hosts=names, sharing=sharing)))
    raise_open_file_limit()
    announce(addresses)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, (addresses.address,)).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()


def server_config(app: Starlette) -> uvicorn.Config:
    """Return the configuration of the server."""
    return uvicorn.Config(
        app,
        http=HeaderTimeoutProtocol,
        ws="none",
        # Malformed requests must not fill the log.
        log_level="error",
        access_log=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=3,
        server_header=False,
    )


def _listen(host: str, port: int | None) -> socket.socket:
    ports = (DEFAULT_PORT, 0) if port is None else (port,)
    address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in ports:
        # asyncio sets TCP_NODELAY only if the protocol is given. Without it, every response on a
        # reused connection waits about 40 ms for an acknowledgement.
        listener = socket.socket(address_family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            # Listen at once: otherwise a second server could bind the same port first.
            listener.listen()
        except (OSError, OverflowError, ValueError) as error:  # ValueError: not a host name
            listener.close()
            problem = error
            continue
        return listener
    raise Unavailable(f"cannot listen on {host!r:.60} port {ports[0]}: {problem}")


def _address(listener: socket.socket, name: str | None) -> str:
    """Return the URL of the page, with a host name or with the address of the socket."""
    host, port = listener.getsockname()[:2]
    # A browser cannot open 0.0.0.0.
    host = name or ALL_INTERFACES.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _host_names(host: str) -> tuple[str, ...]:
    """Return the names that the Host header of a request may have."""
    if is_loopback(host):
        return (*LOOPBACK, host.lower())
    any_address = ("*",) if host in ALL_INTERFACES else ()
    return (*LOOPBACK, host.lower(), socket.gethostname().lower(), *any_address)
