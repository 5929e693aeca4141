"""Training puzzles near the user's rating, and the puzzles of the day.

A puzzle is generated from its name, such as `square-two-7`: tiling, difficulty and seed. Answers
are judged here: the page gets the right moves only after the user has found one or given up.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from threading import Lock

import msgspec
from anyio import to_thread
from cachetools import LRUCache, cached
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.move import Move
from sapper.board.random_stream import RandomStream, parse_seed, random_seed
from sapper.board.tilings import TILINGS
from sapper.engine.budget import Budget, Cancel, Limit
from sapper.errors import NotationError, NotFound, SapperError
from sapper.generators.puzzles import (
    MoveJudgement,
    Puzzle,
    difficulties_for,
    judge,
    puzzle_rules,
)
from sapper.generators.puzzles import puzzle as find_puzzle
from sapper.generators.puzzles import puzzles as find_puzzles
from sapper.generators.ratings import typical_rating
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.sentences import plain_text
from sapper.serialize.cells import BY_INDEX, Json
from sapper.web.boards import example_json, position_json
from sapper.web.features import puzzle_ratings as ratings
from sapper.web.live_games import store_of
from sapper.web.server.http import JsonResponse, owner_of, read_body
from sapper.web.server.workers import BUDGET, work
from sapper.worksheets.files import WRITERS
from sapper.worksheets.options import SheetStyle
from sapper.worksheets.training_puzzles import puzzle_sheet

# Attempts in the list of the page.
HISTORY_LENGTH = 200
# Puzzles on a worksheet: two pages, and one page of solutions.
WORKSHEET_PUZZLES = 4
# The time limit of the easiest difficulty; each harder one has as much more.
SECONDS_PER_DIFFICULTY = 20
# Attempts that end without a move, as they are stored.
ENDINGS = {"give-up": "gave up", "time": "out of time"}

# Random puzzles have a seed below this, so that their names are short.
MAX_SEED = 100_000
# Puzzles of each difficulty that are compared with the user's rating.
CANDIDATES_PER_DIFFICULTY = 3

CACHED_PUZZLES = 256

NO_PUZZLE_FOUND = "no such puzzle was found in time: try another difficulty"


class NextBody(msgspec.Struct):
    """Options of the next puzzle; an empty difficulty means one near the user's rating."""

    tiling: str = "square"
    difficulty: str = ""


class AnswerBody(msgspec.Struct):
    """An answer: a move, "give-up" or "time"."""

    action: str
    cell: int | None = None
    seconds: float = 0


async def overview(request: Request) -> Response:
    """Return the user's rating and attempts, and the puzzles of a day."""
    store, owner = store_of(request), owner_of(request)
    day = request.path_params["day"]
    attempts = await to_thread.run_sync(ratings.attempts, store, owner)
    results = {attempt.puzzle: attempt.right for attempt in attempts}
    names = {tiling: daily_name(tiling, day) for tiling in TILINGS}
    user = await to_thread.run_sync(ratings.user_rating, store, owner)
    return JsonResponse(
        {
            "user": ratings.user_rating_json(user),
            "history": [_attempt_json(attempt) for attempt in attempts[:HISTORY_LENGTH]],
            "daily": [
                {"tiling": tiling, "puzzle": name, "right": results.get(name)}
                for tiling, name in names.items()
            ],
            "daily_streak": daily_streak(date.fromisoformat(day), results),
            "difficulties": {
                tiling: {name: DIFFICULTIES[name].text for name in difficulties_for(tiling)}
                for tiling in TILINGS
            },
        }
    )


async def next_puzzle(request: Request) -> Response:
    """Return a puzzle near the user's rating: the same one until it is tried."""
    body = await read_body(request, NextBody)
    store, owner = store_of(request), owner_of(request)
    user = await to_thread.run_sync(ratings.user_rating, store, owner)
    tried = {attempt.puzzle for attempt in await to_thread.run_sync(ratings.attempts, store, owner)}
    options = f"{body.tiling} {body.difficulty}"
    assigned = (await to_thread.run_sync(ratings.assigned_puzzles, store, owner)).get(options)
    if assigned is not None and assigned not in tried:
        return await _puzzle_response(request, assigned)

    def find(cancel: Cancel) -> str:
        limit = BUDGET.start(cancel)
        difficulty = body.difficulty or None
        return next_name(body.tiling, difficulty, user.rating, random_seed(), limit, tried)

    name = await work(request, find, timeout_message=NO_PUZZLE_FOUND)
    name = await ratings.assign_puzzle(store, owner, options, name, replaces=assigned)
    return await _puzzle_response(request, name)


async def show_puzzle(request: Request) -> Response:
    """Return a puzzle by its name."""
    return await _puzzle_response(request, request.path_params["puzzle"])


async def answer(request: Request) -> Response:
    """Judge a move, or return the answer; record the first attempt."""
    body = await read_body(request, AnswerBody)
    name = request.path_params["puzzle"]
    puzzle = await _load_puzzle(request, name)
    move = None if body.action in ENDINGS else _move(body)
    judgement = await work(request, lambda cancel: _judge(puzzle, move, BUDGET.start(cancel)))
    description = ENDINGS.get(body.action) or Move.format(
        move or puzzle.proof.move, puzzle.position.board
    )
    store, owner = store_of(request), owner_of(request)
    change = await ratings.record_attempt(
        store, owner, name, puzzle, judgement.right, description, body.seconds
    )
    is_over = move is None or judgement.right
    return JsonResponse(
        {
            **_judgement_json(puzzle, judgement),
            "moves": _moves_json(puzzle) if is_over else None,
            "first": change.first,
            "rated": change.rated,
            "user": ratings.user_rating_json(change.after),
            "gain": round(change.after.rating) - round(change.before.rating),
        }
    )


async def worksheet(request: Request) -> Response:
    """Return a PDF with a few puzzles of the same kind, this one first, and their solutions."""
    name = request.path_params["puzzle"]
    tiling, difficulty, seed = parse_name(name)
    rules = puzzle_rules(difficulty, tiling)
    writer = WRITERS[".pdf"]

    def write(cancel: Cancel) -> str | bytes:
        puzzles = list(find_puzzles(rules, WORKSHEET_PUZZLES, seed, BUDGET, cancel))
        return writer.write(puzzle_sheet(rules, puzzles, SheetStyle()))

    return Response(
        await work(request, write, timeout_message=NO_PUZZLE_FOUND),
        media_type=writer.media_type,
        headers={"content-disposition": f'attachment; filename="{name}.pdf"'},
    )


ROUTES = [
    Route("/api/puzzles/days/{day}", overview),
    Route("/api/puzzles/next", next_puzzle, methods=["POST"]),
    Route("/api/puzzles/{puzzle}", show_puzzle),
    Route("/api/puzzles/{puzzle}", answer, methods=["POST"]),
    Route("/api/puzzles/{puzzle}/worksheet.pdf", worksheet),
]


async def _load_puzzle(request: Request, name: str) -> Puzzle:
    return await work(
        request,
        lambda cancel: puzzle_by_name(name, BUDGET.start(cancel)),
        timeout_message=NO_PUZZLE_FOUND,
    )


async def _puzzle_response(request: Request, name: str) -> Response:
    """Return a puzzle without its answers, with the user's first attempt at it."""
    puzzle, store, owner = await _load_puzzle(request, name), store_of(request), owner_of(request)
    attempts = await to_thread.run_sync(ratings.attempts, store, owner)
    assigned = await to_thread.run_sync(ratings.assigned_puzzles, store, owner)
    attempt = next((attempt for attempt in attempts if attempt.puzzle == name), None)
    position = puzzle.position
    return JsonResponse(
        {
            "puzzle": name,
            "tiling": position.board.tiling,
            **position_json(position),
            "difficulty": puzzle.difficulty,
            "difficulty_text": DIFFICULTIES[puzzle.difficulty].text,
            "rating": puzzle.rating,
            "seconds": SECONDS_PER_DIFFICULTY * (1 + DIFFICULTIES.index(puzzle.difficulty)),
            "attempt": None if attempt is None else _attempt_json(attempt),
            "rated": attempt is None and name in assigned.values(),
        }
    )


def _move(body: AnswerBody) -> Move:
    if body.cell is None:
        raise NotationError(f"expected a cell to {body.action!s:.20}")
    return Move(body.action, body.cell)


def _judge(puzzle: Puzzle, move: Move | None, limit: Limit) -> MoveJudgement:
    """Judge a move; without one, return the proof of the easiest move."""
    if move is not None:
        return judge(puzzle, move, limit)
    return MoveJudgement.from_proof(puzzle.proof, right=False)


def _moves_json(puzzle: Puzzle) -> list[Json]:
    moves = [Move("flag", cell) for cell in puzzle.flag]
    moves += [Move("reveal", cell) for cell in puzzle.reveal]
    return BY_INDEX.moves(puzzle.position.board, moves)


def _judgement_json(puzzle: Puzzle, judgement: MoveJudgement) -> Json:
    example = None
    if judgement.mine_cells is not None:
        # If the mine count does not matter, mines away from all numbers are irrelevant.
        position = puzzle.position
        uses_mine_count = DIFFICULTIES[puzzle.difficulty].uses_mine_count
        cells = position.covered if uses_mine_count else position.frontier
        example = example_json(cells, judgement.mine_cells)
    return {
        "right": judgement.right,
        "cell": judgement.cell,
        "text": plain_text(judgement.sentence, puzzle.position.board.names),
        **BY_INDEX.pieces(judgement.sentence),
        "numbers": list(judgement.number_cells),
        "uses_mine_count": judgement.uses_mine_count,
        "probability": judgement.probability,
        "example": example,
    }


def _attempt_json(attempt: ratings.Attempt) -> Json:
    _, difficulty, _ = attempt.puzzle.rsplit("-", 2)
    return {
        **msgspec.structs.asdict(attempt),
        "difficulty_text": DIFFICULTIES.find(difficulty).text,
    }


@cached(LRUCache[str, Puzzle](CACHED_PUZZLES), key=lambda name, budget: name, lock=Lock())
def puzzle_by_name(name: str, budget: Budget) -> Puzzle:
    """Return the puzzle of a name; raise NotFound if the name is not valid."""
    tiling, difficulty, seed = parse_name(name)
    return find_puzzle(puzzle_rules(difficulty, tiling), seed, budget)


def next_name(
    tiling: str,
    difficulty: str | None,
    rating: float,
    seed: int,
    budget: Budget,
    tried: Collection[str] = (),
) -> str:
    """Return the name of a puzzle near the user's rating, and avoid those that were *tried*.

    Without a difficulty it has one of the two that are nearest to the rating.
    """
    available = difficulties_for(TILINGS.find(tiling).name)
    nearest = sorted(available, key=lambda name: abs(typical_rating(name) - rating))[:2]
    difficulties = nearest if difficulty is None else [DIFFICULTIES.find(difficulty).name]
    stream = RandomStream(seed)
    names = [
        format_name(tiling, candidate, stream.below(MAX_SEED))
        for candidate in difficulties
        for _ in range(CANDIDATES_PER_DIFFICULTY)
    ]
    new_names = [name for name in names if name not in tried] or names
    return min(new_names, key=lambda name: abs(puzzle_by_name(name, budget).rating - rating))


def daily_name(tiling: str, day: str) -> str:
    """Return the name of the puzzle of a day; the difficulty changes from day to day."""
    try:
        parsed = date.fromisoformat(day)
    except ValueError:
        raise NotationError(f"expected a day such as 2026-11-15, got {day!r:.60}") from None
    available = difficulties_for(TILINGS.find(tiling).name)
    difficulty = available[parsed.toordinal() % len(available)]
    return format_name(tiling, difficulty, int(parsed.strftime("%Y%m%d")))


def daily_streak(day: date, results: dict[str, bool]) -> int:
    """Return on how many days in a row the square puzzle was solved, up to *day*.

    The streak goes on if the puzzle of *day* was not tried yet. *results* has the puzzles that were
    tried, and whether they were solved.
    """
    streak = 0
    is_tried = daily_name("square", day.isoformat()) in results
    for ordinal in range(day.toordinal() - (not is_tried), 0, -1):
        if not results.get(daily_name("square", date.fromordinal(ordinal).isoformat())):
            break
        streak += 1
    return streak


def format_name(tiling: str, difficulty: str, seed: int) -> str:
    """Return the name of a puzzle."""
    return f"{tiling}-{difficulty}-{seed}"


def parse_name(name: str) -> tuple[str, str, int]:
    """Return tiling, difficulty and seed of a name; raise NotFound if it is not valid."""
    try:
        tiling, difficulty, seed = name.rsplit("-", 2)
        return TILINGS.find(tiling).name, DIFFICULTIES.find(difficulty).name, parse_seed(seed)
    except (ValueError, SapperError):
        raise NotFound(f"there is no puzzle {name!r:.60}") from None
