"""Analyse any position: read it, compute probabilities, prove what is certain, share it as a link.

The page sends a position as `{board, marks, mines}`: the board as its name and size ("hexagonal
9x9") or as the JSON of a graph, the marks as integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import thread_time
from typing import Annotated, Any

import msgspec
import numpy as np
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import COVERED, Position
from sapper.engine.budget import Budget, Cancel
from sapper.errors import Contradiction, NotationError, NotCertain, OutOfBudget
from sapper.formats.json_format import board_from_json, board_to_json
from sapper.formats.registry import PositionOrLayout, is_game, parse_any, write_text
from sapper.games.game import Game
from sapper.games.session import Session
from sapper.generators.certificates import certify
from sapper.generators.grading import grade
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.prover import explain, find_contradiction
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.games import load_session
from sapper.serialize.generated import certificate_json
from sapper.serialize.positions import best_guess_json, proof_json, solutions_json, values_json
from sapper.web.boards import shapes_of
from sapper.web.features.hints import (
    Moves,
    analysis_json,
    cached_analysis,
    win_chance_lines,
    win_chance_stream,
)
from sapper.web.live_games import count_board_events, games_of
from sapper.web.server import limits, share_tokens
from sapper.web.server.http import JsonResponse, owner_of, read_body
from sapper.web.server.workers import BUDGET, work

# Browsers and messengers truncate longer addresses; the text can still be copied.
MAX_LINK_LENGTH = 16_000
# The exact number of solutions is computed after a quick analysis, up to this many digits.
QUICK_SECONDS = 0.3
MAX_DIGITS = 30
# For one cell; the analysis of the whole board has BUDGET.
CELL_BUDGET = Budget(seconds=10, memory=BUDGET.memory)


class SourceBody(msgspec.Struct):
    """Where a position comes from: text in any format, a share token, or a game."""

    text: str | None = None
    token: str | None = None
    game: str | None = None


class PositionBody(msgspec.Struct):
    """A position from the editor."""

    board: str | dict[str, Any]
    marks: list[Annotated[int, msgspec.Meta(ge=-2, lt=2**31)]]
    mines: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] | None = None
    trust_flags: bool = False

    def position(self) -> Position:
        """Build the position; reject a board that is too large before it is built."""
        board = {"board": self.board} if isinstance(self.board, str) else self.board
        if "board" in board:
            limits.check_text(str(board["board"]))
        built = board_from_json(board)
        limits.check_board(built)
        return Position(built, self.marks, self.mines)


class PositionMovesBody(PositionBody):
    """A position, and the cells to compare."""

    moves: Moves = ()


class PositionCellBody(PositionBody, kw_only=True):
    """A position and one of its cells."""

    cell: int


class LayoutBody(msgspec.Struct):
    """A layout with its first click, as text."""

    layout: str


async def read(request: Request) -> Response:
    """Return a position for the editor, and its layout if that is known."""
    body = await read_body(request, SourceBody, limits.TEXT_BODY)
    layout = None
    if body.game is not None:
        position, layout = await _position_of_game(request, body.game)
    elif body.text is None and body.token is None:
        raise NotationError("expected a text, a token or a game")
    else:
        text = body.text
        if text is None:
            text = share_tokens.unpack(body.token or "", "position")
        limiter = games_of(request).load_limiter if is_game(text) else None
        position, layout = await to_thread.run_sync(read_text, text, limiter=limiter)
    content = await to_thread.run_sync(editor_json, position)
    return JsonResponse({**content, "layout": None if layout is None else write_text(layout)})


async def analysis(request: Request) -> Response:
    """Return the analysis of a position, or the numbers that contradict each other."""
    body = await read_body(request, PositionBody, limits.TEXT_BODY)
    position = await to_thread.run_sync(body.position)
    return JsonResponse(
        await work(request, lambda cancel: _analysis_json(position, body.trust_flags, cancel))
    )


async def win_chance(request: Request) -> Response:
    """Stream the win chance of a position, or of moves in it."""
    body = await read_body(request, PositionMovesBody, limits.TEXT_BODY)
    position = await to_thread.run_sync(body.position)
    lines = win_chance_lines(request, position, body.moves, body.trust_flags)
    return win_chance_stream(await anext(lines), lines)


async def values(request: Request) -> Response:
    """Return the probability of each value that one cell may show."""
    body = await read_body(request, PositionCellBody, limits.TEXT_BODY)
    position = await to_thread.run_sync(body.position)
    cell = position.board.cell(body.cell)

    def find(cancel: Cancel) -> Mapping[int, float] | None:
        limit = CELL_BUDGET.start(cancel)
        return cached_analysis(position, body.trust_flags, limit).values(cell, budget=limit)

    return JsonResponse({"cell": cell, "values": values_json(await work(request, find))})


async def proof(request: Request) -> Response:
    """Return a smallest proof of what is certain about one cell."""
    body = await read_body(request, PositionCellBody, limits.TEXT_BODY)
    position = await to_thread.run_sync(body.position)
    move = Move("either", position.board.cell(body.cell))

    def find(cancel: Cancel) -> Json:
        result = explain(
            position, move, trust_flags=body.trust_flags, budget=CELL_BUDGET, cancel=cancel
        )
        text = DIFFICULTIES[result.difficulty].text
        return {**proof_json(result, BY_INDEX), "difficulty_text": text}

    return JsonResponse(await work(request, find))


async def certificate(request: Request) -> Response:
    """Return the steps that win a layout without a guess, or how many guesses it needs."""
    body = await read_body(request, LayoutBody, limits.TEXT_BODY)
    layout = await to_thread.run_sync(parse_text, body.layout)
    if not isinstance(layout, Layout) or layout.click is None:
        raise NotationError("expected a layout with its first click")
    return JsonResponse(
        await work(request, lambda cancel: _certificate_json(layout, cancel), long=True)
    )


ROUTES = [
    Route("/api/position", read, methods=["POST"]),
    Route("/api/analysis", analysis, methods=["POST"]),
    Route("/api/analysis/win-chance", win_chance, methods=["POST"]),
    Route("/api/analysis/values", values, methods=["POST"]),
    Route("/api/analysis/proof", proof, methods=["POST"]),
    Route("/api/analysis/certificate", certificate, methods=["POST"]),
]


def read_text(text: str) -> tuple[Position, Layout | None]:
    """Read a position, a layout (after its first click) or a saved game (after its last move).

    The layout is known from a text with a layout, or from a game that is over.
    """
    if is_game(text):
        session = load_session(text, max_cells=limits.MAX_CELLS, max_events=limits.MAX_EVENTS)
        return session.position, _finished_layout(session)
    parsed = parse_text(text)
    if isinstance(parsed, Position):
        return parsed, None
    return start_game(parsed).position, None if parsed.click is None else parsed


def _finished_layout(session: Session) -> Layout | None:
    """Return the layout of a game that is over, with its first click."""
    first = next((event.move for event in session.log if event.move is not None), None)
    if not session.game.over or session.game.layout is None or first is None:
        return None
    if first.action != "reveal" or first.cell in session.game.layout.mine_cells:
        return None
    layout = session.game.layout
    return Layout(layout.board, layout.mine_mask, first.cell)


def parse_text(text: str) -> PositionOrLayout:
    """Parse a position or a layout; reject boards that are too large."""
    limits.check_text(text)
    parsed = parse_any(text)
    limits.check_board(parsed.board)
    return parsed


def start_game(layout: Layout) -> Game:
    """Start a game on a layout, and make its first click if it has one."""
    game = Game.from_layout(layout)
    if layout.click is not None:
        game.play(Move("reveal", layout.click))
    return game


async def _position_of_game(request: Request, game: str) -> tuple[Position, Layout | None]:
    """Return the position of a game; while the game is played, that counts as help."""
    live = await games_of(request).get(owner_of(request), game)
    session = live.session
    if session.game.layout is not None and not session.game.over:
        await games_of(request).count_hint(live, count_board_events(session), ["all"])
    return live.session.position, _finished_layout(live.session)


def editor_json(position: Position) -> Json:
    """Return a position for the editor."""
    board = position.board
    on_tiling = board.tiling is not None
    return {
        "board": str(board) if on_tiling else board_to_json(board),
        "shapes": shapes_of(board),
        "tiling": board.tiling,
        "size": list(board.size) if on_tiling else None,
        "marks": position.marks.tolist(),
        "mines": position.mines,
        **text_json(position),
    }


def text_json(position: Position) -> Json:
    """Return a position as text, and as a link unless that would be too long."""
    text = write_text(position)
    token = share_tokens.pack(text)
    return {
        "text": text,
        "link": f"#/analyse?position={token}" if len(token) <= MAX_LINK_LENGTH else None,
    }


def _analysis_json(position: Position, trust_flags: bool, cancel: Cancel) -> Json:
    start = thread_time()
    limit = BUDGET.start(cancel)
    try:
        analysis = cached_analysis(position, trust_flags, limit)
    except Contradiction as error:
        conflict = _contradiction_json(position, trust_flags, error, cancel)
        return {**text_json(position), "contradiction": conflict}
    is_quick = thread_time() - start < QUICK_SECONDS
    return {
        **text_json(position),
        "contradiction": None,
        **analysis_json(analysis),
        **solutions_json(analysis, MAX_DIGITS if is_quick else None),
        "guess": best_guess_json(analysis, limit, BY_INDEX),
    }


def _certificate_json(layout: Layout, cancel: Cancel) -> Json:
    """Return the steps of a certificate with the marks that each changes, or the guesses needed."""
    limit = CELL_BUDGET.start(cancel)
    try:
        result = certify(layout, budget=limit)
    except NotCertain:
        return {"steps": None, "guesses": grade(layout, budget=limit).guesses}
    game = start_game(layout)
    steps = []
    for step, moves in zip(result.steps, certificate_json(result, BY_INDEX), strict=True):
        before = game.position
        for action, cells in (("flag", step.flag), ("reveal", step.reveal)):
            for cell in cells:
                if game.position.marks[cell] == COVERED:
                    game.play(Move(action, cell))
        changed = np.flatnonzero(before.marks != game.position.marks)
        marks = game.position.marks[changed].tolist()
        text = DIFFICULTIES[step.difficulty].text
        steps.append({**moves, "difficulty_text": text, "cells": changed.tolist(), "marks": marks})
    start = start_game(layout).position.marks.tolist()
    hardest = DIFFICULTIES[result.difficulty].text if result.steps else None
    return {"steps": steps, "start": start, "difficulty_text": hardest, "guesses": 0}


def _contradiction_json(
    position: Position, trust_flags: bool, error: Contradiction, cancel: Cancel
) -> Json:
    """Return numbers that contradict each other: a smallest set, if one is found in time."""
    try:
        smallest = find_contradiction(
            position, trust_flags=trust_flags, budget=CELL_BUDGET, cancel=cancel
        )
        error = smallest or error
    except OutOfBudget:
        pass
    return {
        "numbers": list(error.number_cells),
        "uses_mine_count": error.uses_mine_count,
        "text": str(error),
        **BY_INDEX.pieces(error.sentence),
    }
