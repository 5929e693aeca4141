"""Any position: read it, analyse it, prove what is certain of it, give it away as a link.

A position travels as `{board, marks, mines}`: the board as its name and size ("hexagonal 9x9") or
as the JSON of a graph, the marks as numbers. The page draws it and edits it; the notation, the
odds, the proofs and the links are made here, all from one analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import thread_time

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.guesses import guess_json
from sapper.answers.moves import proof_json
from sapper.answers.odds import numbers_json, placements_json
from sapper.answers.page_words import difficulty, on_page
from sapper.answers.saved_games import load_session
from sapper.answers.spelling import BY_INDEX, Json
from sapper.errors import Contradiction, NotationError, OutOfBudget
from sapper.infer.budget import Budget, Cancel
from sapper.infer.proofs.contradictions import contradiction
from sapper.infer.proofs.prove import explain
from sapper.model.formats import format_frame, is_game, parse_position
from sapper.model.frame import Frame
from sapper.model.game import Game
from sapper.model.json_forms import board_from_json, board_to_json
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.web.games.live import seen
from sapper.web.server import limits
from sapper.web.server.analyses import Analyses, analyses_of
from sapper.web.server.guard import JsonResponse
from sapper.web.server.work import BUDGET, work
from sapper.web.views.nudges import weighed_json
from sapper.web.wire import tokens
from sapper.web.wire.boards import shapes_of
from sapper.web.wire.requests import body_of, games_of, owner_of, text_of

# Browsers and messengers cut off longer addresses; the text can still be copied.
MOST_IN_A_LINK = 16_000
# Beyond so many seconds of work, or so many digits, the exact number of placements is not counted.
QUICK = 0.3
FEW_DIGITS = 30
# What a look at one cell may take; the analysis of the whole board may take BUDGET.
LOOK = Budget(seconds=10, memory=BUDGET.memory)


async def read(request: Request) -> Response:
    """A position for the editor: from text in any notation, from a link, or from a game."""
    data = await body_of(request, limits.TEXT_BODY)
    if "game" in data:
        frame = await _frame_of_game(request, text_of(data, "game"))
    else:
        shared = "token" in data
        text = text_of(data, "token" if shared else "text")
        text = tokens.unpack(text, "position") if shared else text
        reading = games_of(request).reading if is_game(text) else None
        frame = await to_thread.run_sync(read_frame, text, limiter=reading)
    return JsonResponse(await to_thread.run_sync(position_json, frame))


async def describe(request: Request) -> Response:
    """A position in words of others: its text and its link."""
    frame = await _frame(await body_of(request, limits.TEXT_BODY))
    return JsonResponse(await to_thread.run_sync(as_text, frame))


async def answer(request: Request) -> Response:
    """All that follows from a position; where its hints clash, which ones."""
    data = await body_of(request, limits.TEXT_BODY)
    frame, trust = await _frame(data), _trust(data)
    return JsonResponse(await work(request, partial(_answer, analyses_of(request), frame, trust)))


async def numbers(request: Request) -> Response:
    """The probability of each number that one cell may show."""
    data = await body_of(request, limits.TEXT_BODY)
    frame, trust, analyses = await _frame(data), _trust(data), analyses_of(request)
    cell = _cell(frame, data.get("cell"))

    def find(cancel: Cancel) -> Mapping[int, float] | None:
        limit = LOOK.start(cancel)
        return analyses.of(frame, trust, limit).numbers(cell, budget=limit)

    found = await work(request, find)
    return JsonResponse({"cell": cell, "numbers": numbers_json(found)})


async def proof(request: Request) -> Response:
    """A smallest proof of what is certain of one cell."""
    data = await body_of(request, limits.TEXT_BODY)
    frame, trust = await _frame(data), _trust(data)
    move = Move("either", _cell(frame, data.get("cell")))

    def find(cancel: Cancel) -> Json:
        found = explain(frame, move, trust_flags=trust, budget=LOOK, cancel=cancel)
        return {**proof_json(found, BY_INDEX), "difficulty": difficulty(found.rung)}

    return JsonResponse(await work(request, find))


ROUTES = [
    Route("/api/position", read, methods=["POST"]),
    Route("/api/position/text", describe, methods=["POST"]),
    Route("/api/analysis", answer, methods=["POST"]),
    Route("/api/analysis/numbers", numbers, methods=["POST"]),
    Route("/api/analysis/proof", proof, methods=["POST"]),
]


# Reading.


def read_frame(text: str) -> Frame:
    """The frame of a text: a frame, a layout (as its click opens it), or a game as it ends."""
    if is_game(text):
        return load_session(
            text, most_cells=limits.MOST_CELLS, most_events=limits.MOST_EVENTS
        ).frame
    limits.check_text(text)
    position = parse_position(text)
    limits.check_board(position.board)
    return position if isinstance(position, Frame) else _opened(position)


def _opened(layout: Layout) -> Frame:
    game = Game.on(layout)
    if layout.click is not None:
        game.play(Move("reveal", layout.click))
    return game.frame


async def _frame(data: Json) -> Frame:
    return await to_thread.run_sync(_read_position, data)


def _read_position(data: Json) -> Frame:
    board, marks, mines = data.get("board"), data.get("marks"), data.get("mines")
    if isinstance(board, str):
        limits.check_text(board)
        board = {"board": board}
    if not isinstance(board, dict):
        raise NotationError(f"expected a board, got {board!r:.60}")
    if "board" in board:
        limits.check_text(str(board["board"]))
    if not isinstance(marks, list):
        raise NotationError(f"expected marks as a list, got {marks!r:.60}")
    if mines is not None and (type(mines) is not int or not 0 <= mines < 2**31):
        raise NotationError(f"expected a number of mines, got {mines!r:.60}")
    bad = next((mark for mark in marks if type(mark) is not int or not -2 <= mark < 2**31), None)
    if bad is not None:
        raise NotationError(f"expected marks from -2 up, got {bad!r:.60}")
    made = board_from_json(board)
    limits.check_board(made)
    return Frame(made, marks, mines)


def _cell(frame: Frame, cell: object) -> int:
    if type(cell) is not int:
        raise NotationError(f"expected the number of a cell, got {cell!r:.60}")
    return frame.board.cell(cell)


def _trust(data: Json) -> bool:
    trust = data.get("trust_flags", False)
    if type(trust) is not bool:
        raise NotationError(f"expected trust_flags as true or false, got {trust!r:.60}")
    return trust


async def _frame_of_game(request: Request, game: str) -> Frame:
    """What a game shows. While it is played, a look from here is help, and counted as such."""
    live = await games_of(request).get(owner_of(request), game)
    session = live.session
    if session.game.layout is not None and not session.game.over:
        await games_of(request).tell(live, seen(session), ["all"])
    return live.session.frame


# Answering.


def position_json(frame: Frame) -> Json:
    """A position as the editor takes it."""
    board = frame.board
    on_tiling = board.tiling is not None
    return {
        "board": str(board) if on_tiling else board_to_json(board),
        "shapes": shapes_of(board),
        "tiling": board.tiling,
        "size": list(board.size) if on_tiling else None,
        "marks": frame.marks.tolist(),
        "mines": frame.mines,
        **as_text(frame),
    }


def as_text(frame: Frame) -> Json:
    """A position as text, and as a link where it is not too long for one."""
    text = format_frame(frame)
    token = tokens.pack(text)
    return {
        "text": text,
        "link": f"#/analyse?position={token}" if len(token) <= MOST_IN_A_LINK else None,
    }


def _answer(analyses: Analyses, frame: Frame, trust: bool, cancel: Cancel) -> Json:
    start = thread_time()
    limit = BUDGET.start(cancel)
    try:
        analysis = analyses.of(frame, trust, limit)
    except Contradiction as error:
        return {**as_text(frame), "contradiction": _clash(frame, trust, error, cancel)}
    quick = thread_time() - start < QUICK
    return {
        **as_text(frame),
        "contradiction": None,
        **weighed_json(analysis),
        **placements_json(analysis, FEW_DIGITS if quick else None),
        "guess": guess_json(analysis, limit, BY_INDEX),
    }


def _clash(frame: Frame, trust: bool, error: Contradiction, cancel: Cancel) -> Json:
    """The hints that cannot hold together: as few as can be found in a moment."""
    try:
        found = contradiction(frame, trust_flags=trust, budget=LOOK, cancel=cancel)
        error = found or error
    except OutOfBudget:
        pass
    return {
        "hints": [frame.board.cell(name) for name in error.hints],
        "mine_count": error.mine_count,
        "text": on_page(str(error)),
    }
