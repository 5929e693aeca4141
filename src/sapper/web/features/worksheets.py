"""Worksheets: paper puzzles and exercises to print as PDF, SVG or text.

A worksheet is identified by a token with all its options, including the seed: the same token gives
the same problems, even after the server was restarted. Paper puzzles can be solved on the page. It
gets their positions, and the solution of each only on request.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from dataclasses import fields as dataclass_fields
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache, cached
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.tilings import TILINGS
from sapper.engine.budget import Cancel
from sapper.errors import NotationError, RulesError
from sapper.generators.paper_puzzles.drawing import METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.make import PaperPuzzle
from sapper.generators.worksheet_codes import encode
from sapper.generators.worksheets import Problem, WorksheetRules, problems
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.svg import pages_svg
from sapper.render.worksheet import PAPER_SIZES, Worksheet
from sapper.render.worksheet_pages import Page
from sapper.serialize.cells import Json
from sapper.serialize.generated import paper_puzzle_json
from sapper.serialize.worksheet_options import (
    STYLE_FIELDS,
    WorksheetOptions,
    options_from_code,
    rules_from_options,
    short_seed,
)
from sapper.serialize.worksheets import (
    WORKSHEET_KINDS,
    WRITERS,
    find_writer,
    lay_out,
    small_print_warning,
    worksheet,
)
from sapper.web.boards import shapes_of
from sapper.web.server import limits, share_tokens
from sapper.web.server.http import JsonResponse, decode_json, read_body, seed_or_random
from sapper.web.server.workers import BUDGET, work

MAX_CELLS = 2_500
MAX_PAPER_PUZZLES = 100
MAX_TOTAL_CELLS = 20_000
MAX_TOKEN_LENGTH = 12_000
MAX_TITLE_LENGTH = 100
CACHED_WORKSHEETS = 16

NO_PUZZLE_FOUND = (
    "no such puzzle was found in time: try another size, fewer mines or another difficulty"
)

_FIELD_NAMES = frozenset(field.name for field in dataclass_fields(WorksheetOptions))


class MarksBody(msgspec.Struct):
    """The cells that the user marked as mines (crosses) and as safe (dashes)."""

    crosses: list[int] = []
    dashes: list[int] = []


@dataclass(frozen=True)
class ProblemSet:
    """Paper puzzles or exercises, laid out on pages."""

    rules: WorksheetRules
    problems: tuple[Problem, ...]
    worksheet: Worksheet
    pages: tuple[Page, ...]
    size: tuple[float, float]
    puzzle_pages: int
    """The number of pages before the solutions."""

    def puzzle(self, number: int) -> PaperPuzzle:
        """Return a paper puzzle by its number, from 1."""
        if not 1 <= number <= len(self.problems):
            raise NotationError(f"expected a puzzle from 1 to {len(self.problems)}, got {number}")
        problem = self.problems[number - 1]
        if not isinstance(problem, PaperPuzzle):
            raise NotationError(
                f"only puzzles can be solved here, not the kind {self.rules.kind!r}"
            )
        return problem


@cached(
    LRUCache[WorksheetOptions, tuple[Problem, ...]](CACHED_WORKSHEETS),
    key=lambda options, rules, cancel: options.without_style,
    lock=Lock(),
)
def make_problems(
    options: WorksheetOptions, rules: WorksheetRules, cancel: Cancel
) -> tuple[Problem, ...]:
    """Return the problems of these options; recent ones are cached."""
    return tuple(problems(rules, options.count, options.seed, BUDGET, cancel))


@cached(
    LRUCache[WorksheetOptions, ProblemSet](CACHED_WORKSHEETS),
    key=lambda options, cancel: options,
    lock=Lock(),
)
def make_problem_set(options: WorksheetOptions, cancel: Cancel) -> ProblemSet:
    """Return the problems of these options, laid out on pages; recent ones are cached."""
    rules = _rules(options)
    generated = make_problems(options, rules, cancel)
    whole = worksheet(rules, generated, options.seed, options)
    pages, size = lay_out(whole)
    without_solutions = replace(whole, style=replace(whole.style, solutions=False))
    puzzle_pages = lay_out(without_solutions)[0] if options.solutions else pages
    return ProblemSet(rules, generated, whole, pages, size, len(puzzle_pages))


async def menu(request: Request) -> Response:
    """Return the values that the options of a worksheet can have."""
    return JsonResponse(
        {
            "kinds": {
                name: {"about": kind.about, "title": kind.title}
                for name, kind in WORKSHEET_KINDS.items()
            },
            "tilings": {name: entry.about for name, entry in TILINGS.items()},
            "open": list(OPEN_SETS),
            "methods": list(METHODS),
            "difficulties": {name: entry.label for name, entry in DIFFICULTIES.items()},
            "papers": list(PAPER_SIZES),
            "max_paper_puzzles": MAX_PAPER_PUZZLES,
        }
    )


async def make_worksheet(request: Request) -> Response:
    """Make a worksheet."""
    body = await read_body(request, dict[str, Any], limits.TEXT_BODY)

    def find(cancel: Cancel) -> Json:
        options = read_options(body)
        return worksheet_json(options, make_problem_set(options, cancel))

    return JsonResponse(await work(request, find, long=True, timeout_message=NO_PUZZLE_FOUND), 201)


async def show_worksheet(request: Request) -> Response:
    """Return the worksheet of a token."""
    options, problem_set = await _problem_set_of_token(request)
    return JsonResponse(worksheet_json(options, problem_set))


async def download_worksheet(request: Request) -> Response:
    """Return the worksheet as a file."""
    options = _options_of_token(request)
    writer = find_writer(f"sheet.{request.path_params['suffix']}")

    def write(cancel: Cancel) -> str | bytes:
        return writer.write(make_problem_set(options, cancel).worksheet)

    content = await work(request, write, long=True, timeout_message=NO_PUZZLE_FOUND)
    name = f"{WORKSHEET_KINDS[options.kind].plural}-{options.seed}{writer.suffix}"
    disposition = f'attachment; filename="{name}"'
    headers = {"content-disposition": disposition, "cache-control": "no-store"}
    return Response(content, media_type=writer.media_type, headers=headers)


async def page(request: Request) -> Response:
    """Return one page as SVG."""
    options, number = _options_of_token(request), request.path_params["page"]

    def draw(cancel: Cancel) -> str:
        problem_set = make_problem_set(options, cancel)
        pages = problem_set.pages
        if not 1 <= number <= len(pages):
            raise NotationError(f"expected a page from 1 to {len(pages)}, got {number}")
        title = problem_set.worksheet.style.title
        return pages_svg([pages[number - 1]], problem_set.size, title)

    content = await work(request, draw, long=True, timeout_message=NO_PUZZLE_FOUND)
    headers = {"cache-control": "private, max-age=3600"}
    return Response(content, media_type=WRITERS[".svg"].media_type, headers=headers)


async def check(request: Request) -> Response:
    """Check the user's marks: which are wrong, and how many cells are unmarked."""
    body = await read_body(request, MarksBody, limits.TEXT_BODY)
    _, problem_set = await _problem_set_of_token(request)
    puzzle = problem_set.puzzle(request.path_params["number"])
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
    _, problem_set = await _problem_set_of_token(request)
    puzzle = problem_set.puzzle(request.path_params["number"])
    return JsonResponse({"mines": puzzle.mine_cells})


ROUTES = [
    Route("/api/worksheets", menu),
    Route("/api/worksheets", make_worksheet, methods=["POST"]),
    Route("/api/worksheets/{token}", show_worksheet),
    Route("/api/worksheets/{token}/sheet.{suffix}", download_worksheet),
    Route("/api/worksheets/{token}/pages/{page:int}", page),
    Route("/api/worksheets/{token}/puzzles/{number:int}/check", check, methods=["POST"]),
    Route("/api/worksheets/{token}/puzzles/{number:int}/solution", solution),
]


def worksheet_json(options: WorksheetOptions, problem_set: ProblemSet) -> Json:
    """Return a worksheet without its solutions; exercises are only on its pages."""
    token = token_of(options)
    return {
        "token": token,
        "link": f"#/print?set={token}",
        "options": {**asdict(options), "seed": str(options.seed)},
        "kind": problem_set.rules.kind,
        "code": encode(problem_set.rules, options.count, options.seed),
        "command": problem_set.worksheet.footer[0],
        "note": small_print_warning(problem_set.worksheet),
        "pages": len(problem_set.pages),
        "puzzle_pages": problem_set.puzzle_pages,
        "page_size": [round(side, 1) for side in problem_set.size],
        "shapes": shapes_of(problem_set.rules.board),
        "paper_puzzles": [
            {
                "marks": puzzle.position.marks.tolist(),
                "label": DIFFICULTIES[puzzle.difficulty].label,
                **paper_puzzle_json(puzzle),
                "seed": str(puzzle.seed),
            }
            for puzzle in problem_set.problems
            if isinstance(puzzle, PaperPuzzle)
        ],
    }


def token_of(options: WorksheetOptions) -> str:
    """Return the options as a share token."""
    defaults = {"kind": "puzzle", "title": ""}
    non_defaults = {
        key: value
        for key, value in asdict(options).items()
        if value is not None and value != defaults.get(key)
    }
    token = share_tokens.pack(json.dumps(non_defaults, separators=(",", ":")))
    if len(token) > MAX_TOKEN_LENGTH:
        raise RulesError("the board and its open cells are too long for a link")
    return token


def read_options(body: Json) -> WorksheetOptions:
    """Read the options of a request, with all defaults resolved."""
    fields = {key: value for key, value in body.items() if value is not None and value != ""}
    if unknown := fields.keys() - _FIELD_NAMES - {"code"}:
        names = ", ".join(sorted(_FIELD_NAMES | {"code"}))
        raise NotationError(f"unknown option {min(unknown)!r:.60}; the options are {names}")
    if "open_cells" in fields:
        fields.pop("open", None)  # chosen cells take precedence over a pattern
    if "code" in fields:
        allowed = (*STYLE_FIELDS, "board", "open_cells")
        style = {key: fields[key] for key in allowed if key in fields}
        code = str(fields["code"])
        return _within_limits(options_from_code(code, _convert(style), MAX_CELLS))
    options = _convert({**fields, "seed": fields.get("seed", short_seed())})
    return options.resolved(_rules(options))


def read_token(token: str) -> WorksheetOptions:
    """Read the options of a share token."""
    if len(token) > MAX_TOKEN_LENGTH:
        raise NotationError("the link to the worksheet is too long")
    fields = decode_json(share_tokens.unpack(token, "worksheet"), dict[str, Any])
    if not fields.keys() <= _FIELD_NAMES or "seed" not in fields:
        raise NotationError("the link to the worksheet is damaged: copy all of it")
    return _convert(fields)


def _convert(fields: Json) -> WorksheetOptions:
    """Return options with values of the right types and sizes."""
    if "seed" in fields:
        fields = {**fields, "seed": seed_or_random(fields["seed"])}
    try:
        return _within_limits(msgspec.convert(fields, WorksheetOptions))
    except msgspec.ValidationError as error:
        raise NotationError(f"bad request: {error}") from None


def _within_limits(options: WorksheetOptions) -> WorksheetOptions:
    if not 1 <= options.count <= MAX_PAPER_PUZZLES:
        raise RulesError(f"expected from 1 to {MAX_PAPER_PUZZLES} puzzles, got {options.count}")
    if len(options.title) > MAX_TITLE_LENGTH:
        raise NotationError(f"expected a title of at most {MAX_TITLE_LENGTH} characters")
    if options.board is not None:
        limits.check_text(options.board)
    return options


def _rules(options: WorksheetOptions) -> WorksheetRules:
    """Return the rules of the problems; reject boards that are too large, before they are built."""
    rules = rules_from_options(options, MAX_CELLS)
    cells = len(rules.board) * options.count
    if cells > MAX_TOTAL_CELLS:
        raise RulesError(
            f"expected at most {MAX_TOTAL_CELLS:,} cells in all puzzles, got {cells:,}"
        )
    return rules


def _options_of_token(request: Request) -> WorksheetOptions:
    return read_token(request.path_params["token"])


async def _problem_set_of_token(request: Request) -> tuple[WorksheetOptions, ProblemSet]:
    options = _options_of_token(request)
    problem_set = await work(
        request,
        lambda cancel: make_problem_set(options, cancel),
        long=True,
        timeout_message=NO_PUZZLE_FOUND,
    )
    return options, problem_set
