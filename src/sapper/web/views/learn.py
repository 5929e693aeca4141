"""Learning: the lessons, positions to practise on, what is said to a move, and how far one came.

Moves are judged here, and every reason that is shown is one of the step that the lesson teaches.
"""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.page_words import on_page
from sapper.answers.spelling import BY_INDEX, Json
from sapper.errors import NoSuchGame, NotationError
from sapper.infer.budget import Budget, Cancel, Limit
from sapper.infer.proofs.sentences import named
from sapper.model.deal import fresh_seed
from sapper.model.frame import Frame
from sapper.model.move import Move
from sapper.model.stream import SEEDS
from sapper.render.svg import proof_svg
from sapper.web.learning import progress
from sapper.web.learning.lessons import LESSONS, Lesson
from sapper.web.learning.practice import (
    Position,
    Reply,
    answer,
    first_board,
    mirrored,
    practice,
    reply,
)
from sapper.web.server import limits
from sapper.web.server.guard import JsonResponse
from sapper.web.server.work import work
from sapper.web.wire.boards import shapes_of
from sapper.web.wire.requests import body_of, games_of, owner_of, text_of, whole_of

BUDGET = Budget(seconds=10, memory=1_000_000_000)
GIVE_UP = "answer"


async def lessons(request: Request) -> Response:
    """The whole path, and how far the one who asks has come on it."""
    document = await to_thread.run_sync(
        games_of(request).store.kept, owner_of(request), progress.DOCUMENT
    )
    rows = [
        {**_lesson_json(lesson), "progress": progress.progress_of(document, lesson.name)}
        for lesson in LESSONS
    ]
    return JsonResponse({"lessons": rows, "sits": progress.SITS})


async def position(request: Request) -> Response:
    """A position to practise on: that of a seed, or a fresh one."""
    data = await body_of(request, limits.SMALL_BODY)
    lesson = _lesson(request)
    seed = fresh_seed() // 2 if data.get("seed") is None else _seed(data)
    found = await work(request, lambda cancel: practice(lesson, seed, BUDGET.start(cancel)))
    return JsonResponse({"seed": str(seed), **_position_json(found)})


async def judge(request: Request) -> Response:
    """What is said to a move on the first board, or on that of a seed; the first try counts."""
    data = await body_of(request, limits.SMALL_BODY)
    lesson, action = _lesson(request), text_of(data, "action")
    seed = None if data.get("seed") is None else _seed(data)
    move = None if action == GIVE_UP else Move(action, whole_of(data, "cell"))

    def find(cancel: Cancel) -> tuple[Position, Reply | None]:
        limit = BUDGET.start(cancel)
        there = _position(lesson, seed, limit)
        return there, None if move is None else reply(lesson, there, move, limit)

    there, said = await work(request, find)
    done = seed is None and said is not None and _is_done(lesson, data, said)
    document = await _note(request, lesson, data, said, seed, done)
    told = (
        _given_up(lesson, there, seed) if said is None else _reply_json(lesson, there, said, seed)
    )
    now = progress.progress_of(document, lesson.name)
    return JsonResponse({**told, "done": done, "progress": now})


async def picture(request: Request) -> Response:
    """The step of a lesson, drawn: its hints outlined and what follows marked."""
    lesson = _lesson(request)
    drawn = await to_thread.run_sync(_picture, lesson)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-cache"})


ROUTES = [
    Route("/api/learn", lessons),
    Route("/api/learn/{lesson}/picture", picture),
    Route("/api/learn/{lesson}/position", position, methods=["POST"]),
    Route("/api/learn/{lesson}/moves", judge, methods=["POST"]),
]


def _lesson(request: Request) -> Lesson:
    name = request.path_params["lesson"]
    found = next((lesson for lesson in LESSONS if lesson.name == name), None)
    if found is None:
        raise NoSuchGame(f"expected a lesson, got {name!r:.60}")
    return found


def _picture(lesson: Lesson) -> str:
    there = mirrored(lesson, BUDGET.start())
    one, move = answer(there)
    return proof_svg(there.frame, move, one.hints)


def _seed(data: Json) -> int:
    text = text_of(data, "seed")
    if not (text.isascii() and text.isdigit() and int(text) < SEEDS // 2):
        raise NotationError(f"expected a seed below {SEEDS // 2}, got {text!r:.60}")
    return int(text)


def _position(lesson: Lesson, seed: int | None, limit: Limit) -> Position:
    return first_board(lesson, limit) if seed is None else practice(lesson, seed, limit)


async def _note(
    request: Request, lesson: Lesson, data: Json, said: Reply | None, seed: int | None, done: bool
) -> object:
    """Keep what was learned; a second try at the same position changes nothing."""
    store, owner, name = games_of(request).store, owner_of(request), lesson.name
    if done:
        return await store.change(
            owner, progress.DOCUMENT, lambda old: progress.with_first_board(old, name)
        )
    # A move that is right by another step is neither here nor there.
    counts = said is None or said.of_step or not said.right
    if seed is not None and data.get("first") is True and counts:
        right = said is not None and said.right
        return await store.change(
            owner, progress.DOCUMENT, lambda old: progress.with_try(old, name, right)
        )
    return await to_thread.run_sync(store.kept, owner, progress.DOCUMENT)


def _is_done(lesson: Lesson, data: Json, said: Reply) -> bool:
    """Whether all moves of the first board are found with this one."""
    before = data.get("found", [])
    if not isinstance(before, list) or not all(type(cell) is int for cell in before):
        raise NotationError(f"expected cells that were found, got {before!r:.60}")
    return said.of_step and len({*before, *said.cells}) >= len(lesson.moves)


def _lesson_json(lesson: Lesson) -> Json:
    """A lesson with its first board."""
    frame = lesson.frame
    return {
        "name": lesson.name,
        "part": lesson.part,
        "title": on_page(lesson.title),
        "teaches": on_page(lesson.teaches),
        "task": on_page(lesson.task),
        "ask": on_page(lesson.ask),
        "wanted": len(lesson.moves),
        "hints": [frame.board.cell(name) for name in lesson.hints.split()],
        "mine_count": lesson.source == "count",
        **_frame_json(frame),
    }


def _frame_json(frame: Frame) -> Json:
    left = None if frame.mines is None else frame.mines - len(frame.flags)
    return {"board": shapes_of(frame.board), "marks": frame.marks.tolist(), "left": left}


def _position_json(there: Position) -> Json:
    one, _ = answer(there)
    return {
        **_frame_json(there.frame),
        "hints": list(one.hints),
        "mine_count": one.mine_count,
    }


def _reply_json(lesson: Lesson, there: Position, said: Reply, seed: int | None) -> Json:
    shows = lesson.layout.hints if seed is None else None
    return {
        "right": said.right,
        "of_step": said.of_step,
        "text": on_page(named(said.sentence)),
        **BY_INDEX.pieces(said.sentence),
        "hints": list(said.hints),
        "cells": list(said.cells),
        "shows": [None if shows is None else int(shows[cell]) for cell in said.cells],
        "example": None if said.example is None else _example(there.frame, said.example),
        "answer": None,
    }


def _example(frame: Frame, mines: tuple[int, ...]) -> Json:
    """A placement as it is drawn: only where numbers see it, unless the count matters."""
    shown = frame.blanks if len(frame.blanks) <= len(frame.perimeter) + 12 else frame.perimeter
    cells = shown.tolist()
    return {
        "mines": [cell for cell in cells if cell in mines],
        "free": [cell for cell in cells if cell not in mines],
    }


def _given_up(lesson: Lesson, there: Position, seed: int | None) -> Json:
    """The answer: a move, the hints that it reads, and why."""
    one, move = answer(there)
    assert move.cell is not None
    said = Reply(False, True, one.why(there.frame, move.cell), one.hints, (move.cell,))
    shown = BY_INDEX.moves(there.frame.board, [move])
    return {**_reply_json(lesson, there, said, seed), "answer": shown}
