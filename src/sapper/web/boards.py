"""Boards as the page draws them, and the colour palette as CSS."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper import __version__
from sapper.board.board import Board, Ints, Outline
from sapper.board.position import Position
from sapper.board.rules import parse_size
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError
from sapper.render.palette import COLOUR_BLIND_NUMBERS, PALETTE, ink_on, ramp
from sapper.serialize.cells import Json
from sapper.web.server import limits

# A cell of a graph is drawn as a disc of this radius, which is a polygon; the centres are at least
# about 1 apart.
_DISC_RADIUS = 0.42
_DISC_CORNERS = 24
_MIN_RADIUS = 0.05


async def board(request: Request) -> Response:
    """Return the board of a tiling; the browser caches it."""
    width, height, mines = parse_size(request.path_params["size"])
    if mines is not None:
        raise NotationError("expected a size without mines, such as 9x9")
    limits.check_size(width, height)
    return await board_response(
        await to_thread.run_sync(tiling, request.path_params["tiling"], width, height)
    )


ROUTES = [Route("/api/boards/{tiling}/{size}", board)]


async def board_response(board: Board) -> Response:
    """Return a board as the page draws it."""
    content = await to_thread.run_sync(_board_bytes, board)
    headers = {"cache-control": "private, max-age=604800" if board.tiling else "no-store"}
    return Response(content, media_type="application/json", headers=headers)


@cache
def palette_css() -> str:
    """Return custom properties for the light and dark themes, and a rule for each percentage.

    Numbers and probabilities have other colours if the user chooses colour-blind friendly ones.
    """
    colour_blind = '[data-colours="clear"]'
    colours = [(entry.role, entry.light, entry.dark) for entry in PALETTE.values()]
    numbers = [(f"number-{k}", *pair) for k, pair in enumerate(COLOUR_BLIND_NUMBERS, 1)]
    percentages = range(101)
    return "".join(
        (
            _custom_properties("", colours),
            _custom_properties(colour_blind, numbers),
            *(_probability_rule(percentage) for percentage in percentages),
            *(
                f":root{colour_blind} {_probability_rule(percentage, 'clear')}"
                for percentage in percentages
            ),
        )
    )


def _custom_properties(selector: str, colours: Sequence[tuple[str, str, str]]) -> str:
    """Return a rule that sets custom properties; each colour is (role, light, dark)."""
    properties = "".join(f"--{role}:light-dark({light},{dark});" for role, light, dark in colours)
    return f":root{selector}{{{properties}}}\n"


def _probability_rule(percentage: int, colours: str = "standard") -> str:
    background = ramp(percentage / 100, colours)
    ink = ink_on(background, "ink")
    return f'[data-probability="{percentage}"]{{--over:{background};--over-ink:{ink}}}\n'


def shapes_of(board: Board) -> str | Json:
    """Return the URL of the shapes of a tiling, or the shapes themselves for a graph."""
    if board.tiling is None:
        return board_json(board)
    # The version keeps the browser from using what it cached from an older server.
    return f"/api/boards/{board.tiling}/{board.size[0]}x{board.size[1]}?v={__version__}"


def position_json(position: Position) -> Json:
    """Return a position to draw; `left` is the number of mines left, null if it is unknown."""
    left = None if position.mines is None else position.mines - len(position.flags)
    return {"board": shapes_of(position.board), "marks": position.marks.tolist(), "left": left}


def example_json(cells: Ints, mines: Collection[int]) -> Json:
    """Return the part of a counterexample on *cells*: the mines of a solution, and the others."""
    return {
        "mines": [cell for cell in cells.tolist() if cell in mines],
        "safe": [cell for cell in cells.tolist() if cell not in mines],
    }


@lru_cache(maxsize=32)
def _board_bytes(board: Board) -> bytes:
    return json.dumps(board_json(board), separators=(",", ":")).encode()


def board_json(board: Board) -> Json:
    """Return the distinct shapes of a board, and the shape and centre of each cell.

    The `corners` of a shape are relative to its centre; `inner` is the radius of a circle that fits
    inside it.
    """
    edges: list[list[int]] = []
    outlines: Iterable[Outline]
    if board.has_outlines:
        outlines = (board.outline(cell) for cell in board.cells)
    else:
        outlines, edges = _discs(board), [list(edge) for edge in board.edges()]
    shapes: dict[Outline, int] = {}
    cells = []
    for outline in outlines:
        x, y = _centre(outline)
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
        "edges": edges,
        "offsets": board.offsets.tolist(),
        "neighbours": board.neighbours.tolist(),
    }


def _discs(board: Board) -> Iterable[Outline]:
    from sapper.render.graph_drawing import graph_points

    angles = [2 * math.pi * k / _DISC_CORNERS for k in range(_DISC_CORNERS)]
    corners = [
        (_DISC_RADIUS * math.sin(angle), -_DISC_RADIUS * math.cos(angle)) for angle in angles
    ]
    for x, y in graph_points(board).tolist():
        yield tuple((x + dx, y + dy) for dx, dy in corners)


def _centre(outline: Outline) -> tuple[float, float]:
    """Return the mean of the corners, which is the centre of every shape of the tilings."""
    return (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))


def _inner_radius(corners: Outline) -> float:
    """Return the distance from the centre to the nearest side, at least _MIN_RADIUS."""
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return max(
        _MIN_RADIUS,
        min(
            (
                abs(ax * by - bx * ay) / math.hypot(bx - ax, by - ay)
                for (ax, ay), (bx, by) in sides
                if (ax, ay) != (bx, by)
            ),
            default=0.0,
        ),
    )
