"""Boards in the terminal: coloured, with numbered rows and columns, folded to its width."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import Any, TypeVar, Unpack

import click

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.render.scene import Overlays

Command = TypeVar("Command", bound=Callable[..., Any])


def coordinates_option(command: Command) -> Command:
    """--coordinates: numbers along the sides, as cells are named by them."""
    return click.option(
        "--coordinates/--no-coordinates",
        default=None,
        help="Number rows and columns; on a terminal that is usual.",
    )(command)


def draw_position(
    position: Position | Layout, numbered: bool | None, **overlays: Unpack[Overlays]
) -> str:
    """A position as text for standard output; colours and panels only on a terminal."""
    from sapper.render.text import draw

    terminal = sys.stdout.isatty()
    if not terminal:
        overlays["colours"] = {}
    overlays["coordinates"] = terminal if numbered is None else numbered
    width = shutil.get_terminal_size().columns if terminal else None
    return draw(position, colour=terminal, width=width, **overlays)
