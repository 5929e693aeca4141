"""Sets of tables on the wire: what a request or a token wishes for, within limits."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from sapper.answers.spelling import Json
from sapper.answers.wishes import LOOKS, Wish, of_code, rules_of, short_seed
from sapper.errors import NotationError, RulesError
from sapper.generate.tables.make import TableRules
from sapper.web.server import limits
from sapper.web.wire import tokens
from sapper.web.wire.requests import seed_of

# A sheet of larger boards could not be read, and more tables would fill a book.
MOST_CELLS = 2_500
MOST_TABLES = 100
MOST_CELLS_IN_ALL = 20_000
MOST_TOKEN = 12_000
MOST_TITLE = 100


def token_of(wish: Wish) -> str:
    """The wish in letters that fit into an address; `read_token` reads it."""
    given = {key: value for key, value in asdict(wish).items() if value is not None}
    token = tokens.pack(json.dumps(given, separators=(",", ":")))
    if len(token) > MOST_TOKEN:
        raise RulesError("expected a board and open cells of fewer words, got more than fit")
    return token


def read_wish(data: Json) -> Wish:
    """The wish of a request, with nothing left open."""
    for key in data:
        if key != "code" and key not in KINDS:
            known = ", ".join(sorted({*KINDS, "code"}))
            raise NotationError(f"expected keys among {known}, got {key!r:.60}")
    given = {key: value for key, value in data.items() if value is not None and value != ""}
    if "open_cells" in given:
        given.pop("open", None)  # names say more than a pattern
    if "code" in given:
        kept = {key: given[key] for key in (*LOOKS, "board", "open_cells") if key in given}
        code = _kind("code", given["code"], str)
        return _within_limits(of_code(code, _checked(kept), MOST_CELLS))
    wish = _checked({**given, "seed": seed_of(given) if "seed" in given else short_seed()})
    return wish.settled(table_rules_of(wish))


KINDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("size", "tiling", "board", "open", "open_cells", "method", "rung"), str),
    **dict.fromkeys(("paper", "title"), str),
    **dict.fromkeys(("at_most", "large_print", "high_contrast", "solutions"), bool),
    **dict.fromkeys(("count", "seed", "per_page"), int),
    "mines_share": (int, float),
}


def _checked(given: Json) -> Wish:
    """The wish with values of the right kinds and sizes."""
    return _within_limits(
        Wish(**{key: _kind(key, value, KINDS[key]) for key, value in given.items()})
    )


def _within_limits(wish: Wish) -> Wish:
    if not 1 <= wish.count <= MOST_TABLES:
        raise RulesError(f"expected from 1 to {MOST_TABLES} tables, got {wish.count}")
    if len(wish.title) > MOST_TITLE:
        raise NotationError(f"expected a title of at most {MOST_TITLE} letters, got more")
    if wish.board is not None:
        limits.check_text(wish.board)
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


def table_rules_of(wish: Wish) -> TableRules:
    """The rules of a wish; refuses boards that are too large, before they are built."""
    rules = rules_of(wish, MOST_CELLS)
    cells = len(rules.board) * wish.count
    if cells > MOST_CELLS_IN_ALL:
        raise RulesError(
            f"expected at most {MOST_CELLS_IN_ALL:,} cells in all tables, got {cells:,}"
        )
    return rules
