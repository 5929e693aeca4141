"""Training: puzzles at the player's strength, one after the other, and the puzzle of the day.

An answer is judged here: the page never knows a move before it is found or given up.
"""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.move import Move
from sapper.board.random_stream import random_seed
from sapper.board.tilings import TILINGS
from sapper.engine.budget import Cancel, Limit
from sapper.errors import NotationError
from sapper.generators.puzzles.judging import MoveJudgement, judge
from sapper.generators.puzzles.make import Puzzle, difficulties_for, puzzle_rules
from sapper.generators.puzzles.make import puzzles as find_puzzles
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.sentences import plain_text
from sapper.serialize.cells import BY_INDEX, Json
from sapper.serialize.page_words import difficulty_text
from sapper.serialize.puzzles import TITLE, puzzle_sheet
from sapper.serialize.worksheets import WRITERS, SheetStyle
from sapper.web.boards import shapes_of
from sapper.web.puzzles import ratings
from sapper.web.puzzles.ratings import Puzzles
from sapper.web.server import limits
from sapper.web.server.requests import games_of, owner_of, read_body, text_of, whole_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import BUDGET, work

HISTORY = 200
# Puzzles on a sheet: two pages of them, one of solutions.
PRINTED = 4
# Seconds against the clock: so many for each place of the difficulty.
SECONDS_PER_DIFFICULTY = 20
# How a try ends without a move.
ENDINGS = {"give-up": "gave up", "time": "out of time"}


async def overview(request: Request) -> Response:
    """How strong the player is, what they tried last, and the puzzles of a day."""
    store, owner = games_of(request).store, owner_of(request)
    day = request.path_params["day"]
    tried = await to_thread.run_sync(ratings.attempts, store, owner)
    results = {one.puzzle: one.right for one in tried}
    names = {tiling: ratings.daily(tiling, day) for tiling in TILINGS}
    return JsonResponse(
        {
            "user": ratings.user_rating_json(
                await to_thread.run_sync(ratings.user_rating, store, owner)
            ),
            "history": [_attempt_json(one) for one in tried[:HISTORY]],
            "daily": [
                {"tiling": tiling, "puzzle": name, "right": results.get(name)}
                for tiling, name in names.items()
            ],
            "difficulties": {
                tiling: {
                    difficulty: difficulty_text(difficulty)
                    for difficulty in difficulties_for(tiling)
                }
                for tiling in TILINGS
            },
        }
    )


async def next_puzzle(request: Request) -> Response:
    """A puzzle as hard as the player is strong."""
    data = await read_body(request, limits.SMALL_BODY)
    tiling, difficulty = text_of(data, "tiling", "square"), text_of(data, "difficulty", "")
    store = games_of(request).store
    one = await to_thread.run_sync(ratings.user_rating, store, owner_of(request))
    puzzles = puzzles_of(request)
    name = await work(
        request,
        lambda cancel: puzzles.next(
            tiling, difficulty or None, one.rating, random_seed(), BUDGET.start(cancel)
        ),
    )
    return await _shown(request, name)


async def puzzle(request: Request) -> Response:
    """A puzzle by its name: to go back to, or to share."""
    return await _shown(request, request.path_params["puzzle"])


async def answer(request: Request) -> Response:
    """Judge a move, or show the answer to somebody who gives up; the first try is rated."""
    data = await read_body(request, limits.SMALL_BODY)
    name, action = request.path_params["puzzle"], text_of(data, "action")
    seconds = data.get("seconds", 0)
    if type(seconds) not in (int, float):
        raise NotationError(f"expected seconds as a number, got {seconds!r:.60}")
    one = await _puzzle(request, name)
    move = None if action in ENDINGS else Move(action, whole_of(data, "cell"))
    judged = await work(request, lambda cancel: _judge(one, move, BUDGET.start(cancel)))
    said = ENDINGS.get(action) or Move.format(move or one.proof.move, one.position.board)
    store, owner = games_of(request).store, owner_of(request)
    noted = await ratings.note(store, owner, name, one, judged.right, said, float(seconds))
    told = {**_reviewed_move_json(one, judged), "moves": None, "rated": noted is not None}
    if move is None or judged.right:
        moves = [("flag", cell) for cell in one.flag] + [("reveal", cell) for cell in one.reveal]
        told["moves"] = BY_INDEX.moves(one.position.board, [Move(*each) for each in moves])
    now = await to_thread.run_sync(ratings.user_rating, store, owner)
    before, after = noted or (now, now)
    told |= {
        "user": ratings.user_rating_json(after),
        "gain": round(after.rating) - round(before.rating),
    }
    return JsonResponse(told)


async def sheet(request: Request) -> Response:
    """A few puzzles of the same kind to print, this one first, with their solutions."""
    name = request.path_params["puzzle"]
    tiling, difficulty, seed = ratings.read_name(name)
    rules = puzzle_rules(difficulty, tiling)
    writer = WRITERS[".pdf"]

    def write(cancel: Cancel) -> str | bytes:
        puzzles = list(find_puzzles(rules, PRINTED, seed, BUDGET, cancel))
        return writer.write(puzzle_sheet(rules, puzzles, SheetStyle(title=TITLE)))

    return Response(
        await work(request, write),
        media_type=writer.media_type,
        headers={"content-disposition": f'attachment; filename="{name}.pdf"'},
    )


ROUTES = [
    Route("/api/puzzles/days/{day}", overview),
    Route("/api/puzzles/next", next_puzzle, methods=["POST"]),
    Route("/api/puzzles/{puzzle}", puzzle),
    Route("/api/puzzles/{puzzle}", answer, methods=["POST"]),
    Route("/api/puzzles/{puzzle}/worksheet.pdf", sheet),
]


def puzzles_of(request: Request) -> Puzzles:
    """The puzzles of the server."""
    puzzles: Puzzles = request.app.state.puzzles
    return puzzles


async def _puzzle(request: Request, name: str) -> Puzzle:
    puzzles = puzzles_of(request)
    return await work(request, lambda cancel: puzzles.of(name, BUDGET.start(cancel)))


async def _shown(request: Request, name: str) -> Response:
    """A puzzle without its answers, with the player's first try of it where there was one."""
    one, store = await _puzzle(request, name), games_of(request).store
    tried = await to_thread.run_sync(ratings.attempts, store, owner_of(request))
    rating = await to_thread.run_sync(ratings.puzzle_rating, store, name, one)
    position = one.position
    return JsonResponse(
        {
            "puzzle": name,
            "tiling": position.board.tiling,
            "board": shapes_of(position.board),
            "marks": position.marks.tolist(),
            "left": (position.mines or 0) - len(position.flags),
            "difficulty": one.difficulty,
            "difficulty_text": difficulty_text(one.difficulty),
            "rating": round(rating.rating),
            "seconds": SECONDS_PER_DIFFICULTY * (1 + DIFFICULTIES.index(one.difficulty)),
            "attempt": next((_attempt_json(each) for each in tried if each.puzzle == name), None),
        }
    )


def _judge(one: Puzzle, move: Move | None, limit: Limit) -> MoveJudgement:
    """What is said to a move; to none, the proof of the easiest."""
    if move is not None:
        return judge(one, move, limit)
    return MoveJudgement.from_proof(one.proof, right=False)


def _reviewed_move_json(one: Puzzle, judged: MoveJudgement) -> Json:
    told: Json = {
        "right": judged.right,
        "cell": judged.cell,
        "text": plain_text(judged.sentence, one.position.board.names),
        **BY_INDEX.pieces(judged.sentence),
        "numbers": list(judged.number_cells),
        "uses_mine_count": judged.uses_mine_count,
        "probability": judged.probability,
        "example": None,
    }
    if judged.mine_cells is not None:
        # Where the count does not matter, mines away from all numbers say nothing.
        shown = (
            one.position.covered
            if DIFFICULTIES[one.difficulty].uses_mine_count
            else one.position.frontier
        )
        mines = set(judged.mine_cells)
        told["example"] = {
            "mines": [cell for cell in shown.tolist() if cell in mines],
            "safe": [cell for cell in shown.tolist() if cell not in mines],
        }
    return told


def _attempt_json(one: ratings.Attempt) -> Json:
    _, difficulty, _ = one.puzzle.rsplit("-", 2)
    return {**asdict(one), "difficulty_text": difficulty_text(difficulty)}
