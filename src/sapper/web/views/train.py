"""Training: puzzles at the player's strength, one after the other, and the puzzle of the day.

An answer is judged here: the page never knows a move before it is found or given up.
"""

from __future__ import annotations

from dataclasses import asdict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.page_words import difficulty
from sapper.answers.puzzles import TITLE, Judged, judge, puzzle_sheet
from sapper.answers.spelling import BY_INDEX, Json
from sapper.answers.worksheets import WRITERS, Style
from sapper.errors import NotationError
from sapper.generate.puzzles.make import Puzzle, make_puzzles, puzzle_rules, rungs_for
from sapper.infer.budget import Cancel, Limit
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.proofs.sentences import named
from sapper.model.deal import fresh_seed
from sapper.model.move import Move
from sapper.model.tilings import TILINGS
from sapper.web.games import training
from sapper.web.games.training import Puzzles
from sapper.web.server import limits
from sapper.web.server.guard import JsonResponse
from sapper.web.server.work import BUDGET, work
from sapper.web.wire.boards import shapes_of
from sapper.web.wire.requests import body_of, games_of, owner_of, text_of, whole_of

HISTORY = 200
# Puzzles on a sheet: two pages of them, one of solutions.
PRINTED = 4
# Seconds against the clock: so many for each place of the rung.
A_RUNG = 20
# How a try ends without a move.
ENDINGS = {"give-up": "gave up", "time": "out of time"}


async def overview(request: Request) -> Response:
    """How strong the player is, what they tried last, and the puzzles of a day."""
    store, owner = games_of(request).store, owner_of(request)
    day = request.path_params["day"]
    tried = await to_thread.run_sync(training.tries, store, owner)
    results = {one.puzzle: one.right for one in tried}
    names = {tiling: training.daily(tiling, day) for tiling in TILINGS}
    return JsonResponse(
        {
            "player": training.trainee_json(
                await to_thread.run_sync(training.trainee, store, owner)
            ),
            "history": [_try_json(one) for one in tried[:HISTORY]],
            "daily": [
                {"tiling": tiling, "puzzle": name, "right": results.get(name)}
                for tiling, name in names.items()
            ],
            "rungs": {
                tiling: {rung: difficulty(rung) for rung in rungs_for(tiling)} for tiling in TILINGS
            },
        }
    )


async def next_puzzle(request: Request) -> Response:
    """A puzzle as hard as the player is strong."""
    data = await body_of(request, limits.SMALL_BODY)
    tiling, rung = text_of(data, "tiling", "square"), text_of(data, "rung", "")
    store = games_of(request).store
    one = await to_thread.run_sync(training.trainee, store, owner_of(request))
    puzzles = puzzles_of(request)
    name = await work(
        request,
        lambda cancel: puzzles.next(
            tiling, rung or None, one.rating, fresh_seed(), BUDGET.start(cancel)
        ),
    )
    return await _shown(request, name)


async def puzzle(request: Request) -> Response:
    """A puzzle by its name: to go back to, or to share."""
    return await _shown(request, request.path_params["puzzle"])


async def answer(request: Request) -> Response:
    """Judge a move, or show the answer to somebody who gives up; the first try is rated."""
    data = await body_of(request, limits.SMALL_BODY)
    name, action = request.path_params["puzzle"], text_of(data, "action")
    seconds = data.get("seconds", 0)
    if type(seconds) not in (int, float):
        raise NotationError(f"expected seconds as a number, got {seconds!r:.60}")
    one = await _puzzle(request, name)
    move = None if action in ENDINGS else Move(action, whole_of(data, "cell"))
    judged = await work(request, lambda cancel: _judge(one, move, BUDGET.start(cancel)))
    said = ENDINGS.get(action) or Move.format(move or one.proof.move, one.frame.board)
    store, owner = games_of(request).store, owner_of(request)
    noted = await training.note(store, owner, name, one, judged.right, said, float(seconds))
    told = {**_judged_json(one, judged), "moves": None, "rated": noted is not None}
    if move is None or judged.right:
        moves = [("flag", cell) for cell in one.flag] + [("reveal", cell) for cell in one.reveal]
        told["moves"] = BY_INDEX.moves(one.frame.board, [Move(*each) for each in moves])
    now = await to_thread.run_sync(training.trainee, store, owner)
    before, after = noted or (now, now)
    told |= {
        "player": training.trainee_json(after),
        "gain": round(after.rating) - round(before.rating),
    }
    return JsonResponse(told)


async def sheet(request: Request) -> Response:
    """A few puzzles of the same kind to print, this one first, with their solutions."""
    name = request.path_params["puzzle"]
    tiling, rung, seed = training.read_name(name)
    rules = puzzle_rules(rung, tiling)
    writer = WRITERS[".pdf"]

    def write(cancel: Cancel) -> str | bytes:
        puzzles = list(make_puzzles(rules, PRINTED, seed, BUDGET, cancel))
        return writer.write(puzzle_sheet(rules, puzzles, Style(title=TITLE)))

    return Response(
        await work(request, write),
        media_type=writer.media_type,
        headers={"content-disposition": f'attachment; filename="{name}.pdf"'},
    )


ROUTES = [
    Route("/api/train/days/{day}", overview),
    Route("/api/train/next", next_puzzle, methods=["POST"]),
    Route("/api/train/puzzles/{puzzle}", puzzle),
    Route("/api/train/puzzles/{puzzle}", answer, methods=["POST"]),
    Route("/api/train/puzzles/{puzzle}/sheet.pdf", sheet),
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
    tried = await to_thread.run_sync(training.tries, store, owner_of(request))
    rating = await to_thread.run_sync(training.puzzle_rating, store, name, one)
    frame = one.frame
    return JsonResponse(
        {
            "puzzle": name,
            "tiling": frame.board.tiling,
            "board": shapes_of(frame.board),
            "marks": frame.marks.tolist(),
            "left": (frame.mines or 0) - len(frame.flags),
            "rung": one.rung,
            "difficulty": difficulty(one.rung),
            "rating": round(rating.rating),
            "seconds": A_RUNG * (1 + RUNGS.place(one.rung)),
            "tried": next((_try_json(each) for each in tried if each.puzzle == name), None),
        }
    )


def _judge(one: Puzzle, move: Move | None, limit: Limit) -> Judged:
    """What is said to a move; to none, the proof of the easiest."""
    if move is not None:
        return judge(one, move, limit)
    return Judged.by_proof(one.proof, right=False)


def _judged_json(one: Puzzle, judged: Judged) -> Json:
    told: Json = {
        "right": judged.right,
        "cell": judged.cell,
        "text": BY_INDEX.said(named(judged.sentence)),
        **BY_INDEX.pieces(judged.sentence),
        "hints": list(judged.hint_cells),
        "mine_count": judged.mine_count,
        "odds": judged.odds,
        "example": None,
    }
    if judged.mine_cells is not None:
        # Where the count does not matter, mines away from all numbers say nothing.
        shown = one.frame.blanks if RUNGS[one.rung].mine_count else one.frame.perimeter
        mines = set(judged.mine_cells)
        told["example"] = {
            "mines": [cell for cell in shown.tolist() if cell in mines],
            "free": [cell for cell in shown.tolist() if cell not in mines],
        }
    return told


def _try_json(one: training.Try) -> Json:
    _, rung, _ = one.puzzle.rsplit("-", 2)
    return {**asdict(one), "words": difficulty(rung)}
