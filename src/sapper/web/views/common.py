"""What every view needs: the colours, the menu, the boards."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import sapper
from sapper.errors import NotationError
from sapper.model.board import Board
from sapper.model.rules import parse_size
from sapper.model.tilings import tiling
from sapper.web.server import limits
from sapper.web.server.guard import JsonResponse
from sapper.web.views import watch
from sapper.web.wire import answers


async def palette(request: Request) -> Response:
    """The colours, from the one table that all pictures share."""
    css = answers.palette_css()
    return Response(css, media_type="text/css", headers={"cache-control": "no-cache"})


async def menu(request: Request) -> Response:
    """What a new game may be made of."""
    return JsonResponse({"version": sapper.__version__, **answers.menu(), "watch": watch.menu()})


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
    content = await to_thread.run_sync(answers.board_bytes, of)
    keep = {"cache-control": "private, max-age=604800" if of.tiling else "no-store"}
    return Response(content, media_type="application/json", headers=keep)
