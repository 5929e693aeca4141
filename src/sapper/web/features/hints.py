"""Help in a game: hints, probabilities, win chances, and the values that a cell may show.

All help is counted, once for each position, and the count is on disk before the answer is sent.
An answer contains nothing beyond the requested detail.

Win chances are streams of newline-delimited JSON: a first estimate at once, then better ones, until
the estimate is good enough or the client disconnects.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from threading import Lock
from time import monotonic
from typing import Annotated, TypeVar

import msgspec
from cachetools import LRUCache, cached
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import Analysis, analyse, tied_for_least
from sapper.engine.budget import Budget, Cancel, Limit
from sapper.errors import IllegalMove
from sapper.games.win_chance import refine_move_win_chances, refine_win_chance
from sapper.generators.layouts import NO_GUESS
from sapper.players.hints import hint as find_hint
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.hints import check_detail
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.positions import (
    best_guess_json,
    compared_moves_json,
    hint_json,
    probabilities_json,
    values_json,
    win_chance_json,
)
from sapper.web.live_games import LiveGame, count_board_events, games_of, live_game
from sapper.web.server.http import CellBody, EmptyBody, JsonResponse, read_body
from sapper.web.server.workers import BUDGET, stream_work, work

T = TypeVar("T")

# The hint before the first click, by the rule of the first click.
FIRST_CLICK_TEXTS = {
    "zero": "There are no mines yet: the first click opens an area, wherever you click.",
    "safe": "There are no mines yet: the first click is not a mine, wherever you click.",
    "any": "Nothing is known yet: every cell is equally likely to be a mine.",
}

# For the choice of a guess: short, so that the probabilities appear soon.
GUESS_BUDGET = Budget(seconds=0.5, memory=BUDGET.memory)

# A stream ends after these seconds or samples, or when the interval is this narrow.
STREAM_BUDGET = Budget(seconds=10, memory=BUDGET.memory)
MAX_SAMPLES = 5_000
MAX_MOVE_SAMPLES = 2_000
TARGET_WIDTH = 0.03
# The least time between two lines of a stream.
LINE_SECONDS = 0.06
MAX_MOVES = 8

Moves = Annotated[tuple[int, ...], msgspec.Meta(max_length=MAX_MOVES)]

# Single cells are requested while the page shows the probabilities of the same position.
CACHED_ANALYSES = 16


class HintBody(msgspec.Struct):
    """The level of detail, from 1 to 4."""

    detail: int


class MovesBody(msgspec.Struct):
    """The cells to compare; empty for the win chance of the position itself."""

    moves: Moves = ()


async def hint(request: Request) -> Response:
    """Return a hint of the requested detail."""
    body = await read_body(request, HintBody)
    live, detail = await live_game(request), check_detail(body.detail)
    event_count, position = await position_in_play(live)
    if live.session.game.layout is None:
        return JsonResponse({"detail": detail, **_before_first_click(live)})
    result = await work(
        request, lambda cancel: find_hint(position, detail, budget=BUDGET, cancel=cancel)
    )
    kinds = [f"detail {level}" for level in range(1, detail + 1)]
    await games_of(request).count_hint(live, event_count, kinds)
    difficulty = result.difficulty
    return JsonResponse(
        {
            **hint_json(result, BY_INDEX),
            "difficulty_text": None if difficulty is None else DIFFICULTIES[difficulty].text,
            "state": help_state(live),
            "at": event_count,
        }
    )


async def probabilities(request: Request) -> Response:
    """Return the probability of every covered cell, and the best guess."""
    await read_body(request, EmptyBody)
    live = await live_game(request)
    event_count, position = await position_in_play(live)
    if live.session.game.layout is None:
        return JsonResponse({**_before_first_click(live), "cells": [], "probabilities": []})

    def find(cancel: Cancel) -> Json:
        analysis = cached_analysis(position, False, BUDGET.start(cancel))
        return {**analysis_json(analysis), "guess": _guess(analysis, cancel)}

    result = await work(request, find)
    await games_of(request).count_hint(live, event_count, ["probabilities"])
    return JsonResponse({**result, "state": help_state(live), "at": event_count})


async def values(request: Request) -> Response:
    """Return the probability of each value that a cell may show."""
    body = await read_body(request, CellBody)
    live = await live_game(request)
    event_count, position = await position_in_play(live)
    cell = position.board.cell(body.cell)
    if live.session.game.layout is None:
        return JsonResponse({**_before_first_click(live), "values": None})

    def find(cancel: Cancel) -> Mapping[int, float] | None:
        limit = BUDGET.start(cancel)
        return cached_analysis(position, False, limit).values(cell, budget=limit)

    result = values_json(await work(request, find))
    await games_of(request).count_hint(live, event_count, ["probabilities"])
    return JsonResponse(
        {"cell": cell, "values": result, "state": help_state(live), "at": event_count}
    )


async def win_chance(request: Request) -> Response:
    """Stream the win chance in a game, which counts as help."""
    body = await read_body(request, MovesBody)
    live = await live_game(request)
    event_count, position = await position_in_play(live)
    if live.session.game.layout is None:
        raise IllegalMove("the win chance is known after the first click")
    lines = win_chance_lines(request, position, body.moves, False)
    first = await anext(lines)
    if live.help_event_count != event_count or not live.help_given:
        # The page shows it beside the probabilities: together they count once.
        await games_of(request).count_hint(live, event_count, ["probabilities"])
    return win_chance_stream({**first, "state": help_state(live), "at": event_count}, lines)


async def justified(request: Request) -> Response:
    """Return whether a click is justified: it is certainly safe, or no reveal is.

    The answer counts as help only if it is no.
    """
    body = await read_body(request, CellBody)
    live = await live_game(request)
    event_count, position = await position_in_play(live)
    cell = position.board.cell(body.cell)
    if live.session.game.layout is None:
        return JsonResponse({"justified": True, "state": help_state(live), "at": event_count})
    analysis = await work(
        request, lambda cancel: cached_analysis(position, False, BUDGET.start(cancel))
    )
    safe = set(analysis.safe_cells.tolist())
    is_justified = not safe or safe.issuperset(_revealed_by(position, cell))
    if not is_justified:
        await games_of(request).count_hint(live, event_count, ["certain move"])
    return JsonResponse({"justified": is_justified, "state": help_state(live), "at": event_count})


ROUTES = [
    Route("/api/games/{game}/hint", hint, methods=["POST"]),
    Route("/api/games/{game}/probabilities", probabilities, methods=["POST"]),
    Route("/api/games/{game}/values", values, methods=["POST"]),
    Route("/api/games/{game}/win-chance", win_chance, methods=["POST"]),
    Route("/api/games/{game}/justified", justified, methods=["POST"]),
]


def _guess(analysis: Analysis, cancel: Cancel) -> Json | None:
    """Return the best guess, if one is needed and the user has not flagged its cell."""
    guess = best_guess_json(analysis, GUESS_BUDGET.start(cancel), BY_INDEX)
    is_flagged = guess is not None and analysis.position.marks[guess["cell"]] == FLAG
    return None if is_flagged else guess


async def position_in_play(live: LiveGame) -> tuple[int, Position]:
    """Return the number of events so far and the position; raise IllegalMove after the end."""
    async with live.lock:
        session = live.session
        if session.game.over:
            raise IllegalMove(f"no help is available: the game is {session.game.outcome}")
        return count_board_events(session), session.position


def _revealed_by(position: Position, cell: int) -> list[int]:
    """Return the cells that a click reveals: the cell, or by a chord its covered neighbours."""
    if position.marks[cell] < 0:
        return [cell]
    neighbours = position.board.around(cell).tolist()
    return [neighbour for neighbour in neighbours if position.marks[neighbour] == COVERED]


def help_state(live: LiveGame) -> Json:
    """Return the part of a game's state that help changes."""
    return {"hints": live.session.hints, "helped": live.session.helped}


def _before_first_click(live: LiveGame) -> Json:
    setup = live.session.setup
    rule = "any" if setup.layout is not None else setup.rules.rule
    if rule == "any" and setup.generator.startswith(NO_GUESS):
        rule = "safe"  # a no-guess board does not start with a guess
    return {"text": FIRST_CLICK_TEXTS[rule], "certain": rule != "any", "state": help_state(live)}


@cached(
    LRUCache[tuple[Position, bool], Analysis](CACHED_ANALYSES),
    key=lambda position, trust_flags, limit: (position, trust_flags),
    lock=Lock(),
)
def cached_analysis(position: Position, trust_flags: bool, limit: Limit) -> Analysis:
    """Return the analysis of a position from the cache, or compute it."""
    return analyse(position, trust_flags=trust_flags, budget=limit)


def analysis_json(analysis: Analysis) -> Json:
    """Return the probabilities cell by cell, the certain cells, and the safest ones."""
    probabilities = analysis.probability_array
    cells = tied_for_least(probabilities)
    return {
        **probabilities_json(analysis, BY_INDEX),
        "least_risk": float(probabilities[cells].min()) if len(cells) else None,
        "safest": cells.tolist(),
    }


def win_chance_lines(
    request: Request, position: Position, moves: tuple[int, ...], trust_flags: bool
) -> AsyncGenerator[Json, None]:
    """Yield estimates of the win chance of a position, or of moves in it."""

    def find(cancel: Cancel) -> Iterator[Json]:
        limit = STREAM_BUDGET.start(cancel)
        if moves:
            analysed = position if trust_flags else position.without_flags()
            analysis = cached_analysis(analysed, trust_flags, limit)
            estimates = refine_move_win_chances(
                position, moves, samples=MAX_MOVE_SAMPLES, trust_flags=trust_flags, budget=limit
            )
            return (
                compared_moves_json(rows, moves, analysis, limit, BY_INDEX)
                for rows in _throttled(estimates)
            )
        chances = refine_win_chance(
            position, samples=MAX_SAMPLES, width=TARGET_WIDTH, trust_flags=trust_flags, budget=limit
        )
        return map(win_chance_json, _throttled(chances))

    return stream_work(request, find)


def _throttled(items: Iterator[T]) -> Iterator[T]:
    """Yield the first item, then the latest one every LINE_SECONDS, and the last."""
    next_time = 0.0
    pending: list[T] = []
    for item in items:
        pending = [item]
        if monotonic() >= next_time:
            yield item
            pending, next_time = [], monotonic() + LINE_SECONDS
    yield from pending


def win_chance_stream(first: Json, lines: AsyncGenerator[Json, None]) -> Response:
    """Return a response with one line of JSON for each estimate.

    The caller waits for the *first* one, so that an error before it gets its HTTP status.
    """

    async def text() -> AsyncIterator[str]:
        async with aclosing(lines):
            yield _json_line(first)
            async for line in lines:
                yield _json_line(line)

    return StreamingResponse(
        text(), media_type="application/x-ndjson", headers={"cache-control": "no-store"}
    )


def _json_line(content: Json) -> str:
    return json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n"
