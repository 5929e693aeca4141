"""What the page is told: boards once, then games as marks and figures.

Nothing here tells where a mine lies before the game has shown it, nor a seed that would.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from sapper import __version__
from sapper.errors import IllegalMove
from sapper.generate.dealers import DEALS
from sapper.infer.proofs.nudges import LEVELS as DEGREES
from sapper.model.board import Board, Outline
from sapper.model.rules import LEVELS, PROMISES, format_size
from sapper.model.tilings import TILINGS
from sapper.render.palette import PALETTE, ink_on, ramp
from sapper.web.games.live import Live, seen
from sapper.web.server.limits import MOST_CELLS

Json = dict[str, Any]

# A graph's cell is drawn as a disc of this radius: places are at least about 1 apart.
_DISC = 0.42
_CORNERS = 24
_LEAST_RADIUS = 0.05


def menu() -> Json:
    """All that a new game may be made of, from the tables of the package."""
    return {
        "levels": LEVELS,
        "tilings": {
            name: {"about": row.about, "least": row.least} for name, row in TILINGS.items()
        },
        "rules": PROMISES,
        "deals": DEALS,
        "degrees": DEGREES,
        "most_cells": MOST_CELLS,
    }


def palette_css() -> str:
    """The palette as custom properties, for light and dark pages, and a rule for each percent."""
    light = "".join(f"--{row.role}:{row.light};" for row in PALETTE.values())
    dark = "".join(f"--{row.role}:{row.dark};" for row in PALETTE.values())
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"
        f':root[data-theme="light"]{{{light}}}\n'
        f':root[data-theme="dark"]{{{dark}}}\n' + "".join(_odds_css(step) for step in range(101))
    )


def _odds_css(step: int) -> str:
    ground = ramp(step / 100)
    return f'[data-odds="{step}"]{{--over:{ground};--over-ink:{ink_on(ground, "ink")}}}\n'


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
        "names": None if board.tiling else list(board.names),
        "shapes": [
            {"corners": corners, "inner": round(_inner_radius(corners), 4)} for corners in shapes
        ],
        "cells": cells,
        "links": links,
        "offsets": board.offsets.tolist(),
        "neighbours": board.neighbours.tolist(),
    }


def game_json(live: Live) -> Json:
    """All that a page needs to show a game: where its board is, every mark, the figures."""
    session = live.session
    rules = session.start.rules
    board = rules.board
    on_tiling = board.tiling is not None
    return {
        "id": live.row.id,
        "title": live.row.title,
        "board": shapes_of(board) if on_tiling else f"/api/games/{live.row.id}/board",
        "tiling": board.tiling,
        "size": format_size(rules) if on_tiling else None,
        "rule": rules.promise if session.start.layout is None else None,
        "deal": session.start.deal if session.start.layout is None else "layout",
        "mines": rules.mines,
        "marks": session.frame.marks.tolist(),
        "state": state_json(live),
    }


def changes_json(live: Live, changed: Iterable[int]) -> Json:
    """What a move did: the cells it changed with their marks, and the figures."""
    cells = np.asarray(changed, dtype=np.int64)
    marks = live.session.frame.marks
    return {
        "cells": cells.tolist(),
        "marks": marks[cells].tolist(),
        "state": state_json(live),
    }


def state_json(live: Live) -> Json:
    """The figures of a game, small enough to go with every answer."""
    session = live.session
    game = session.game
    return {
        "events": seen(session),
        "outcome": game.outcome,
        "exploded": sorted(game.exploded),
        "flags": len(session.frame.flags),
        "milliseconds": session.milliseconds,
        "running": session.running,
        "clicks": session.clicks,
        "bbbv": session.bbbv,
        "bbbv_total": game.layout.bbbv if game.over and game.layout is not None else None,
        "undos": session.undos,
        "nudges": session.nudges,
        "deaths": session.deaths,
        "continues": game.continues,
        "helped": session.helped,
        "again": live.row.again,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }


def mines_json(live: Live) -> Json:
    """Where the mines are, once the game is over."""
    game = live.session.game
    if not game.over or game.layout is None:
        raise IllegalMove("cannot show the mines: the game is not over")
    return {"mines": np.flatnonzero(game.layout.mines).tolist()}


def _discs(board: Board) -> Iterable[Outline]:
    from sapper.render.places import places

    turns = [2 * math.pi * k / _CORNERS for k in range(_CORNERS)]
    for x, y in places(board).tolist():
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
