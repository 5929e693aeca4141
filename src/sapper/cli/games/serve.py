"""`sapper web` and `sapper play`: the web page; `play` also opens the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.number_types import WholeNumber
from sapper.cli.options import combine
from sapper.cli.output import data_folder, print_note

if TYPE_CHECKING:
    from sapper.web.serve import ServerAddresses


_options = combine(
    click.option(
        "--port",
        metavar="N",
        type=WholeNumber(0, 65535),
        help="The port. [8765, or any free one where that is in use]",
    ),
    click.option(
        "--data",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Where games and statistics are kept. [the user's data folder]",
    ),
    click.option(
        "--host",
        metavar="ADDRESS",
        help="Let others in by a link, and listen there: 0.0.0.0 is the whole network. "
        "Unless given, the page is for this machine alone.",
    ),
    click.option(
        "--name",
        metavar="NAME",
        help="With --host: what this machine is called on its network, such as laptop.local.",
    ),
)


@click.command()
@_options
def web(**options: Any) -> None:
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
    from sapper.web.serve import serve

    if name is not None and host is None:
        raise click.UsageError("expected --host with --name, got --name alone")
    folder = data or data_folder()

    def say(served: ServerAddresses) -> None:
        if host is not None:
            print_note(_WARNING.format(host=host, folder=folder))
        click.echo(f"Sapper is at {served.address} (Ctrl+C stops it)")
        if served.invitations:
            _invite(served)

    serve(folder, host=host, port=port, name=name, say=say, open_browser=open_browser)


_WARNING = """\
warning: listening on {host}: everybody who has the link for others can play here
  - each with games, settings and statistics of their own, in {folder}
  - the link works until Sapper is stopped; who has opened it once comes in later without it
  - it is plain HTTP: whoever can listen on the network can read the links and play in any name
  - this is for people whom you trust, on a network that you trust; not for the open internet
  - the first link is yours: it opens your own games, and works on this machine alone"""


def _invite(served: ServerAddresses) -> None:
    """Say how others come in: as text, and as a code for the camera of a phone."""
    first, *others = served.invitations
    click.echo(f"Others open  {first}")
    for link in others:
        click.echo(f"          or {link}")
    lines = served.code(colours=sys.stdout.isatty())
    try:
        "".join(lines).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return  # a terminal without these blocks has the text
    for line in lines:
        click.echo(line)
