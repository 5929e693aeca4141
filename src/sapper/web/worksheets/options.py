"""Sets of tables on the wire: what a request or a token wishes for, within limits."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from sapper.errors import NotationError, RulesError
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules
from sapper.serialize.cells import Json
from sapper.serialize.worksheet_options import (
    STYLE_FIELDS,
    WorksheetOptions,
    options_from_code,
    rules_from_options,
    short_seed,
)
from sapper.web.server import limits, share_tokens
from sapper.web.server.requests import seed_of

# A sheet of larger boards could not be read, and more tables would fill a book.
MAX_CELLS = 2_500
MAX_PAPER_PUZZLES = 100
MAX_TOTAL_CELLS = 20_000
MAX_TOKEN_LENGTH = 12_000
MAX_TITLE_LENGTH = 100


def token_of(options: WorksheetOptions) -> str:
    """The wish in letters that fit into an address; `read_token` reads it."""
    given = {key: value for key, value in asdict(options).items() if value is not None}
    token = share_tokens.pack(json.dumps(given, separators=(",", ":")))
    if len(token) > MAX_TOKEN_LENGTH:
        raise RulesError("expected a board and open cells of fewer words, got more than fit")
    return token


def read_wish(data: Json) -> WorksheetOptions:
    """The wish of a request, with nothing left open."""
    for key in data:
        if key != "code" and key not in KINDS:
            known = ", ".join(sorted({*KINDS, "code"}))
            raise NotationError(f"expected keys among {known}, got {key!r:.60}")
    given = {key: value for key, value in data.items() if value is not None and value != ""}
    if "open_cells" in given:
        given.pop("open", None)  # names say more than a pattern
    if "code" in given:
        kept = {key: given[key] for key in (*STYLE_FIELDS, "board", "open_cells") if key in given}
        code = _kind("code", given["code"], str)
        return _within_limits(options_from_code(code, _checked(kept), MAX_CELLS))
    options = _checked({**given, "seed": seed_of(given) if "seed" in given else short_seed()})
    return options.resolved(table_rules_of(options))


KINDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("size", "tiling", "board", "open", "open_cells", "method", "difficulty"), str),
    **dict.fromkeys(("paper", "title"), str),
    **dict.fromkeys(("or_easier", "large_print", "high_contrast", "solutions"), bool),
    **dict.fromkeys(("count", "seed", "per_page"), int),
    "mine_density": (int, float),
}


def _checked(given: Json) -> WorksheetOptions:
    """The wish with values of the right kinds and sizes."""
    return _within_limits(
        WorksheetOptions(**{key: _kind(key, value, KINDS[key]) for key, value in given.items()})
    )


def _within_limits(options: WorksheetOptions) -> WorksheetOptions:
    if not 1 <= options.count <= MAX_PAPER_PUZZLES:
        raise RulesError(f"expected from 1 to {MAX_PAPER_PUZZLES} tables, got {options.count}")
    if len(options.title) > MAX_TITLE_LENGTH:
        raise NotationError(f"expected a title of at most {MAX_TITLE_LENGTH} letters, got more")
    if options.board is not None:
        limits.check_text(options.board)
    return options


def _kind(key: str, value: object, kind: type | tuple[type, ...]) -> Any:
    half = kind is str and not limits.is_text(value)
    if half or not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        word = "text" if kind is str else "true or false" if kind is bool else "a number"
        raise NotationError(f"expected {key} as {word}, got {value!r:.60}")
    return value


def read_token(token: str) -> WorksheetOptions:
    """The wish of a token."""
    if len(token) > MAX_TOKEN_LENGTH:
        raise NotationError("expected a shorter name of a set of tables, got a longer one")
    try:
        data = json.loads(share_tokens.unpack(token, "set of tables"))
    except (RecursionError, json.JSONDecodeError):
        data = None
    if not isinstance(data, dict) or not data.keys() <= KINDS.keys() or "seed" not in data:
        raise NotationError(f"expected a shared set of tables, got {token!r:.60}")
    return _checked({**data, "seed": seed_of(data)})


def table_rules_of(options: WorksheetOptions) -> PaperPuzzleRules:
    """The rules of a wish; refuses boards that are too large, before they are built."""
    rules = rules_from_options(options, MAX_CELLS)
    cells = len(rules.board) * options.count
    if cells > MAX_TOTAL_CELLS:
        raise RulesError(f"expected at most {MAX_TOTAL_CELLS:,} cells in all tables, got {cells:,}")
    return rules
