"""Boards as the page draws them, and the colour palette as CSS."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

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

# A cell of a graph is drawn as a disc of this radius; the centres are at least about 1 apart.
_DISC = 0.42
_CORNERS = 24
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
    caching = {"cache-control": "private, max-age=604800" if board.tiling else "no-store"}
    return Response(content, media_type="application/json", headers=caching)


def palette_css() -> str:
    """Return custom properties for light and dark pages, and a rule for each percentage.

    A page with colour-blind friendly colours gets other numbers and other backgrounds.
    """
    colour_blind = '[data-colours="clear"]'
    colours = [(entry.role, entry.light, entry.dark) for entry in PALETTE.values()]
    numbers = [(f"number-{k}", *pair) for k, pair in enumerate(COLOUR_BLIND_NUMBERS, 1)]
    steps = range(101)
    return "".join(
        (
            _themed("", colours),
            _themed(colour_blind, numbers),
            *(_probabilities_css(step) for step in steps),
            *(f":root{colour_blind} {_probabilities_css(step, 'clear')}" for step in steps),
        )
    )


def _themed(selector: str, colours: Sequence[tuple[str, str, str]]) -> str:
    """Return properties of the root; a colour is given by its role, for light and dark pages."""
    pairs = "".join(f"--{role}:light-dark({light},{dark});" for role, light, dark in colours)
    return f":root{selector}{{{pairs}}}\n"


def _probabilities_css(step: int, colours: str = "standard") -> str:
    background = ramp(step / 100, colours)
    ink = ink_on(background, "ink")
    return f'[data-probability="{step}"]{{--over:{background};--over-ink:{ink}}}\n'


def shapes_of(board: Board) -> str | Json:
    """Return the address of a tiling's shapes, or the shapes of a graph themselves."""
    if board.tiling is None:
        return board_json(board)
    # With the version, so that a browser does not use what an older server sent.
    return f"/api/boards/{board.tiling}/{board.size[0]}x{board.size[1]}?v={__version__}"


def position_json(position: Position) -> Json:
    """Return a position to draw; `left` is the number of mines without a flag, where known."""
    left = None if position.mines is None else position.mines - len(position.flags)
    return {"board": shapes_of(position.board), "marks": position.marks.tolist(), "left": left}


def example_json(cells: Ints, mines: Collection[int]) -> Json:
    """Return a solution on some of the cells, which shows why a move is not certain."""
    return {
        "mines": [cell for cell in cells.tolist() if cell in mines],
        "safe": [cell for cell in cells.tolist() if cell not in mines],
    }


@lru_cache(maxsize=32)
def _board_bytes(board: Board) -> bytes:
    return json.dumps(board_json(board), separators=(",", ":")).encode()


def board_json(board: Board) -> Json:
    """Return a few shapes, and for each cell its shape and its centre.

    `corners` of a shape are relative to the centre; `inner` is the radius of a circle inside it.
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

    turns = [2 * math.pi * k / _CORNERS for k in range(_CORNERS)]
    for x, y in graph_points(board).tolist():
        yield tuple((x + _DISC * math.sin(t), y - _DISC * math.cos(t)) for t in turns)


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
