"""`sapper web` and `sapper play`: the web page; `play` also opens the browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sapper.cli.common import note


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--host",
            metavar="ADDRESS",
            default="127.0.0.1",
            show_default=True,
            help="Where to listen. Another address than this machine's own lets others in.",
        ),
        click.option(
            "--data",
            metavar="DIR",
            type=click.Path(file_okay=False, path_type=Path),
            help="Where games and statistics are kept; the user's data folder unless given.",
        ),
        click.option(
            "--port",
            metavar="N",
            type=click.IntRange(0, 65535),
            help="The port; 8765 unless given, or any free one where that is in use.",
        ),
    ):
        command = option(command)
    return command


@click.command()
@_options
def web(port: int | None, data: Path | None, host: str) -> None:
    """Serve the web page on this machine."""
    _serve(port, data, host, open_browser=False)


@click.command()
@_options
def play(port: int | None, data: Path | None, host: str) -> None:
    """Serve the web page and open it in the browser."""
    _serve(port, data, host, open_browser=True)


def _serve(port: int | None, data: Path | None, host: str, *, open_browser: bool) -> None:
    from sapper.web.server.serve import is_loopback, serve

    if not is_loopback(host):
        note(
            f"warning: listening on {host}: everybody who can reach this machine "
            "can play here and see the statistics"
        )
    serve(
        data or _usual_folder(),
        host=host,
        port=port,
        say=lambda address: click.echo(f"Sapper is at {address} (Ctrl+C stops it)"),
        open_browser=open_browser,
    )


def _usual_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("sapper", appauthor=False))
