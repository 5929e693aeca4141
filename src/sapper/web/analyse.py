"""Any position: read it, analyse it, prove what is certain of it, give it away as a link.

A position travels as `{board, marks, mines}`: the board as its name and size ("hexagonal 9x9") or
as the JSON of a graph, the marks as numbers. The page draws it and edits it; the notation, the
probabilities, the proofs and the links are made here, all from one analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import thread_time

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.budget import Budget, Cancel
from sapper.errors import Contradiction, NotationError, OutOfBudget
from sapper.formats.json_format import board_from_json, board_to_json
from sapper.formats.registry import format_position, is_game, parse_any
from sapper.games.game import Game
from sapper.proofs.contradictions import find_contradiction
from sapper.proofs.prover import explain
from sapper.serialize.analysis import solutions_json, values_json
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.guesses import guess_json
from sapper.serialize.moves import proof_json
from sapper.serialize.page_words import difficulty_text
from sapper.serialize.saved_games import load_session
from sapper.web.boards import shapes_of
from sapper.web.play.hints import analysis_json
from sapper.web.play.live_games import seen
from sapper.web.server import limits, share_tokens
from sapper.web.server.analyses import AnalysisCache, analyses_of
from sapper.web.server.requests import games_of, owner_of, read_body, text_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import BUDGET, work

# Browsers and messengers cut off longer addresses; the text can still be copied.
MAX_LINK_LENGTH = 16_000
# Beyond so many seconds of work, or so many digits, the exact number of solutions is not counted.
QUICK = 0.3
FEW_DIGITS = 30
# What a look at one cell may take; the analysis of the whole board may take BUDGET.
CELL_BUDGET = Budget(seconds=10, memory=BUDGET.memory)


async def read(request: Request) -> Response:
    """A position for the editor: from text in any notation, from a link, or from a game."""
    data = await read_body(request, limits.TEXT_BODY)
    if "game" in data:
        position = await _position_of_game(request, text_of(data, "game"))
    else:
        shared = "token" in data
        text = text_of(data, "token" if shared else "text")
        text = share_tokens.unpack(text, "position") if shared else text
        reading = games_of(request).reading if is_game(text) else None
        position = await to_thread.run_sync(read_position, text, limiter=reading)
    return JsonResponse(await to_thread.run_sync(position_json, position))


async def describe(request: Request) -> Response:
    """A position in words of others: its text and its link."""
    position = await _position(await read_body(request, limits.TEXT_BODY))
    return JsonResponse(await to_thread.run_sync(as_text, position))


async def answer(request: Request) -> Response:
    """All that follows from a position; where its numbers clash, which ones."""
    data = await read_body(request, limits.TEXT_BODY)
    position, trust = await _position(data), _trust(data)
    return JsonResponse(
        await work(request, partial(_answer, analyses_of(request), position, trust))
    )


async def values(request: Request) -> Response:
    """The probability of each number that one cell may show."""
    data = await read_body(request, limits.TEXT_BODY)
    position, trust, analyses = await _position(data), _trust(data), analyses_of(request)
    cell = _cell(position, data.get("cell"))

    def find(cancel: Cancel) -> Mapping[int, float] | None:
        limit = CELL_BUDGET.start(cancel)
        return analyses.of(position, trust, limit).values(cell, budget=limit)

    found = await work(request, find)
    return JsonResponse({"cell": cell, "values": values_json(found)})


async def proof(request: Request) -> Response:
    """A smallest proof of what is certain of one cell."""
    data = await read_body(request, limits.TEXT_BODY)
    position, trust = await _position(data), _trust(data)
    move = Move("either", _cell(position, data.get("cell")))

    def find(cancel: Cancel) -> Json:
        found = explain(position, move, trust_flags=trust, budget=CELL_BUDGET, cancel=cancel)
        return {**proof_json(found, BY_INDEX), "difficulty_text": difficulty_text(found.difficulty)}

    return JsonResponse(await work(request, find))


ROUTES = [
    Route("/api/position", read, methods=["POST"]),
    Route("/api/position/text", describe, methods=["POST"]),
    Route("/api/analysis", answer, methods=["POST"]),
    Route("/api/analysis/values", values, methods=["POST"]),
    Route("/api/analysis/proof", proof, methods=["POST"]),
]


# Reading.


def read_position(text: str) -> Position:
    """The position of a text: a position, a layout (as its click opens it), or a game as it ends."""
    if is_game(text):
        return load_session(text, max_cells=limits.MAX_CELLS, max_events=limits.MAX_EVENTS).position
    limits.check_text(text)
    position = parse_any(text)
    limits.check_board(position.board)
    return position if isinstance(position, Position) else _opened(position)


def _opened(layout: Layout) -> Position:
    game = Game.from_layout(layout)
    if layout.click is not None:
        game.play(Move("reveal", layout.click))
    return game.position


async def _position(data: Json) -> Position:
    return await to_thread.run_sync(_read_any, data)


def _read_any(data: Json) -> Position:
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
    return Position(made, marks, mines)


def _cell(position: Position, cell: object) -> int:
    if type(cell) is not int:
        raise NotationError(f"expected the number of a cell, got {cell!r:.60}")
    return position.board.cell(cell)


def _trust(data: Json) -> bool:
    trust = data.get("trust_flags", False)
    if type(trust) is not bool:
        raise NotationError(f"expected trust_flags as true or false, got {trust!r:.60}")
    return trust


async def _position_of_game(request: Request, game: str) -> Position:
    """What a game shows. While it is played, a look from here is help, and counted as such."""
    live = await games_of(request).get(owner_of(request), game)
    session = live.session
    if session.game.layout is not None and not session.game.over:
        await games_of(request).tell(live, seen(session), ["all"])
    return live.session.position


# Answering.


def position_json(position: Position) -> Json:
    """A position as the editor takes it."""
    board = position.board
    on_tiling = board.tiling is not None
    return {
        "board": str(board) if on_tiling else board_to_json(board),
        "shapes": shapes_of(board),
        "tiling": board.tiling,
        "size": list(board.size) if on_tiling else None,
        "marks": position.marks.tolist(),
        "mines": position.mines,
        **as_text(position),
    }


def as_text(position: Position) -> Json:
    """A position as text, and as a link where it is not too long for one."""
    text = format_position(position)
    token = share_tokens.pack(text)
    return {
        "text": text,
        "link": f"#/analyse?position={token}" if len(token) <= MAX_LINK_LENGTH else None,
    }


def _answer(analyses: AnalysisCache, position: Position, trust: bool, cancel: Cancel) -> Json:
    start = thread_time()
    limit = BUDGET.start(cancel)
    try:
        analysis = analyses.of(position, trust, limit)
    except Contradiction as error:
        return {**as_text(position), "contradiction": _clash(position, trust, error, cancel)}
    quick = thread_time() - start < QUICK
    return {
        **as_text(position),
        "contradiction": None,
        **analysis_json(analysis),
        **solutions_json(analysis, FEW_DIGITS if quick else None),
        "guess": guess_json(analysis, limit, BY_INDEX),
    }


def _clash(position: Position, trust: bool, error: Contradiction, cancel: Cancel) -> Json:
    """The numbers that cannot hold together: as few as can be found in a moment."""
    try:
        found = find_contradiction(position, trust_flags=trust, budget=CELL_BUDGET, cancel=cancel)
        error = found or error
    except OutOfBudget:
        pass
    return {
        "numbers": list(error.number_cells),
        "uses_mine_count": error.uses_mine_count,
        "text": str(error),
        **BY_INDEX.pieces(error.sentence),
    }
