"""Playing: games begun, moved in, read again and given away."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.layout import Layout
from sapper.board.move import ACTIONS
from sapper.board.rules import format_size
from sapper.errors import NotationError, unknown_name
from sapper.formats.registry import format_position, is_game
from sapper.games.session import CONTROL_EVENTS, PAUSE, Session
from sapper.games.setup import GameSetup
from sapper.web.menu import drawn
from sapper.web.play import question_marks
from sapper.web.play.game_json import changes_json, game_json, mines_json
from sapper.web.play.live_games import Games, LiveGame, is_quick
from sapper.web.play.open_windows import OpenWindows
from sapper.web.server import limits, share_tokens
from sapper.web.server.requests import games_of, live_game, owner_of, read_body, start_of, text_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import cancelled_on_disconnect

RECENT = 24


async def recent(request: Request) -> Response:
    """The games in progress and then those that ended, and whether a window has them open."""
    rows = await to_thread.run_sync(games_of(request).store.recent, owner_of(request), RECENT)
    held = _holds(request).held()
    listed = [
        {
            "id": row.id,
            "title": row.title,
            "updated": row.touched,
            "repeated": row.again,
            "finished": row.over,
            "open": row.id in held,
        }
        for row in rows
    ]
    return JsonResponse({"games": listed})


async def new_game(request: Request) -> Response:
    """A new game: by its rules, as another one again, or from text or a shared token."""
    data = await read_body(request, limits.TEXT_BODY)
    games, owner = games_of(request), owner_of(request)
    if "repeat" in data:
        other = await games.get(owner, text_of(data, "repeat"))
        live = await games.new(owner, other.session.setup)
    elif "token" in data:
        live = await games.read(owner, share_tokens.unpack(text_of(data, "token")))
    elif "text" in data:
        live = await _from_text(games, owner, text_of(data, "text"))
    else:
        live = await games.new(owner, await to_thread.run_sync(start_of, data))
    return JsonResponse(game_json(live), 201)


async def game(request: Request) -> Response:
    """A game as it stands."""
    live = await live_game(request)
    async with live.lock:
        return JsonResponse(game_json(live))


async def hold(request: Request) -> Response:
    """A window has the game open; how many others have."""
    data = await read_body(request, limits.SMALL_BODY)
    live, window = await live_game(request), _window_of(data)
    return JsonResponse({"others": _holds(request).hold(live.row.owner, window, live.row.id)})


async def release(request: Request) -> Response:
    """A window is closed."""
    data = await read_body(request, limits.SMALL_BODY)
    _holds(request).release(owner_of(request), _window_of(data))
    return JsonResponse({})


async def game_board(request: Request) -> Response:
    """The board of one game, for boards that are not a tiling's."""
    live = await live_game(request)
    return await drawn(live.session.game.board)


async def resume(request: Request) -> Response:
    """A game as it stands, with its clock running on."""
    live = await live_game(request)
    async with live.lock:
        live.session.resume()
        return JsonResponse(game_json(live))


async def move(request: Request) -> Response:
    """One move, undo, redo or pause; it is on disk when it is answered."""
    data = await read_body(request, limits.SMALL_BODY)
    action, after = text_of(data, "action"), data.get("after")
    if action not in ACTIONS and action not in CONTROL_EVENTS:
        raise unknown_name("action", action, (*ACTIONS, *CONTROL_EVENTS))
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

    live = await live_game(request)
    if action == PAUSE and not live.session.running:
        return JsonResponse(changes_json(live, ()))
    act = partial(games_of(request).act, live.row.owner, live.row.id, what, after)
    if is_quick(live.session):
        live, changed = await act()
    else:
        async with cancelled_on_disconnect(request) as cancel:
            live, changed = await act(cancel)
    return JsonResponse(changes_json(live, changed))


async def set_question_marks(request: Request) -> Response:
    """Note which covered cells have a question mark."""
    data = await read_body(request, limits.SMALL_BODY)
    live = await live_game(request)
    cells = question_marks.check_question_marks(data.get("cells"), live.session.game.board)
    await games_of(request).set_question_marks(live, cells)
    return JsonResponse({})


async def mines(request: Request) -> Response:
    """Where the mines were, once the game is over."""
    live = await live_game(request)
    async with live.lock:  # a move that is not on disk yet has not ended the game
        return JsonResponse(mines_json(live))


async def shared(request: Request) -> Response:
    """A game in all the forms in which it can be given away."""
    live = await live_game(request)
    async with live.lock:
        session = live.session
        return JsonResponse(
            {
                "layout": _layout_link(session.setup),
                "game": f"#/play?game={share_tokens.pack(session.save())}",
                "text": session.save(),
                "position": format_position(session.position),
            }
        )


ROUTES = [
    Route("/api/games", recent),
    Route("/api/games", new_game, methods=["POST"]),
    Route("/api/games/{game}", game),
    Route("/api/games/{game}/open", hold, methods=["POST"]),
    Route("/api/games/{game}/close", release, methods=["POST"]),
    Route("/api/games/{game}/board", game_board),
    Route("/api/games/{game}/resume", resume, methods=["POST"]),
    Route("/api/games/{game}/moves", move, methods=["POST"]),
    Route("/api/games/{game}/question-marks", set_question_marks, methods=["POST"]),
    Route("/api/games/{game}/mines", mines),
    Route("/api/games/{game}/share", shared),
]


def _holds(request: Request) -> OpenWindows:
    holds: OpenWindows = request.app.state.holds
    return holds


def _window_of(data: dict[str, Any]) -> str:
    window = text_of(data, "window")
    if not 1 <= len(window) <= 64:
        raise NotationError(f"expected a window's name of 1 to 64 letters, got {window!r:.60}")
    return window


async def _from_text(games: Games, owner: str, text: str) -> LiveGame:
    """A game from a saved one or a replay, or a fresh one on a layout."""
    if is_game(text):
        return await games.read(owner, text)
    await to_thread.run_sync(limits.check_text, text)
    layout = await to_thread.run_sync(Layout.parse, text)
    limits.check_board(layout.board)
    return await games.new(owner, GameSetup.from_layout(layout))


def _layout_link(start: GameSetup) -> str:
    board = start.rules.board
    if start.layout is not None or board.tiling is None:
        return f"#/play?game={share_tokens.pack(start.format())}"
    words = {
        "size": format_size(start.rules),
        "tiling": board.tiling,
        "rule": start.rules.rule,
        "seed": str(start.seed),
    }
    if start.generator != "plain":
        words["deal"] = start.generator
    return f"#/play?{urlencode(words, safe='/')}"
