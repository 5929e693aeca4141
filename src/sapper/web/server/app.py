"""The application: routes, and errors as one line of JSON."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import sapper
from sapper.errors import IllegalMove, NotationError, RulesError, SapperError, Unavailable
from sapper.model.board import Board
from sapper.model.layout import Layout
from sapper.model.move import ACTIONS
from sapper.model.notation import format_frame
from sapper.model.rules import format_size, parse_size
from sapper.model.tilings import tiling
from sapper.play.session import BESIDES, PAUSE, Session, Start
from sapper.web.games import statistics
from sapper.web.games.live import Games, Live, NoSuchGame
from sapper.web.games.store import Conflict, Store
from sapper.web.server import limits, work
from sapper.web.server.guard import LOOPBACK, SECURITY_HEADERS, Guard, JsonResponse, refusal
from sapper.web.views import analyse, learn, nudges, watch, worksheets
from sapper.web.wire import answers, tokens
from sapper.web.wire.requests import body_of, games_of, live_of, start_of, text_of

STATIC = Path(__file__).parents[1] / "static"
RECENT = 12

# Which status an error on purpose gets; the first row that fits.
STATUS: tuple[tuple[type[SapperError], int], ...] = (
    (NoSuchGame, 404),
    (watch.NoSuchWatch, 404),
    (Conflict, 409),
    (NotationError, 400),
    (RulesError, 400),
    (IllegalMove, 422),
    (Unavailable, 503),
    (SapperError, 422),
)

log = logging.getLogger("sapper.web")


def create_app(folder: Path, hosts: Iterable[str] = LOOPBACK) -> Starlette:
    """The application, with its games in *folder*; it opens the store when it starts."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store(folder)
        app.state.games = Games(store)
        app.state.analyses = nudges.Analyses()
        app.state.watching = watch.Watching()
        app.state.recent = analyse.Recent()
        app.state.papers = worksheets.Papers()
        app.state.engine = CapacityLimiter(work.AT_ONCE)
        try:
            yield
        finally:
            store.close()

    return Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[Middleware(Guard, hosts=tuple(hosts))],
        exception_handlers={
            SapperError: _on_refusal,
            HTTPException: _on_http,
            ClientDisconnect: _on_disconnect,
            Exception: _on_bug,
        },
    )


class Assets(StaticFiles):
    """The page's files; the browser asks each time whether they have changed."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """A file, or 304 where the browser has it."""
        response = super().file_response(*arguments, **options)
        response.headers["cache-control"] = "no-cache"
        return response


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


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
    return await _drawn(
        await to_thread.run_sync(tiling, request.path_params["tiling"], width, height)
    )


async def game_board(request: Request) -> Response:
    """The board of one game, for boards that are not a tiling's."""
    live = await live_of(request)
    return await _drawn(live.session.game.board)


async def recent(request: Request) -> Response:
    """The games touched last."""
    rows = await to_thread.run_sync(games_of(request).store.recent, RECENT)
    keys = ("id", "title", "touched", "again", "over")
    return JsonResponse({"games": [{key: getattr(row, key) for key in keys} for row in rows]})


async def new_game(request: Request) -> Response:
    """A new game: by its rules, as another one again, or from text or a shared token."""
    data = await body_of(request, limits.TEXT_BODY)
    games = games_of(request)
    if "again" in data:
        other = await games.get(text_of(data, "again"))
        live = await games.new(other.session.start)
    elif "token" in data:
        live = await games.read(tokens.unpack(text_of(data, "token")))
    elif "text" in data:
        live = await _from_text(games, text_of(data, "text"))
    else:
        live = await games.new(await to_thread.run_sync(start_of, data))
    return JsonResponse(answers.game_json(live), 201)


async def game(request: Request) -> Response:
    """A game as it stands."""
    live = await live_of(request)
    async with live.lock:
        return JsonResponse(answers.game_json(live))


async def resume(request: Request) -> Response:
    """A game as it stands, with its clock running on."""
    live = await live_of(request)
    async with live.lock:
        live.session.resume()
        return JsonResponse(answers.game_json(live))


async def move(request: Request) -> Response:
    """One move, undo, redo or pause; it is on disk when it is answered."""
    data = await body_of(request, limits.SMALL_BODY)
    action, after = text_of(data, "action"), data.get("after")
    if action not in ACTIONS and action not in BESIDES:
        known = ", ".join((*ACTIONS, *BESIDES))
        raise NotationError(f"expected an action ({known}), got {action!r:.60}")
    if after is not None and type(after) is not int:
        raise NotationError(f"expected a number of events seen, got {after!r:.60}")
    cell = data.get("cell")

    def what(session: Session) -> str:
        if not ACTIONS.get(action, False):
            return action
        if type(cell) is not int:
            raise NotationError(f"expected the number of a cell, got {cell!r:.60}")
        known = session.game.board
        return f"{action} {known.name(known.cell(cell))}"

    live = await live_of(request)
    if action == PAUSE and not live.session.running:
        return JsonResponse(answers.changes_json(live, ()))
    live, changed = await games_of(request).act(live.row.id, what, after)
    return JsonResponse(answers.changes_json(live, changed))


async def mines(request: Request) -> Response:
    """Where the mines were, once the game is over."""
    live = await live_of(request)
    async with live.lock:  # a move that is not on disk yet has not ended the game
        return JsonResponse(answers.mines_json(live))


async def shared(request: Request) -> Response:
    """A game in all the forms in which it can be given away."""
    live = await live_of(request)
    async with live.lock:
        session = live.session
        return JsonResponse(
            {
                "deal": _deal_link(session.start),
                "game": f"#/play?game={tokens.pack(session.save())}",
                "text": session.save(),
                "frame": format_frame(session.frame),
            }
        )


async def show_statistics(request: Request) -> Response:
    """The summaries by kind of game."""
    results = await to_thread.run_sync(games_of(request).store.results)
    rows = await to_thread.run_sync(statistics.summarise, results)
    return JsonResponse({"results": len(results), "summaries": [asdict(row) for row in rows]})


async def export_statistics(request: Request) -> Response:
    """The score book as a file."""
    results = await to_thread.run_sync(games_of(request).store.results)
    text = await to_thread.run_sync(lambda: json.dumps(statistics.export_book(results), indent=1))
    name = "sapper-statistics.json"
    return Response(
        text,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def import_statistics(request: Request) -> Response:
    """Add the results of an exported score book that are not here yet."""
    data = await body_of(request, limits.BOOK_BODY)
    rows = await to_thread.run_sync(statistics.import_book, data)
    added = await games_of(request).store.add_results(rows)
    return JsonResponse({"added": added, "known": len(rows) - added})


async def forget_statistics(request: Request) -> Response:
    """Empty the score book."""
    return JsonResponse({"forgotten": await games_of(request).store.forget_results()})


ROUTES = [
    Route("/", page),
    Route("/palette.css", palette),
    Route("/api/menu", menu),
    Route("/api/boards/{tiling}/{size}", board),
    Route("/api/games", recent),
    Route("/api/games", new_game, methods=["POST"]),
    Route("/api/games/{game}", game),
    Route("/api/games/{game}/board", game_board),
    Route("/api/games/{game}/resume", resume, methods=["POST"]),
    Route("/api/games/{game}/moves", move, methods=["POST"]),
    Route("/api/games/{game}/mines", mines),
    Route("/api/games/{game}/share", shared),
    Route("/api/statistics", show_statistics),
    Route("/api/statistics", import_statistics, methods=["POST"]),
    Route("/api/statistics", forget_statistics, methods=["DELETE"]),
    Route("/api/statistics/export", export_statistics),
    *nudges.ROUTES,
    *watch.ROUTES,
    *learn.ROUTES,
    *analyse.ROUTES,
    *worksheets.ROUTES,
    Mount("/static", Assets(directory=STATIC)),
]


async def _drawn(of: Board) -> Response:
    content = await to_thread.run_sync(answers.board_bytes, of)
    keep = {"cache-control": "private, max-age=604800" if of.tiling else "no-store"}
    return Response(content, media_type="application/json", headers=keep)


async def _from_text(games: Games, text: str) -> Live:
    """A game from a saved one, or a fresh one on a layout."""
    if text.lstrip().startswith("sapper:"):
        return await games.read(text)
    await to_thread.run_sync(limits.check_text, text)
    layout = await to_thread.run_sync(Layout.parse, text)
    limits.check_board(layout.board)
    return await games.new(Start.on(layout))


def _deal_link(start: Start) -> str:
    board = start.rules.board
    if start.layout is not None or board.tiling is None:
        return f"#/play?game={tokens.pack(start.format())}"
    words = {
        "size": format_size(start.rules),
        "tiling": board.tiling,
        "rule": start.rules.promise,
        "seed": str(start.seed),
    }
    if start.deal != "plain":
        words["deal"] = start.deal
    return f"#/play?{urlencode(words, safe='/')}"


async def _on_refusal(request: Request, error: Exception) -> Response:
    return refusal(str(error), next(status for kind, status in STATUS if isinstance(error, kind)))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "expected a known address", 405: "expected another method"}
    message = words.get(error.status_code)
    shown = f"{request.method} {request.url.path!r:.60}"
    return refusal(f"{message}, got {shown}" if message else error.detail, error.status_code)


async def _on_disconnect(request: Request, error: Exception) -> Response:
    return refusal("expected the whole request, got a part", 400)


async def _on_bug(request: Request, error: Exception) -> Response:
    log.error("cannot answer %s %s", request.method, request.url.path, exc_info=error)
    answer = refusal("the server made a mistake; its log says more", 500)
    answer.headers.update(SECURITY_HEADERS)  # this answer does not pass the guard
    return answer
