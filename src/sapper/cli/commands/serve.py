"""`sapper serve` and `sapper play`: the web page; `play` also opens the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.options import FileName, WholeNumber, combine
from sapper.cli.output import data_folder, print_note

if TYPE_CHECKING:
    from sapper.web.serve import ServerAddresses


_options = combine(
    click.option(
        "--port",
        metavar="N",
        type=WholeNumber(0, 65535),
        help="Port to listen on. [default: 8765, or any free one if that is in use]",
    ),
    click.option(
        "--data",
        metavar="DIR",
        type=FileName(path_type=Path),
        help="Folder for games and statistics. [default: the user's data folder]",
    ),
    click.option(
        "--host",
        metavar="ADDRESS",
        help="Address to listen on, so that others can join by a link; 0.0.0.0: the whole network. "
        "By default only this machine can open the page.",
    ),
    click.option(
        "--name",
        metavar="NAME",
        help="With --host: name or address of this machine on its network, such as laptop.local.",
    ),
)


@click.command()
@_options
def serve(**options: Any) -> None:
    """Serve the web page on this machine."""
    _run_server(**options, open_browser=False)


@click.command()
@_options
def play(**options: Any) -> None:
    """Serve the web page and open it in the browser."""
    _run_server(**options, open_browser=True)


def _run_server(
    port: int | None, data: Path | None, host: str | None, name: str | None, *, open_browser: bool
) -> None:
    from sapper.web.serve import serve as run_server

    if name is not None and host is None:
        raise click.UsageError("--name needs --host")
    if host == "":  # a socket would listen on all addresses
        raise click.UsageError("--host: expected an address, got ''")
    folder = data or data_folder()

    def announce(addresses: ServerAddresses) -> None:
        if host is not None:
            print_note(_WARNING.format(host=host, folder=folder))
        click.echo(f"Sapper is at {addresses.address} (Ctrl+C to stop)")
        if addresses.invitations:
            _print_invitations(addresses)

    run_server(
        folder, host=host, port=port, name=name, announce=announce, open_browser=open_browser
    )


_WARNING = """\
warning: listening on {host}: anyone with the link for others can play here
  - each person has their own games, settings and statistics, stored in {folder}
  - the link works until Sapper stops; a browser that has opened it once can return without it
  - the connection is plain HTTP: anyone on the network can read the links and use them
  - only use this with people and on a network that you trust, not on the public internet
  - the first link is for you: it opens your own games, and works only on this machine"""


def _print_invitations(addresses: ServerAddresses) -> None:
    """Print the links for others, and a QR code for a phone."""
    first, *others = addresses.invitations
    click.echo(f"Others open  {first}")
    for link in others:
        click.echo(f"          or {link}")
    lines = addresses.qr_code(colours=sys.stdout.isatty())
    try:
        "".join(lines).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return  # the terminal cannot print the blocks of the QR code
    for line in lines:
        click.echo(line)
