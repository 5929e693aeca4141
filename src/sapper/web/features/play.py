"""Routes to start games, make moves and share games.

No response except `share` contains a mine that the game has not shown, or the seed, from which all
mines can be computed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

import msgspec
import numpy as np
from anyio import to_thread
from cachetools import TTLCache
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.layout import Layout
from sapper.board.move import ACTIONS, Move
from sapper.board.rules import format_size
from sapper.engine.budget import Cancel
from sapper.errors import IllegalMove, NotationError, unknown_name
from sapper.formats.registry import is_game, write_text
from sapper.games.session import CONTROL_EVENTS, PAUSE
from sapper.games.setup import GameSetup
from sapper.serialize.cells import Json
from sapper.web.boards import board_response, shapes_of
from sapper.web.live_games import (
    Games,
    LiveGame,
    MarkedCells,
    count_board_events,
    games_of,
    is_quick,
    live_game,
    store_of,
)
from sapper.web.server import limits, share_tokens
from sapper.web.server.http import JsonResponse, SetupBody, owner_of, read_body
from sapper.web.server.workers import cancelled_on_disconnect

RECENT_GAMES = 24
# A browser runs the timers of a background window about once a minute.
WINDOW_SECONDS = 90.0
MAX_WINDOWS = 10_000


class NewGameBody(SetupBody):
    """A new game: from rules, on the layout of another game, or from text or a share token.

    With `repeat` and `move`, it continues the other game before that reveal.
    """

    repeat: str | None = None
    move: int | None = None
    token: str | None = None
    text: str | None = None


class MoveBody(msgspec.Struct):
    """A move or another event; `after` is how many events the page has seen."""

    action: str
    cell: int | None = None
    after: int | None = None


class WindowBody(msgspec.Struct):
    """The random name of a browser window; `report` grows with each report of the window."""

    window: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    report: Annotated[int, msgspec.Meta(ge=0)] = 0


class QuestionMarksBody(msgspec.Struct):
    """The cells with a question mark."""

    cells: MarkedCells


async def list_games(request: Request) -> Response:
    """List the most recent games: those in progress, then the finished ones."""
    rows = await to_thread.run_sync(store_of(request).recent_games, owner_of(request), RECENT_GAMES)
    open_games = _open_windows(request).games()
    games = [
        {
            "id": row.id,
            "title": row.title,
            "updated": row.updated,
            "repeated": row.repeated,
            "finished": row.finished,
            "open": row.id in open_games,
        }
        for row in rows
    ]
    return JsonResponse({"games": games})


async def new_game(request: Request) -> Response:
    """Start or open a game."""
    body = await read_body(request, NewGameBody, limits.TEXT_BODY)
    games, owner = games_of(request), owner_of(request)
    if body.repeat is not None:
        other = await games.get(owner, body.repeat)
        if body.move is None:
            live = await games.new(owner, other.session.setup)
        else:
            live = await games.open(owner, other.session.save_before(body.move))
    elif body.token is not None:
        live = await games.open(owner, share_tokens.unpack(body.token))
    elif body.text is not None:
        live = await _open_text(games, owner, body.text)
    else:
        live = await games.new(owner, await to_thread.run_sync(body.setup))
    return JsonResponse(game_json(live), 201)


async def game(request: Request) -> Response:
    """Return a game."""
    live = await live_game(request)
    async with live.lock:
        return JsonResponse(game_json(live))


async def open_window(request: Request) -> Response:
    """Record that a window has the game open; return how many other windows have it open."""
    body = await read_body(request, WindowBody)
    live = await live_game(request)
    live.clock.report()
    windows = _open_windows(request)
    others = windows.open(live.row.owner, body.window, live.row.id, body.report)
    return JsonResponse({"others": others})


async def close_window(request: Request) -> Response:
    """Record that a window was closed."""
    body = await read_body(request, WindowBody)
    _open_windows(request).close(owner_of(request), body.window, body.report)
    return JsonResponse({})


async def game_board(request: Request) -> Response:
    """Return the shapes of the board of a game, if it is a graph."""
    live = await live_game(request)
    return await board_response(live.session.game.board)


async def resume(request: Request) -> Response:
    """Restart the clock, and return the game."""
    live = await live_game(request)
    async with live.lock:
        live.session.resume()
        return JsonResponse(game_json(live))


async def move(request: Request) -> Response:
    """Make a move, undo, redo or pause; it is stored before the response is sent."""
    body = await read_body(request, MoveBody)
    live = await live_game(request)
    if body.action == PAUSE and not live.session.running:
        return JsonResponse(changes_json(live, ()))
    games, owner, action = games_of(request), live.row.owner, _action(body, live)
    if is_quick(live.session):
        live, changed = await games.act(owner, live.row.id, action, body.after)
    else:
        cancel = Cancel()
        async with cancelled_on_disconnect(request, cancel):
            live, changed = await games.act(owner, live.row.id, action, body.after, cancel)
    return JsonResponse(changes_json(live, changed))


async def set_question_marks(request: Request) -> Response:
    """Store which covered cells have a question mark."""
    body = await read_body(request, QuestionMarksBody)
    live = await live_game(request)
    board = live.session.game.board
    cells = tuple(board.cell(cell) for cell in dict.fromkeys(body.cells))
    await games_of(request).set_question_marks(live, cells)
    return JsonResponse({})


async def mines(request: Request) -> Response:
    """Return the mines of a finished game."""
    live = await live_game(request)
    async with live.lock:  # a move ends the game only when it is stored
        game = live.session.game
        if not game.over or game.layout is None:
            raise IllegalMove("cannot show the mines: the game is not over")
        return JsonResponse({"mines": game.layout.mine_cells.tolist()})


async def share(request: Request) -> Response:
    """Return a game as links and as text."""
    live = await live_game(request)
    async with live.lock:
        session = live.session
        return JsonResponse(
            {
                "layout": _layout_link(session.setup),
                "game": f"#/play?game={share_tokens.pack(session.save())}",
                "text": session.save(),
                "position": write_text(session.position),
            }
        )


ROUTES = [
    Route("/api/games", list_games),
    Route("/api/games", new_game, methods=["POST"]),
    Route("/api/games/{game}", game),
    Route("/api/games/{game}/open", open_window, methods=["POST"]),
    Route("/api/games/{game}/close", close_window, methods=["POST"]),
    Route("/api/games/{game}/board", game_board),
    Route("/api/games/{game}/resume", resume, methods=["POST"]),
    Route("/api/games/{game}/moves", move, methods=["POST"]),
    Route("/api/games/{game}/question-marks", set_question_marks, methods=["POST"]),
    Route("/api/games/{game}/mines", mines),
    Route("/api/games/{game}/share", share),
]


def _open_windows(request: Request) -> OpenWindows:
    windows: OpenWindows = request.app.state.open_windows
    return windows


def _action(body: MoveBody, live: LiveGame) -> Move | str:
    if body.action in CONTROL_EVENTS or ACTIONS.get(body.action) is False:
        return body.action
    if body.action not in ACTIONS:
        raise unknown_name("action", body.action, (*ACTIONS, *CONTROL_EVENTS))
    if body.cell is None:
        raise NotationError(f"expected a cell to {body.action}")
    return Move(body.action, live.session.game.board.cell(body.cell))


async def _open_text(games: Games, owner: str, text: str) -> LiveGame:
    """Open a saved game or a replay, or start a game on a layout."""
    if is_game(text):
        return await games.open(owner, text)
    await to_thread.run_sync(limits.check_text, text)
    layout = await to_thread.run_sync(Layout.parse, text)
    limits.check_board(layout.board)
    return await games.new(owner, GameSetup.from_layout(layout))


def _layout_link(setup: GameSetup) -> str:
    board = setup.rules.board
    if setup.layout is not None or board.tiling is None:
        return f"#/play?game={share_tokens.pack(setup.format())}"
    parameters = {
        "size": format_size(setup.rules),
        "tiling": board.tiling,
        "rule": setup.rules.rule,
        "seed": str(setup.seed),
    }
    if setup.generator != "plain":
        parameters["generator"] = setup.generator
    return f"#/play?{urlencode(parameters, safe='/')}"


def game_json(live: LiveGame) -> Json:
    """Return everything that the page needs to show a game."""
    session = live.session
    rules = session.setup.rules
    board = rules.board
    on_tiling = board.tiling is not None
    return {
        "id": live.row.id,
        "title": live.row.title,
        "board": shapes_of(board) if on_tiling else f"/api/games/{live.row.id}/board",
        "tiling": board.tiling,
        "size": format_size(rules) if on_tiling else None,
        "rule": rules.rule if session.setup.layout is None else None,
        "generator": session.setup.generator if session.setup.layout is None else "layout",
        "mines": rules.mines,
        "marks": session.position.marks.tolist(),
        "question_marks": list(live.question_marks),
        "state": state_json(live),
    }


def changes_json(live: LiveGame, changed: Iterable[int]) -> Json:
    """Return the cells that a move changed, with their marks, and the state."""
    cells = np.asarray(changed, dtype=np.int64)
    return {
        "cells": cells.tolist(),
        "marks": live.session.position.marks[cells].tolist(),
        "state": state_json(live),
    }


def state_json(live: LiveGame) -> Json:
    """Return the outcome, clock and counts of a game, which are part of every response."""
    session = live.session
    game = session.game
    return {
        "events": count_board_events(session),
        "outcome": game.outcome,
        "exploded": sorted(game.exploded),
        "flags": len(session.position.flags),
        "milliseconds": session.milliseconds,
        "running": session.running,
        "clicks": session.clicks,
        "three_bv": session.three_bv,
        "three_bv_total": game.layout.three_bv if game.over and game.layout is not None else None,
        "undos": session.undos,
        "hints": session.hints,
        "losses": session.losses,
        "continues": game.continues,
        "helped": session.helped,
        "repeated": live.row.repeated,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }


@dataclass(frozen=True)
class WindowReport:
    """The last report of a window; `game` is None if the window was closed."""

    game: str | None
    number: int


class OpenWindows:
    """The windows that reported recently, each with the game that it has open.

    Requests may arrive out of order, for example when a page is closed. So reports are numbered,
    and one with a lower number than an earlier report of the same window changes nothing.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._reports = TTLCache[tuple[str, str], WindowReport](
            MAX_WINDOWS, WINDOW_SECONDS, timer=clock
        )

    def open(self, owner: str, window: str, game: str, number: int = 0) -> int:
        """Record the game that a window has open; return how many other windows have it open."""
        self._record((owner, window), game, number)
        return sum(
            report.game == game and key != (owner, window) for key, report in self._reports.items()
        )

    def close(self, owner: str, window: str, number: int = 0) -> None:
        """Record that a window was closed."""
        self._record((owner, window), None, number)

    def games(self) -> set[str]:
        """Return the games that are open in any window."""
        return {report.game for report in self._reports.values() if report.game is not None}

    def _record(self, key: tuple[str, str], game: str | None, number: int) -> None:
        last = self._reports.get(key)
        if last is None or number >= last.number:
            self._reports[key] = WindowReport(game, number)
