"""Lessons: their boards, exercises, feedback on moves, and the user's progress.

Moves are judged on the server. A reason for a move always uses the step that the lesson teaches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.board.random_stream import parse_seed
from sapper.engine.budget import Budget, Cancel
from sapper.errors import NotationError, NotFound
from sapper.render.svg import Theme, proof_svg
from sapper.sentences import plain_text
from sapper.serialize.cells import BY_INDEX, Json
from sapper.web.boards import example_json, position_json
from sapper.web.learn import progress
from sapper.web.learn.lessons import LESSONS, Lesson
from sapper.web.learn.practice import (
    Exercise,
    Feedback,
    find_exercise,
    first_exercise,
    first_move,
    judge_move,
    show_answer,
)
from sapper.web.live_games import store_of
from sapper.web.server.http import JsonResponse, owner_of, read_body, seed_or_random
from sapper.web.server.workers import work

BUDGET = Budget(seconds=10, memory=1_000_000_000)
GIVE_UP = "answer"


class ExerciseBody(msgspec.Struct):
    """The seed of an exercise; without one it is random."""

    seed: str | None = None


class MoveBody(msgspec.Struct):
    """A move on the first board, or on the exercise of a seed; "answer" gives up."""

    action: str
    cell: int | None = None
    seed: str | None = None
    first: bool = False
    """Whether it is the first attempt at this position."""
    found: list[int] = []
    """The cells of the first board that were found in earlier moves."""


async def lessons(request: Request) -> Response:
    """Return all lessons, with the user's progress."""
    document = await _document(request)
    rows = [
        {**_lesson_json(lesson), "progress": _progress_json(document, lesson)} for lesson in LESSONS
    ]
    return JsonResponse({"lessons": rows, "mastery_streak": progress.MASTERY_STREAK})


async def exercise(request: Request) -> Response:
    """Return the exercise of a seed, or a random one."""
    body = await read_body(request, ExerciseBody)
    lesson = _lesson(request)
    seed = seed_or_random(body.seed)
    result = await work(request, lambda cancel: find_exercise(lesson, seed, BUDGET.start(cancel)))
    return JsonResponse({"seed": str(seed), **_exercise_json(result)})


async def judge(request: Request) -> Response:
    """Judge a move, or return the answer; only the first attempt counts."""
    body = await read_body(request, MoveBody)
    lesson, move = _lesson(request), _move(body)
    seed = None if body.seed is None else parse_seed(body.seed)

    def find(cancel: Cancel) -> tuple[Exercise, Feedback]:
        limit = BUDGET.start(cancel)
        exercise = (
            first_exercise(lesson, limit) if seed is None else find_exercise(lesson, seed, limit)
        )
        if move is None:
            return exercise, show_answer(exercise)
        return exercise, judge_move(lesson, exercise, move, limit)

    judged_exercise, feedback = await work(request, find)
    done = seed is None and move is not None and _is_done(lesson, body, feedback)
    if done:
        document = await _update(request, lambda old: progress.with_first_board(old, lesson.name))
    # A move that is right by another step does not count.
    elif seed is not None and body.first and (feedback.of_step or not feedback.right):
        document = await _update(
            request, lambda old: progress.with_attempt(old, lesson.name, feedback.right)
        )
    else:
        document = await _document(request)
    return JsonResponse(
        {
            **_feedback_json(lesson, judged_exercise, feedback, seed),
            "answer": None if move is not None else _answer_json(judged_exercise),
            "done": done,
            "progress": _progress_json(document, lesson),
        }
    )


async def picture(request: Request) -> Response:
    """Return a picture of the first board, with letters on its numbers and marks for the answer."""
    svg = await to_thread.run_sync(_picture, _lesson(request), request.path_params["theme"])
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "no-cache"})


ROUTES = [
    Route("/api/learn", lessons),
    Route("/api/learn/{lesson}/picture/{theme}", picture),
    Route("/api/learn/{lesson}/exercise", exercise, methods=["POST"]),
    Route("/api/learn/{lesson}/moves", judge, methods=["POST"]),
]


def _lesson(request: Request) -> Lesson:
    name = request.path_params["lesson"]
    for lesson in LESSONS:
        if lesson.name == name:
            return lesson
    raise NotFound(f"no such lesson: {name!r:.60}")


def _picture(lesson: Lesson, theme: Theme) -> str:
    numbers = lesson.number_cells
    return proof_svg(
        lesson.position, lesson.parsed_moves, numbers, letters=True, theme=theme, cell=48
    )


def _move(body: MoveBody) -> Move | None:
    if body.action == GIVE_UP:
        return None
    if body.cell is None:
        raise NotationError(f"expected a cell to {body.action!s:.20}")
    return Move(body.action, body.cell)


async def _document(request: Request) -> Any:
    store = store_of(request)
    return await to_thread.run_sync(store.document, owner_of(request), progress.DOCUMENT)


async def _update(request: Request, change: Callable[[Any], Any]) -> Any:
    return await store_of(request).update_document(owner_of(request), progress.DOCUMENT, change)


def _is_done(lesson: Lesson, body: MoveBody, feedback: Feedback) -> bool:
    """Return whether this move completes the first board."""
    return feedback.of_step and len({*body.found, *feedback.cells}) >= len(lesson.moves)


def _progress_json(document: Any, lesson: Lesson) -> Json:
    return msgspec.structs.asdict(progress.progress_of(document, lesson.name))


def _lesson_json(lesson: Lesson) -> Json:
    """Return a lesson with its first board."""
    position = lesson.position
    return {
        "name": lesson.name,
        "part": lesson.part,
        "title": lesson.title,
        "teaches": lesson.teaches,
        "task": lesson.task,
        "ask": lesson.ask,
        "wanted": len(lesson.moves),
        "numbers": lesson.number_cells,
        "uses_mine_count": lesson.source == "count",
        **position_json(position),
    }


def _exercise_json(exercise: Exercise) -> Json:
    match, _ = first_move(exercise)
    return {
        **position_json(exercise.position),
        "numbers": list(match.numbers),
        "uses_mine_count": match.uses_mine_count,
    }


def _feedback_json(
    lesson: Lesson, exercise: Exercise, feedback: Feedback, seed: int | None
) -> Json:
    numbers = lesson.layout.numbers if seed is None else None
    position, example = exercise.position, feedback.example
    return {
        "right": feedback.right,
        "of_step": feedback.of_step,
        "text": plain_text(feedback.sentence, position.board.names),
        **BY_INDEX.pieces(feedback.sentence),
        "numbers": list(feedback.numbers),
        "cells": list(feedback.cells),
        "shows": [None if numbers is None else int(numbers[cell]) for cell in feedback.cells],
        "example": None if example is None else _example_json(position, example),
    }


def _example_json(position: Position, mines: tuple[int, ...]) -> Json:
    """Return a counterexample on the frontier, or on all covered cells if there are few others."""
    few_others = len(position.covered) <= len(position.frontier) + 12
    return example_json(position.covered if few_others else position.frontier, mines)


def _answer_json(exercise: Exercise) -> list[Json]:
    _, move = first_move(exercise)
    return BY_INDEX.moves(exercise.position.board, [move])
