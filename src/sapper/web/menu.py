"""What every view needs: the colours, the menu, the boards."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import sapper
from sapper.board.board import Board
from sapper.board.rules import LEVELS, RULES, parse_size
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError
from sapper.games.watch import WATCHABLE, timed_players
from sapper.generators.layout_sources import LAYOUT_LABELS
from sapper.proofs.hints import HINT_DETAILS
from sapper.serialize.page_words import DIFFICULTY, FIRST_CLICK, on_page
from sapper.web import boards
from sapper.web.server import docs_files, limits
from sapper.web.server.security import JsonResponse


async def palette(request: Request) -> Response:
    """The colours, from the one table that all pictures share."""
    css = boards.palette_css()
    return Response(css, media_type="text/css", headers={"cache-control": "no-cache"})


async def menu(request: Request) -> Response:
    """All that a new game may be made of, from the tables of the package."""
    return JsonResponse(
        {
            "version": sapper.__version__,
            "docs": (docs_files.FOLDER / "index.html").is_file(),
            "shared": request.app.state.links is not None,
            "levels": LEVELS,
            "tilings": {
                name: {"about": row.about, "least": row.min_size} for name, row in TILINGS.items()
            },
            "rules": {rule: FIRST_CLICK[rule] for rule in RULES},
            "generators": {deal: on_page(about) for deal, about in LAYOUT_LABELS.items()},
            "hint_details": [on_page(told) for told in HINT_DETAILS],
            "difficulties": DIFFICULTY,
            "max_cells": limits.MAX_CELLS,
            "timed_players": timed_players(),
            "watch": {
                kind: {name: on_page(row.about) for name, row in rows.items()}
                for kind, rows in WATCHABLE.items()
            },
        }
    )


async def board(request: Request) -> Response:
    """A tiling's board, for drawing; it never changes, so the browser keeps it."""
    width, height, mines = parse_size(request.path_params["size"])
    if mines is not None:
        raise NotationError("expected a size without mines, got one with")
    limits.check_cells(width, height)
    return await drawn(
        await to_thread.run_sync(tiling, request.path_params["tiling"], width, height)
    )


ROUTES = [
    Route("/palette.css", palette),
    Route("/api/menu", menu),
    Route("/api/boards/{tiling}/{size}", board),
]


async def drawn(of: Board) -> Response:
    """A board as the page draws it."""
    content = await to_thread.run_sync(boards.board_bytes, of)
    keep = {"cache-control": "private, max-age=604800" if of.tiling else "no-store"}
    return Response(content, media_type="application/json", headers=keep)
