"""Worksheets: paper puzzles and exercises to print as PDF, SVG or text.

A worksheet is identified by its options, including the seed, as the query of a link: the same query
gives the same problems, even after the server was restarted. Paper puzzles can be solved on the
page. It gets their positions, and the solution of each only on request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from cachetools import LRUCache, cached
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.engine.budget import Cancel
from sapper.errors import NotationError, RulesError
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.svg import pages_svg
from sapper.serialize.cells import Json
from sapper.web.boards import shapes_of
from sapper.web.server import limits
from sapper.web.server.http import JsonResponse, read_body, seed_or_random
from sapper.web.server.invitations import Invitations
from sapper.web.server.workers import BUDGET, work
from sapper.worksheets.files import WRITERS, find_writer, lay_out, small_print_warning
from sapper.worksheets.kind import WorksheetItem
from sapper.worksheets.make import problem_rules, short_seed
from sapper.worksheets.make import worksheet as make_sheet
from sapper.worksheets.options import OPTIONS, WorksheetOptions
from sapper.worksheets.pages import Page
from sapper.worksheets.registry import WORKSHEET_KINDS
from sapper.worksheets.sheet import Worksheet

T = TypeVar("T")

MAX_CELLS = 2_500
MAX_PROBLEMS = 100
MAX_TOTAL_CELLS = 20_000
MAX_QUERY_LENGTH = 20_000
MAX_TITLE_LENGTH = 100
CACHED_WORKSHEETS = 16

NO_PUZZLE_FOUND = (
    "no such puzzle was found in time: try another size, fewer mines or another difficulty"
)


class WorksheetBody(msgspec.Struct):
    """The worksheet of a puzzle, as the query of its link."""

    query: str


class MarksBody(WorksheetBody):
    """The cells that the user marked as mines (crosses) and as safe (dashes)."""

    crosses: list[int] = []
    dashes: list[int] = []


@dataclass(frozen=True)
class LaidOutWorksheet:
    """A worksheet and its pages."""

    options: WorksheetOptions
    sheet: Worksheet
    pages: tuple[Page, ...]
    size: tuple[float, float]
    puzzle_pages: int
    """The number of pages before the solutions."""

    def paper_puzzle(self, number: int) -> WorksheetItem:
        """Return a problem that can be solved on the screen by its number, from 1."""
        items = self.sheet.items
        if not 1 <= number <= len(items):
            raise NotationError(f"expected a puzzle from 1 to {len(items)}, got {number}")
        if not items[number - 1].is_solved_by_marks:
            raise NotationError(
                f"only puzzles can be solved here, not the kind {self.options.kind!r}"
            )
        return items[number - 1]


@cached(
    LRUCache[WorksheetOptions, tuple[Any, ...]](CACHED_WORKSHEETS),
    key=lambda options, cancel: options.without_style,
    lock=Lock(),
)
def make_problems(options: WorksheetOptions, cancel: Cancel) -> tuple[Any, ...]:
    """Return the problems of these options; recent ones are cached."""
    kind = WORKSHEET_KINDS.find(options.kind)
    rules = problem_rules(options, min(MAX_CELLS, MAX_TOTAL_CELLS // options.count))
    seeds = kind.seeds(options.seed, options.count)
    made = kind.problems(rules, BUDGET.start(cancel), seeds)
    return tuple(kind.select(rules, made, options.count))


@cached(
    LRUCache[tuple[WorksheetOptions, str | None], LaidOutWorksheet](CACHED_WORKSHEETS),
    key=lambda options, address, cancel: (options, address),
    lock=Lock(),
)
def make_worksheet(
    options: WorksheetOptions, address: str | None, cancel: Cancel
) -> LaidOutWorksheet:
    """Return the worksheet of these options; recent ones are cached.

    *address* is that of this server, for the link in the footer.
    """
    sheet = make_sheet(options, make_problems(options, cancel), address)
    pages, size = lay_out(sheet)
    without_solutions = replace(sheet, style=replace(sheet.style, solutions=False))
    puzzle_pages, _ = lay_out(without_solutions)
    return LaidOutWorksheet(options, sheet, pages, size, len(puzzle_pages))


async def menu(request: Request) -> Response:
    """Return the kinds of worksheets, and the table of options."""
    kinds = {
        name: {
            "title": kind.title,
            "options": kind.options,
            "difficulties": [
                difficulty.name
                for difficulty in DIFFICULTIES.values()
                if kind.uses_mine_count or not difficulty.uses_mine_count
            ],
        }
        for name, kind in WORKSHEET_KINDS.items()
    }
    rows = [{"name": name, **row.json()} for name, row in OPTIONS.items()]
    return JsonResponse({"kinds": kinds, "options": rows})


async def show_worksheet(request: Request) -> Response:
    """Make a worksheet."""
    body = await read_body(request, dict[str, Any], limits.TEXT_BODY)
    return JsonResponse(await _use_worksheet(request, body, worksheet_json), 201)


async def download_worksheet(request: Request) -> Response:
    """Return the worksheet as a file."""
    writer = find_writer(f"sheet.{request.path_params['suffix']}")
    options, content = await _use_worksheet(
        request,
        request.query_params,
        lambda worksheet: (worksheet.options, writer.write(worksheet.sheet)),
    )
    name = f"{WORKSHEET_KINDS[options.kind].plural}-{options.seed}{writer.suffix}"
    disposition = f'attachment; filename="{name}"'
    headers = {"content-disposition": disposition, "cache-control": "no-store"}
    return Response(content, media_type=writer.media_type, headers=headers)


async def page(request: Request) -> Response:
    """Return one page as SVG."""
    number = request.path_params["page"]

    def draw(worksheet: LaidOutWorksheet) -> str:
        pages = worksheet.pages
        if not 1 <= number <= len(pages):
            raise NotationError(f"expected a page from 1 to {len(pages)}, got {number}")
        return pages_svg([pages[number - 1]], worksheet.size, worksheet.sheet.style.title)

    content = await _use_worksheet(request, request.query_params, draw)
    headers = {"cache-control": "private, max-age=3600"}
    return Response(content, media_type=WRITERS[".svg"].media_type, headers=headers)


async def check(request: Request) -> Response:
    """Check the user's marks: which are wrong, and how many cells are unmarked."""
    body = await read_body(request, MarksBody, limits.TEXT_BODY)
    puzzle = await _paper_puzzle(request, body.query)
    crosses, dashes = set(body.crosses), set(body.dashes)
    covered = set(puzzle.position.covered.tolist())
    if not crosses | dashes <= covered:
        cell = min((crosses | dashes) - covered)
        raise NotationError(f"expected marks on covered cells, got one on cell {cell}")
    if crosses & dashes:
        raise NotationError("a cell cannot have a cross and a dash")
    mines = set(puzzle.mine_cells)
    wrong = sorted((crosses - mines) | (dashes & mines))
    left = len(covered) - len(crosses) - len(dashes)
    return JsonResponse({"wrong": wrong, "left": left, "solved": not wrong and left == 0})


async def solution(request: Request) -> Response:
    """Return the mines of one puzzle."""
    body = await read_body(request, WorksheetBody, limits.TEXT_BODY)
    puzzle = await _paper_puzzle(request, body.query)
    return JsonResponse({"mines": puzzle.mine_cells})


ROUTES = [
    Route("/api/worksheets", menu),
    Route("/api/worksheets", show_worksheet, methods=["POST"]),
    Route("/api/worksheets/sheet.{suffix}", download_worksheet),
    Route("/api/worksheets/pages/{page:int}", page),
    Route("/api/worksheets/puzzles/{number:int}/check", check, methods=["POST"]),
    Route("/api/worksheets/puzzles/{number:int}/solution", solution, methods=["POST"]),
]


def worksheet_json(worksheet: LaidOutWorksheet) -> Json:
    """Return a worksheet without its solutions; exercises are only on its pages."""
    options, sheet = worksheet.options, worksheet.sheet
    query = options.query()
    if len(query) > MAX_QUERY_LENGTH:
        raise RulesError("the board and its open cells are too long for a link")
    return {
        "query": query,
        "link": f"#/print?{query}",
        "options": {**asdict(options), "seed": str(options.seed)},
        "command": options.command(),
        "note": small_print_warning(sheet),
        "pages": len(worksheet.pages),
        "puzzle_pages": worksheet.puzzle_pages,
        "page_size": [round(side, 1) for side in worksheet.size],
        "shapes": shapes_of(sheet.board),
        "paper_puzzles": [
            {"marks": item.position.marks.tolist(), "label": item.label}
            for item in sheet.items
            if item.is_solved_by_marks
        ],
    }


def read_options(given: Mapping[str, Any]) -> WorksheetOptions:
    """Read the options of a request or of the query of a link."""
    values = {name: value for name, value in given.items() if value is not None and value != ""}
    if unknown := values.keys() - OPTIONS:
        names = ", ".join(OPTIONS)
        raise NotationError(f"unknown option {min(unknown)!r:.60}; the options are {names}")
    values["seed"] = seed_or_random(values.get("seed", short_seed()))
    try:
        options = msgspec.convert(values, WorksheetOptions, strict=False)
    except msgspec.ValidationError as error:
        raise NotationError(f"bad request: {error}") from None
    if not 1 <= options.count <= MAX_PROBLEMS:
        raise RulesError(f"expected from 1 to {MAX_PROBLEMS} puzzles, got {options.count}")
    if len(options.title) > MAX_TITLE_LENGTH:
        raise NotationError(f"expected a title of at most {MAX_TITLE_LENGTH} characters")
    if options.board is not None:
        limits.check_text(options.board)
    return options


async def _paper_puzzle(request: Request, query: str) -> WorksheetItem:
    number = request.path_params["number"]
    return await _use_worksheet(
        request, dict(parse_qsl(query)), lambda worksheet: worksheet.paper_puzzle(number)
    )


async def _use_worksheet(
    request: Request, given: Mapping[str, Any], use: Callable[[LaidOutWorksheet], T]
) -> T:
    """Make the worksheet of the given options in a thread, and use it there."""
    # Telephones cannot open a server that is for its own machine alone.
    invitations: Invitations | None = request.app.state.invitations
    address = None if invitations is None else invitations.sharing.address

    def make_and_use(cancel: Cancel) -> T:
        return use(make_worksheet(read_options(given), address, cancel))

    return await work(request, make_and_use, long=True, timeout_message=NO_PUZZLE_FOUND)
