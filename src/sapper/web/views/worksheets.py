"""Paper tables: made here, seen and solved on the page, printed as PDF, SVG or text.

A set of tables is named by a token that holds everything it was made from, seed included: the
same token gives the same tables, also after the server was started again. The page gets the
frames; the solutions stay here until they are asked for.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.spelling import Json
from sapper.answers.wishes import Wish
from sapper.answers.worksheets import (
    TITLE,
    WRITERS,
    find_writer,
    printed,
    small_print,
    table_json,
)
from sapper.answers.worksheets import worksheet as sheet_of
from sapper.errors import NotationError
from sapper.generate.tables.codes import encode
from sapper.generate.tables.draws import METHODS
from sapper.generate.tables.make import Table, TableRules, make_tables, table_rungs
from sapper.generate.tables.open_sets import OPEN_SETS
from sapper.infer.budget import Cancel
from sapper.infer.ladder.rungs import RUNGS
from sapper.model.tilings import TILINGS
from sapper.render.sheet import PAPERS, Page, Sheet
from sapper.render.svg import pages_svg
from sapper.web.server import limits
from sapper.web.server.guard import JsonResponse
from sapper.web.server.kept import Kept
from sapper.web.server.work import BUDGET, work
from sapper.web.wire.boards import shapes_of
from sapper.web.wire.requests import body_of
from sapper.web.wire.wishes import MOST_TABLES, read_token, read_wish, table_rules_of, token_of

KEPT = 16


@dataclass(frozen=True)
class Made:
    """A set of tables on its pages."""

    rules: TableRules
    tables: tuple[Table, ...]
    sheet: Sheet
    pages: tuple[Page, ...]
    size: tuple[float, float]
    fronts: int
    """How many pages come before the solutions."""


class Worksheets:
    """The sets asked for last."""

    def __init__(self) -> None:
        self._tables: Kept[Wish, tuple[Table, ...]] = Kept(KEPT)
        self._made: Kept[Wish, Made] = Kept(KEPT)

    def of(self, wish: Wish, cancel: Cancel) -> Made:
        """The tables of a wish on their pages, made where they are not kept."""
        rules = table_rules_of(wish)
        tables = self._tables.get(wish.tables, lambda: _make(rules, wish, cancel))
        return self._made.get(wish, lambda: _print(rules, tables, wish))


async def menu(request: Request) -> Response:
    """What tables may be made of."""
    return JsonResponse(
        {
            "tilings": {name: row.about for name, row in TILINGS.items()},
            "open": list(OPEN_SETS),
            "methods": list(METHODS),
            "rungs": {name: RUNGS[name].label for name in table_rungs()},
            "papers": list(PAPERS),
            "title": TITLE,
            "most_tables": MOST_TABLES,
        }
    )


async def make(request: Request) -> Response:
    """A new set of tables."""
    data = await body_of(request, limits.TEXT_BODY)

    def find(cancel: Cancel) -> Json:
        wish = read_wish(data)
        return set_json(wish, _worksheets(request).of(wish, cancel))

    return JsonResponse(await work(request, find), 201)


async def known(request: Request) -> Response:
    """The set of a token."""
    wish = _wish(request)
    return JsonResponse(await work(request, lambda cancel: _known(request, wish, cancel)))


async def sheet(request: Request) -> Response:
    """The whole sheet as a file."""
    wish = _wish(request)
    writer = find_writer(f"sheet.{request.path_params['suffix']}")

    def write(cancel: Cancel) -> str | bytes:
        return writer.write(_worksheets(request).of(wish, cancel).sheet)

    content = await work(request, write)
    name = f'attachment; filename="tables-{wish.seed}{writer.suffix}"'
    headers = {"content-disposition": name, "cache-control": "no-store"}
    return Response(content, media_type=writer.media_type, headers=headers)


async def page(request: Request) -> Response:
    """One page of the sheet as a picture."""
    wish, number = _wish(request), request.path_params["page"]

    def draw(cancel: Cancel) -> str:
        made = _worksheets(request).of(wish, cancel)
        if not 1 <= number <= len(made.pages):
            raise NotationError(f"expected a page from 1 to {len(made.pages)}, got {number}")
        return pages_svg([made.pages[number - 1]], made.size, made.sheet.title)

    content = await work(request, draw)
    keep = {"cache-control": "private, max-age=3600"}
    return Response(content, media_type=WRITERS[".svg"].media_type, headers=keep)


async def check(request: Request) -> Response:
    """How far a table is solved: which marks are wrong, and how many blanks are left."""
    data = await body_of(request, limits.TEXT_BODY)
    wish, number = _wish(request), request.path_params["table"]
    made = await work(request, partial(_worksheets(request).of, wish))
    table = _table(made, number)
    crosses, dashes = (_cells(data, key, table) for key in ("crosses", "dashes"))
    if crosses & dashes:
        raise NotationError("expected a cross or a dash in a cell, got both")
    mines = set(table.mine_cells.tolist())
    wrong = sorted((crosses - mines) | (dashes & mines))
    left = len(table.frame.blanks) - len(crosses) - len(dashes)
    return JsonResponse({"wrong": wrong, "left": left, "solved": not wrong and left == 0})


async def solution(request: Request) -> Response:
    """The mines of one table, for those who ask."""
    wish, number = _wish(request), request.path_params["table"]
    made = await work(request, partial(_worksheets(request).of, wish))
    return JsonResponse({"mines": _table(made, number).mine_cells.tolist()})


ROUTES = [
    Route("/api/paper", menu),
    Route("/api/paper", make, methods=["POST"]),
    Route("/api/paper/{token}", known),
    Route("/api/paper/{token}/sheet.{suffix}", sheet),
    Route("/api/paper/{token}/pages/{page:int}", page),
    Route("/api/paper/{token}/tables/{table:int}/check", check, methods=["POST"]),
    Route("/api/paper/{token}/tables/{table:int}/solution", solution),
]


def _make(rules: TableRules, wish: Wish, cancel: Cancel) -> tuple[Table, ...]:
    return tuple(make_tables(rules, wish.count, wish.seed, BUDGET, cancel))


def _print(rules: TableRules, tables: tuple[Table, ...], wish: Wish) -> Made:
    sheet = sheet_of(rules, tables, wish.seed, wish)
    pages, size = printed(sheet)
    fronts = len(printed(replace(sheet, solutions=False))[0]) if wish.solutions else len(pages)
    return Made(rules, tables, sheet, pages, size, fronts)


def set_json(wish: Wish, made: Made) -> Json:
    """A set as the page gets it: frames without their solutions."""
    board = made.rules.board
    token = token_of(wish)
    return {
        "token": token,
        "link": f"#/paper?set={token}",
        "wish": {**asdict(wish), "seed": str(wish.seed)},
        "code": encode(made.rules, wish.count, wish.seed),
        "command": made.sheet.footer[0],
        "note": small_print(made.sheet),
        "pages": len(made.pages),
        "fronts": made.fronts,
        "shape": [round(side, 1) for side in made.size],
        "shapes": shapes_of(board),
        "tables": [
            {
                "marks": one.frame.marks.tolist(),
                "label": RUNGS[one.rung].label,
                **table_json(one),
                "seed": str(one.seed),
            }
            for one in made.tables
        ],
    }


def _known(request: Request, wish: Wish, cancel: Cancel) -> Json:
    return set_json(wish, _worksheets(request).of(wish, cancel))


def _worksheets(request: Request) -> Worksheets:
    worksheets: Worksheets = request.app.state.worksheets
    return worksheets


def _wish(request: Request) -> Wish:
    return read_token(request.path_params["token"])


def _table(made: Made, number: int) -> Table:
    if not 1 <= number <= len(made.tables):
        raise NotationError(f"expected a table from 1 to {len(made.tables)}, got {number}")
    return made.tables[number - 1]


def _cells(data: Json, key: str, table: Table) -> set[int]:
    """Cells of a request, all of them blanks of the table."""
    cells = data.get(key, [])
    blanks = set(table.frame.blanks.tolist())
    if not isinstance(cells, list) or any(type(cell) is not int for cell in cells):
        raise NotationError(f"expected {key} as a list of cells, got {cells!r:.60}")
    strange = next((cell for cell in cells if cell not in blanks), None)
    if strange is not None:
        raise NotationError(f"expected {key} in blanks of the table, got one in {strange}")
    return set(cells)
