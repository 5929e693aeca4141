"""What a set of tables is made from: read from a request, from a code, and from a token."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sapper.answers.worksheets import PAPERS, TITLE, Style
from sapper.errors import NotationError, RulesError
from sapper.generate.tables.codes import decode
from sapper.generate.tables.make import TableRules, table_rules
from sapper.generate.tables.open_sets import OPEN_SETS
from sapper.model.board import Board
from sapper.model.notation import parse_board
from sapper.model.rules import parse_size
from sapper.model.tilings import TILINGS, tiling
from sapper.web.server import limits
from sapper.web.wire import tokens
from sapper.web.wire.requests import seed_of

Json = dict[str, Any]

# A sheet of larger boards could not be read, and more tables would fill a book.
MOST_CELLS = 2_500
MOST_TABLES = 100
MOST_CELLS_IN_ALL = 20_000
MOST_TOKEN = 12_000
MOST_TITLE = 100


@dataclass(frozen=True)
class Wish:
    """What a set of tables is made from. What was left open is filled in before it becomes a token.

    `board` is the JSON of a graph; `size` and `tiling` name any other board.
    """

    size: str | None = None
    tiling: str = "square"
    board: str | None = None
    open: str | None = None
    open_cells: str | None = None
    method: str | None = None
    mines_share: float | None = None
    rung: str | None = None
    at_most: bool = False
    count: int = 1
    seed: int = 0
    paper: str = "a4"
    title: str = TITLE
    per_page: int | None = None
    large_print: bool = False
    high_contrast: bool = False
    solutions: bool = True

    @property
    def style(self) -> Style:
        """How its sheet looks."""
        return Style(
            self.paper,
            self.title,
            self.per_page,
            self.large_print,
            self.high_contrast,
            self.solutions,
        )

    @property
    def tables(self) -> Wish:
        """The part that decides which tables these are."""
        plain = {name: getattr(Wish, name) for name in LOOKS}
        return replace(self, **plain)

    def token(self) -> str:
        """The wish in letters that fit into an address; `read_token` reads it."""
        given = {key: value for key, value in asdict(self).items() if value is not None}
        token = tokens.pack(json.dumps(given, separators=(",", ":")))
        if len(token) > MOST_TOKEN:
            raise RulesError("expected a board and open cells of fewer words, got more than fit")
        return token


LOOKS = ("paper", "title", "per_page", "large_print", "high_contrast", "solutions")


def read_wish(data: Json) -> Wish:
    """The wish of a request; its seed, where none is given, is short enough to copy by hand."""
    known = {field.name for field in fields(Wish)} | {"code"}
    for key in data:
        if key not in known:
            raise NotationError(f"expected keys among {', '.join(sorted(known))}, got {key!r:.60}")
    given = {key: value for key, value in data.items() if value not in (None, "")}
    if "code" in given:
        given = _from_code(given)
    fresh = "seed" not in given
    wish = _checked(
        {**given, "seed": secrets.randbelow(10**6) if fresh else seed_of(given)},
    )
    rules = rules_of(wish)
    return replace(
        wish,
        open=rules.open if isinstance(rules.open, str) else None,
        method=rules.method,
        mines_share=rules.share,
    )


def _from_code(given: Json) -> Json:
    """What a code at the foot of a sheet says, beside the looks of the sheet."""
    kept = {key: value for key, value in given.items() if key in (*LOOKS, "board", "open_cells")}
    code = decode(_kind("code", given["code"], str))
    if code.tiling in TILINGS:
        kept |= {"tiling": code.tiling, "size": f"{code.size[0]}x{code.size[1]}"}
    if code.open in OPEN_SETS:
        kept["open"] = code.open
    kept |= {"method": code.method, "mines_share": code.share, "at_most": code.at_most}
    return kept | {"rung": code.rung, "count": code.count, "seed": code.seed}


KINDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("size", "tiling", "board", "open", "open_cells", "method", "rung"), str),
    **dict.fromkeys(("paper", "title"), str),
    **dict.fromkeys(("at_most", "large_print", "high_contrast", "solutions"), bool),
    **dict.fromkeys(("count", "seed", "per_page"), int),
    "mines_share": (int, float),
}


def _checked(given: Json) -> Wish:
    """The wish with values of the right kinds and sizes."""
    wish = Wish(
        **{key: _kind(key, value, KINDS[key]) for key, value in given.items() if value is not None}
    )
    if not 1 <= wish.count <= MOST_TABLES:
        raise RulesError(f"expected from 1 to {MOST_TABLES} tables, got {wish.count}")
    if wish.per_page is not None and not 1 <= wish.per_page <= 80:
        raise RulesError(f"expected from 1 to 80 tables on a page, got {wish.per_page}")
    if wish.paper not in PAPERS:
        raise NotationError(f"expected a paper ({', '.join(PAPERS)}), got {wish.paper!r:.60}")
    if len(wish.title) > MOST_TITLE:
        raise NotationError(f"expected a title of at most {MOST_TITLE} letters, got more")
    return wish


def _kind(key: str, value: object, kind: type | tuple[type, ...]) -> Any:
    half = kind is str and not limits.is_text(value)
    if half or not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        word = "text" if kind is str else "true or false" if kind is bool else "a number"
        raise NotationError(f"expected {key} as {word}, got {value!r:.60}")
    return value


def read_token(token: str) -> Wish:
    """The wish of a token."""
    if len(token) > MOST_TOKEN:
        raise NotationError("expected a shorter name of a set of tables, got a longer one")
    try:
        data = json.loads(tokens.unpack(token, "set of tables"))
    except (RecursionError, json.JSONDecodeError):
        data = None
    if not isinstance(data, dict) or not data.keys() <= KINDS.keys() or "seed" not in data:
        raise NotationError(f"expected a shared set of tables, got {token!r:.60}")
    return _checked({**data, "seed": seed_of(data)})


def rules_of(wish: Wish) -> TableRules:
    """The rules of a wish; refuses boards that are too large, before they are built."""
    board = _board(wish)
    if len(board) > MOST_CELLS:
        raise RulesError(f"expected at most {MOST_CELLS:,} cells, got {len(board):,}")
    if len(board) * wish.count > MOST_CELLS_IN_ALL:
        raise RulesError(
            f"expected at most {MOST_CELLS_IN_ALL:,} cells in all tables, "
            f"got {len(board) * wish.count:,}"
        )
    return table_rules(
        board,
        open=_own_cells(board, wish) or wish.open,
        method=wish.method,
        share=wish.mines_share,
        rung=wish.rung,
        at_most=wish.at_most,
    )


def _board(wish: Wish) -> Board:
    if wish.board is not None:
        limits.check_text(wish.board)
        return parse_board(wish.board)
    if wish.size is None:
        raise NotationError("expected a size such as 9x10, got none")
    width, height, mines = parse_size(wish.size)
    if mines is not None:
        raise NotationError(f"expected a size without mines such as 9x10, got {wish.size!r:.60}")
    if width * height > MOST_CELLS:
        raise RulesError(f"expected at most {MOST_CELLS:,} cells, got {width}x{height}")
    return tiling(wish.tiling, width, height)


def _own_cells(board: Board, wish: Wish) -> tuple[int, ...] | None:
    if wish.open_cells is None:
        return None
    names = re.findall(r"[^\s,]+", wish.open_cells)
    return tuple(sorted({board.cell(name) for name in names})) or None
