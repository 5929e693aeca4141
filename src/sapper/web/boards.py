"""Boards for drawing, sent once: shapes, middles, links; and the colours of all pictures."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import lru_cache

from sapper import __version__
from sapper.board.board import Board, Outline
from sapper.board.tilings import TILINGS
from sapper.render.palette import COLOUR_BLIND_NUMBERS, PALETTE, ink_on, ramp
from sapper.serialize.cells import Json

# A graph's cell is drawn as a disc of this radius: places are at least about 1 apart.
_DISC = 0.42
_CORNERS = 24
_LEAST_RADIUS = 0.05


def palette_css() -> str:
    """The palette as custom properties, for light and dark pages, and a rule for each percent.

    A page that asks for clear colours gets other numbers and other grounds of the probabilities.
    """
    light = "".join(f"--{row.role}:{row.light};" for row in PALETTE.values())
    dark = "".join(f"--{row.role}:{row.dark};" for row in PALETTE.values())
    clear_light = "".join(
        f"--number-{k}:{pair[0]};" for k, pair in enumerate(COLOUR_BLIND_NUMBERS, 1)
    )
    clear_dark = "".join(
        f"--number-{k}:{pair[1]};" for k, pair in enumerate(COLOUR_BLIND_NUMBERS, 1)
    )
    probabilities = [_probabilities_css(step) for step in range(101)]
    clear_probabilities = [
        f":root{_CLEAR} {_probabilities_css(step, 'clear')}" for step in range(101)
    ]
    return "".join(
        (
            _themed("", light, dark),
            _themed(_CLEAR, clear_light, clear_dark),
            *probabilities,
            *clear_probabilities,
        )
    )


_CLEAR = '[data-colours="clear"]'


def _themed(chosen: str, light: str, dark: str) -> str:
    """Properties of the root where *chosen* holds: by the system's theme, unless one is chosen."""
    return (
        f":root{chosen}{{{light}}}\n"
        f"@media (prefers-color-scheme: dark){{:root{chosen}{{{dark}}}}}\n"
        f':root[data-theme="light"]{chosen}{{{light}}}\n'
        f':root[data-theme="dark"]{chosen}{{{dark}}}\n'
    )


def _probabilities_css(step: int, colours: str = "standard") -> str:
    ground = ramp(step / 100, colours)
    return f'[data-probabilities="{step}"]{{--over:{ground};--over-ink:{ink_on(ground, "ink")}}}\n'


def shapes_of(board: Board) -> str | Json:
    """Where the page fetches the shapes of a tiling's board; those of a graph as they are."""
    if board.tiling is None:
        return board_json(board)
    # The version keeps a browser from drawing with what an older one sent.
    return f"/api/boards/{board.tiling}/{board.size[0]}x{board.size[1]}?v={__version__}"


@lru_cache(maxsize=32)
def board_bytes(board: Board) -> bytes:
    """A board as JSON, kept because pages ask for the same few boards."""
    return json.dumps(board_json(board), separators=(",", ":")).encode()


def board_json(board: Board) -> Json:
    """A board for drawing: a few shapes, and for each cell its shape and its middle.

    `corners` of a shape are relative to the middle; `inner` is the radius of a circle within it.
    """
    links: list[list[int]] = []
    outlines: Iterable[Outline]
    if board.has_outlines:
        outlines = (board.outline(cell) for cell in board.cells)
    else:
        outlines, links = _discs(board), [list(edge) for edge in board.edges()]
    shapes: dict[Outline, int] = {}
    cells = []
    for outline in outlines:
        x, y = _middle(outline)
        corners = tuple((round(a - x, 4), round(b - y, 4)) for a, b in outline)
        cells.append([shapes.setdefault(corners, len(shapes)), round(x, 4), round(y, 4)])
    columns = board.size[0] if board.tiling else max(1, math.isqrt(len(board)))
    return {
        "tiling": board.tiling,
        "columns": columns,
        "wraps": board.tiling is not None and TILINGS[board.tiling].wraps,
        "names": None if board.tiling else list(board.names),
        "shapes": [
            {"corners": corners, "inner": round(_inner_radius(corners), 4)} for corners in shapes
        ],
        "cells": cells,
        "links": links,
        "offsets": board.offsets.tolist(),
        "neighbours": board.neighbours.tolist(),
    }


def _discs(board: Board) -> Iterable[Outline]:
    from sapper.render.graph_drawing import graph_points

    turns = [2 * math.pi * k / _CORNERS for k in range(_CORNERS)]
    for x, y in graph_points(board).tolist():
        yield tuple((x + _DISC * math.sin(t), y - _DISC * math.cos(t)) for t in turns)


def _middle(outline: Outline) -> tuple[float, float]:
    """The mean of the corners, which is the middle of every shape that the tilings have."""
    return (
        sum(x for x, _ in outline) / len(outline),
        sum(y for _, y in outline) / len(outline),
    )


def _inner_radius(corners: Outline) -> float:
    """The distance from the middle to the nearest side; a little where an outline is flat."""
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return max(
        _LEAST_RADIUS,
        min(
            (
                abs(ax * by - bx * ay) / math.hypot(bx - ax, by - ay)
                for (ax, ay), (bx, by) in sides
                if (ax, ay) != (bx, by)
            ),
            default=0.0,
        ),
    )
