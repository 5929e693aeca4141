"""Win chances as a stream: a first estimate at once, then better ones as lines of JSON.

The stream ends when the estimate is good enough or the client disconnects.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from time import monotonic
from typing import Annotated, TypeVar

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sapper.board.position import Position
from sapper.engine.budget import Budget, Cancel
from sapper.errors import IllegalMove
from sapper.games.win_chance import (
    MoveWinChance,
    refine_move_win_chances,
    refine_win_chance,
)
from sapper.serialize.analysis import win_chance_json
from sapper.serialize.cells import Json
from sapper.web.features.analyse import PositionBody
from sapper.web.features.hints import help_state, position_in_play
from sapper.web.live_games import games_of, live_game
from sapper.web.server import limits
from sapper.web.server.http import read_body
from sapper.web.server.workers import BUDGET, stream_work

T = TypeVar("T")

# A stream ends after these seconds, these samples, or when its interval is this narrow.
STREAM_BUDGET = Budget(seconds=10, memory=BUDGET.memory)
MAX_SAMPLES = 5_000
MAX_MOVE_SAMPLES = 2_000
WIDTH = 0.03
# Between two lines.
LINE_SECONDS = 0.06
MAX_MOVES = 8

Moves = Annotated[tuple[int, ...], msgspec.Meta(max_length=MAX_MOVES)]


class MovesBody(msgspec.Struct):
    """The cells to compare; none for the win chance of the position."""

    moves: Moves = ()


class PositionMovesBody(PositionBody):
    """A position, and the cells to compare."""

    moves: Moves = ()


async def of_position(request: Request) -> Response:
    """Stream the win chance of a position, or of moves in it."""
    body = await read_body(request, PositionMovesBody, limits.TEXT_BODY)
    position = await to_thread.run_sync(body.position)
    lines = _estimates(request, position, body.moves, body.trust_flags)
    return _stream(await anext(lines), lines)


async def of_game(request: Request) -> Response:
    """Stream the win chance in a game, which counts as help."""
    body = await read_body(request, MovesBody)
    live = await live_game(request)
    at, position = await position_in_play(live)
    if live.session.game.layout is None:
        raise IllegalMove("the win chance is known after the first click")
    lines = _estimates(request, position, body.moves, False)
    first = await anext(lines)
    if live.help_at != at or not live.help_given:
        # The page shows it beside the probabilities: together they count once.
        await games_of(request).count_hint(live, at, ["probabilities"])
    return _stream({**first, "state": help_state(live), "at": at}, lines)


ROUTES = [
    Route("/api/analysis/win-chance", of_position, methods=["POST"]),
    Route("/api/games/{game}/win-chance", of_game, methods=["POST"]),
]


def _estimates(
    request: Request, position: Position, moves: tuple[int, ...], trust_flags: bool
) -> AsyncGenerator[Json, None]:
    def find(cancel: Cancel) -> Iterator[Json]:
        limit = STREAM_BUDGET.start(cancel)
        if moves:
            found = refine_move_win_chances(
                position, moves, samples=MAX_MOVE_SAMPLES, trust_flags=trust_flags, budget=limit
            )
            return map(_moves_json, _thinned(found))
        chances = refine_win_chance(
            position, samples=MAX_SAMPLES, width=WIDTH, trust_flags=trust_flags, budget=limit
        )
        return map(win_chance_json, _thinned(chances))

    return stream_work(request, find)


def _thinned(found: Iterator[T]) -> Iterator[T]:
    """Yield the first, then the latest every LINE_SECONDS, and the last."""
    until = 0.0
    pending: list[T] = []
    for one in found:
        pending = [one]
        if monotonic() >= until:
            yield one
            pending, until = [], monotonic() + LINE_SECONDS
    yield from pending


def _stream(first: Json, lines: AsyncGenerator[Json, None]) -> Response:
    """Return a response of one line of JSON for each estimate.

    The first one exists already, so that an error before it has its status.
    """

    async def text() -> AsyncIterator[str]:
        async with aclosing(lines):
            yield _line(first)
            async for one in lines:
                yield _line(one)

    return StreamingResponse(
        text(), media_type="application/x-ndjson", headers={"cache-control": "no-store"}
    )


def _moves_json(rows: tuple[MoveWinChance, ...]) -> Json:
    """Return the win chances of moves, the best first."""
    return {
        "moves": [
            {
                "cell": one.cell,
                "risk": one.risk,
                **win_chance_json(one.win_chance),
                "behind": one.behind,
                "error": one.error,
            }
            for one in rows
        ]
    }


def _line(content: Json) -> str:
    return json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n"
