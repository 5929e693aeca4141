"""Learning: the lessons, positions to practise on, what is said to a move, and how far one came.

Moves are judged here, and every reason that is shown is one of the step that the lesson teaches.
"""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.board.random_stream import SEEDS, random_seed
from sapper.engine.budget import Budget, Cancel, Limit
from sapper.errors import GameNotFound, NotationError
from sapper.render.svg import proof_svg
from sapper.sentences import plain_text
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.page_words import on_page
from sapper.web.boards import shapes_of
from sapper.web.learn import progress
from sapper.web.learn.lessons import LESSONS, Lesson
from sapper.web.learn.practice import (
    Exercise,
    Feedback,
    answer,
    first_board,
    judge_move,
    mirrored,
    practice,
)
from sapper.web.server import limits
from sapper.web.server.requests import games_of, owner_of, read_body, text_of, whole_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import work

BUDGET = Budget(seconds=10, memory=1_000_000_000)
GIVE_UP = "answer"


async def lessons(request: Request) -> Response:
    """The whole path, and how far the one who asks has come on it."""
    document = await to_thread.run_sync(
        games_of(request).store.kept, owner_of(request), progress.DOCUMENT
    )
    rows = [
        {**_lesson_json(lesson), "progress": progress.progress_json(document, lesson.name)}
        for lesson in LESSONS
    ]
    return JsonResponse({"lessons": rows, "mastery_streak": progress.MASTERY_STREAK})


async def position(request: Request) -> Response:
    """A position to practise on: that of a seed, or a fresh one."""
    data = await read_body(request, limits.SMALL_BODY)
    lesson = _lesson(request)
    seed = random_seed() // 2 if data.get("seed") is None else _seed(data)
    found = await work(request, lambda cancel: practice(lesson, seed, BUDGET.start(cancel)))
    return JsonResponse({"seed": str(seed), **_exercise_json(found)})


async def judge(request: Request) -> Response:
    """What is said to a move on the first board, or on that of a seed; the first try counts."""
    data = await read_body(request, limits.SMALL_BODY)
    lesson, action = _lesson(request), text_of(data, "action")
    seed = None if data.get("seed") is None else _seed(data)
    move = None if action == GIVE_UP else Move(action, whole_of(data, "cell"))

    def find(cancel: Cancel) -> tuple[Exercise, Feedback | None]:
        limit = BUDGET.start(cancel)
        there = _exercise(lesson, seed, limit)
        return there, None if move is None else judge_move(lesson, there, move, limit)

    there, said = await work(request, find)
    done = seed is None and said is not None and _is_done(lesson, data, said)
    document = await _note(request, lesson, data, said, seed, done)
    told = (
        _given_up(lesson, there, seed) if said is None else _reply_json(lesson, there, said, seed)
    )
    now = progress.progress_json(document, lesson.name)
    return JsonResponse({**told, "done": done, "progress": now})


async def picture(request: Request) -> Response:
    """The step of a lesson, drawn: its numbers outlined and what follows marked."""
    lesson = _lesson(request)
    drawn = await to_thread.run_sync(_picture, lesson)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-cache"})


ROUTES = [
    Route("/api/learn", lessons),
    Route("/api/learn/{lesson}/picture", picture),
    Route("/api/learn/{lesson}/exercise", position, methods=["POST"]),
    Route("/api/learn/{lesson}/moves", judge, methods=["POST"]),
]


def _lesson(request: Request) -> Lesson:
    name = request.path_params["lesson"]
    found = next((lesson for lesson in LESSONS if lesson.name == name), None)
    if found is None:
        raise GameNotFound(f"expected a lesson, got {name!r:.60}")
    return found


def _picture(lesson: Lesson) -> str:
    there = mirrored(lesson, BUDGET.start())
    one, move = answer(there)
    return proof_svg(there.position, move, one.numbers)


def _seed(data: Json) -> int:
    text = text_of(data, "seed")
    if not (text.isascii() and text.isdigit() and int(text) < SEEDS // 2):
        raise NotationError(f"expected a seed below {SEEDS // 2}, got {text!r:.60}")
    return int(text)


def _exercise(lesson: Lesson, seed: int | None, limit: Limit) -> Exercise:
    return first_board(lesson, limit) if seed is None else practice(lesson, seed, limit)


async def _note(
    request: Request,
    lesson: Lesson,
    data: Json,
    said: Feedback | None,
    seed: int | None,
    done: bool,
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


def _is_done(lesson: Lesson, data: Json, said: Feedback) -> bool:
    """Whether all moves of the first board are found with this one."""
    before = data.get("found", [])
    if not isinstance(before, list) or not all(type(cell) is int for cell in before):
        raise NotationError(f"expected cells that were found, got {before!r:.60}")
    return said.of_step and len({*before, *said.cells}) >= len(lesson.moves)


def _lesson_json(lesson: Lesson) -> Json:
    """A lesson with its first board."""
    position = lesson.position
    return {
        "name": lesson.name,
        "part": lesson.part,
        "title": on_page(lesson.title),
        "teaches": on_page(lesson.teaches),
        "task": on_page(lesson.task),
        "ask": on_page(lesson.ask),
        "wanted": len(lesson.moves),
        "numbers": [position.board.cell(name) for name in lesson.numbers.split()],
        "uses_mine_count": lesson.source == "count",
        **_position_json(position),
    }


def _position_json(position: Position) -> Json:
    left = None if position.mines is None else position.mines - len(position.flags)
    return {"board": shapes_of(position.board), "marks": position.marks.tolist(), "left": left}


def _exercise_json(there: Exercise) -> Json:
    one, _ = answer(there)
    return {
        **_position_json(there.position),
        "numbers": list(one.numbers),
        "uses_mine_count": one.uses_mine_count,
    }


def _reply_json(lesson: Lesson, there: Exercise, said: Feedback, seed: int | None) -> Json:
    shows = lesson.layout.numbers if seed is None else None
    return {
        "right": said.right,
        "of_step": said.of_step,
        "text": plain_text(said.sentence, there.position.board.names),
        **BY_INDEX.pieces(said.sentence),
        "numbers": list(said.numbers),
        "cells": list(said.cells),
        "shows": [None if shows is None else int(shows[cell]) for cell in said.cells],
        "example": None if said.example is None else _example(there.position, said.example),
        "answer": None,
    }


def _example(position: Position, mines: tuple[int, ...]) -> Json:
    """A solution as it is drawn: only where numbers see it, unless the count matters."""
    shown = (
        position.covered
        if len(position.covered) <= len(position.frontier) + 12
        else position.frontier
    )
    cells = shown.tolist()
    return {
        "mines": [cell for cell in cells if cell in mines],
        "safe": [cell for cell in cells if cell not in mines],
    }


def _given_up(lesson: Lesson, there: Exercise, seed: int | None) -> Json:
    """The answer: a move, the numbers that it reads, and why."""
    one, move = answer(there)
    assert move.cell is not None
    said = Feedback(False, True, one.why(there.position, move.cell), one.numbers, (move.cell,))
    shown = BY_INDEX.moves(there.position.board, [move])
    return {**_reply_json(lesson, there, said, seed), "answer": shown}
