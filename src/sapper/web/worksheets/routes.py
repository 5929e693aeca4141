"""Paper tables: made here, seen and solved on the page, lay_out as PDF, SVG or text.

A set of tables is named by a token that holds everything it was made from, seed included: the
same token gives the same tables, also after the server was started again. The page gets the
positions; the solutions stay here until they are asked for.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.tilings import TILINGS
from sapper.engine.budget import Cancel
from sapper.errors import NotationError
from sapper.generators.paper_puzzles.codes import encode
from sapper.generators.paper_puzzles.make import PaperPuzzle, paper_puzzles
from sapper.generators.paper_puzzles.methods import METHODS
from sapper.generators.paper_puzzles.open_sets import OPEN_SETS
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules, paper_difficulties
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.svg import pages_svg
from sapper.render.worksheet import PAPERS, Worksheet
from sapper.render.worksheet_pages import Page
from sapper.serialize.cells import Json
from sapper.serialize.worksheet_options import WorksheetOptions
from sapper.serialize.worksheets import (
    TITLE,
    WRITERS,
    find_writer,
    lay_out,
    paper_puzzle_json,
    small_print_warning,
)
from sapper.serialize.worksheets import worksheet as sheet_of
from sapper.web.boards import shapes_of
from sapper.web.server import limits
from sapper.web.server.cache import LruCache
from sapper.web.server.requests import read_body
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import BUDGET, work
from sapper.web.worksheets.options import (
    MAX_PAPER_PUZZLES,
    read_token,
    read_wish,
    table_rules_of,
    token_of,
)

CACHE_SIZE = 16


@dataclass(frozen=True)
class PaperPuzzleSet:
    """A set of tables on its pages."""

    rules: PaperPuzzleRules
    tables: tuple[PaperPuzzle, ...]
    sheet: Worksheet
    pages: tuple[Page, ...]
    size: tuple[float, float]
    puzzle_pages: int
    """How many pages come before the solutions."""


class WorksheetCache:
    """The sets asked for last."""

    def __init__(self) -> None:
        self._tables: LruCache[WorksheetOptions, tuple[PaperPuzzle, ...]] = LruCache(CACHE_SIZE)
        self._made: LruCache[WorksheetOptions, PaperPuzzleSet] = LruCache(CACHE_SIZE)

    def of(self, options: WorksheetOptions, cancel: Cancel) -> PaperPuzzleSet:
        """The tables of a wish on their pages, made where they are not kept."""
        rules = table_rules_of(options)
        tables = self._tables.get(options.without_style, lambda: _make(rules, options, cancel))
        return self._made.get(options, lambda: _print(rules, tables, options))


async def menu(request: Request) -> Response:
    """What tables may be made of."""
    return JsonResponse(
        {
            "tilings": {name: row.about for name, row in TILINGS.items()},
            "open": list(OPEN_SETS),
            "methods": list(METHODS),
            "difficulties": {name: DIFFICULTIES[name].label for name in paper_difficulties()},
            "papers": list(PAPERS),
            "title": TITLE,
            "max_paper_puzzles": MAX_PAPER_PUZZLES,
        }
    )


async def make(request: Request) -> Response:
    """A new set of tables."""
    data = await read_body(request, limits.TEXT_BODY)

    def find(cancel: Cancel) -> Json:
        options = read_wish(data)
        return set_json(options, _worksheets(request).of(options, cancel))

    return JsonResponse(await work(request, find), 201)


async def known(request: Request) -> Response:
    """The set of a token."""
    options = _wish(request)
    return JsonResponse(await work(request, lambda cancel: _known(request, options, cancel)))


async def sheet(request: Request) -> Response:
    """The whole sheet as a file."""
    options = _wish(request)
    writer = find_writer(f"sheet.{request.path_params['suffix']}")

    def write(cancel: Cancel) -> str | bytes:
        return writer.write(_worksheets(request).of(options, cancel).sheet)

    content = await work(request, write)
    name = f'attachment; filename="tables-{options.seed}{writer.suffix}"'
    headers = {"content-disposition": name, "cache-control": "no-store"}
    return Response(content, media_type=writer.media_type, headers=headers)


async def page(request: Request) -> Response:
    """One page of the sheet as a picture."""
    options, number = _wish(request), request.path_params["page"]

    def draw(cancel: Cancel) -> str:
        made = _worksheets(request).of(options, cancel)
        if not 1 <= number <= len(made.pages):
            raise NotationError(f"expected a page from 1 to {len(made.pages)}, got {number}")
        return pages_svg([made.pages[number - 1]], made.size, made.sheet.title)

    content = await work(request, draw)
    keep = {"cache-control": "private, max-age=3600"}
    return Response(content, media_type=WRITERS[".svg"].media_type, headers=keep)


async def check(request: Request) -> Response:
    """How far a table is solved: which marks are wrong, and how many covered cells are left."""
    data = await read_body(request, limits.TEXT_BODY)
    options, number = _wish(request), request.path_params["number"]
    made = await work(request, partial(_worksheets(request).of, options))
    table = _table(made, number)
    crosses, dashes = (_cells(data, key, table) for key in ("crosses", "dashes"))
    if crosses & dashes:
        raise NotationError("expected a cross or a dash in a cell, got both")
    mines = set(table.mine_cells.tolist())
    wrong = sorted((crosses - mines) | (dashes & mines))
    left = len(table.position.covered) - len(crosses) - len(dashes)
    return JsonResponse({"wrong": wrong, "left": left, "solved": not wrong and left == 0})


async def solution(request: Request) -> Response:
    """The mines of one table, for those who ask."""
    options, number = _wish(request), request.path_params["number"]
    made = await work(request, partial(_worksheets(request).of, options))
    return JsonResponse({"mines": _table(made, number).mine_cells.tolist()})


ROUTES = [
    Route("/api/worksheets", menu),
    Route("/api/worksheets", make, methods=["POST"]),
    Route("/api/worksheets/{token}", known),
    Route("/api/worksheets/{token}/sheet.{suffix}", sheet),
    Route("/api/worksheets/{token}/pages/{page:int}", page),
    Route("/api/worksheets/{token}/puzzles/{number:int}/check", check, methods=["POST"]),
    Route("/api/worksheets/{token}/puzzles/{number:int}/solution", solution),
]


def _make(
    rules: PaperPuzzleRules, options: WorksheetOptions, cancel: Cancel
) -> tuple[PaperPuzzle, ...]:
    return tuple(paper_puzzles(rules, options.count, options.seed, BUDGET, cancel))


def _print(
    rules: PaperPuzzleRules, tables: tuple[PaperPuzzle, ...], options: WorksheetOptions
) -> PaperPuzzleSet:
    sheet = sheet_of(rules, tables, options.seed, options)
    pages, size = lay_out(sheet)
    puzzle_pages = (
        len(lay_out(replace(sheet, solutions=False))[0]) if options.solutions else len(pages)
    )
    return PaperPuzzleSet(rules, tables, sheet, pages, size, puzzle_pages)


def set_json(options: WorksheetOptions, made: PaperPuzzleSet) -> Json:
    """A set as the page gets it: positions without their solutions."""
    board = made.rules.board
    token = token_of(options)
    return {
        "token": token,
        "link": f"#/paper?set={token}",
        "options": {**asdict(options), "seed": str(options.seed)},
        "code": encode(made.rules, options.count, options.seed),
        "command": made.sheet.footer[0],
        "note": small_print_warning(made.sheet),
        "pages": len(made.pages),
        "puzzle_pages": made.puzzle_pages,
        "page_size": [round(side, 1) for side in made.size],
        "shapes": shapes_of(board),
        "paper_puzzles": [
            {
                "marks": one.position.marks.tolist(),
                "label": DIFFICULTIES[one.difficulty].label,
                **paper_puzzle_json(one),
                "seed": str(one.seed),
            }
            for one in made.tables
        ],
    }


def _known(request: Request, options: WorksheetOptions, cancel: Cancel) -> Json:
    return set_json(options, _worksheets(request).of(options, cancel))


def _worksheets(request: Request) -> WorksheetCache:
    worksheets: WorksheetCache = request.app.state.worksheets
    return worksheets


def _wish(request: Request) -> WorksheetOptions:
    return read_token(request.path_params["token"])


def _table(made: PaperPuzzleSet, number: int) -> PaperPuzzle:
    if not 1 <= number <= len(made.tables):
        raise NotationError(f"expected a table from 1 to {len(made.tables)}, got {number}")
    return made.tables[number - 1]


def _cells(data: Json, key: str, table: PaperPuzzle) -> set[int]:
    """Cells of a request, all of them covered cells of the table."""
    cells = data.get(key, [])
    covered = set(table.position.covered.tolist())
    if not isinstance(cells, list) or any(type(cell) is not int for cell in cells):
        raise NotationError(f"expected {key} as a list of cells, got {cells!r:.60}")
    strange = next((cell for cell in cells if cell not in covered), None)
    if strange is not None:
        raise NotationError(f"expected {key} in covered cells of the table, got one in {strange}")
    return set(cells)
