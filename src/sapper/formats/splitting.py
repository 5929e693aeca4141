"""Split a text that contains several positions or layouts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sapper.formats.json_format import is_json
from sapper.formats.registry import is_saved_game
from sapper.formats.toollib import is_board_file


def split_texts(text: str) -> list[str]:
    r"""Split a text that contains several positions or layouts.

    They are separated by empty lines, or are JSON objects; the JSON output of `sapper generate`,
    `worksheet` or `puzzle` is split into those that it contains.

    >>> split_texts("*.c\n\n..c")
    ['*.c', '..c']
    """
    if is_saved_game(text) or is_board_file(text):
        return [text]
    if is_json(text):
        return [one for value in _json_values(text) for one in _texts_within(*value)]
    blocks = [block.strip("\n") for block in re.split(r"\n(?:[^\S\n]*\n)+", text) if block.strip()]
    found: list[str] = []
    for block in blocks:
        # A header may be separated from its rows by an empty line.
        if found and all(":" in line for line in found[-1].splitlines()):
            block = f"{found.pop()}\n{block}"
        found.append(block)
    return found if len(found) > 1 else [text]


def _json_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the text and the value of each JSON value in a text."""
    decoder, at = json.JSONDecoder(), len(text) - len(text.lstrip("\ufeff \t\r\n"))
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            # The reader of positions will raise the error.
            yield text[at:], None
            return
        yield text[at:end], value
        at = end + len(text[end:]) - len(text[end:].lstrip())


def _texts_within(text: str, value: Any) -> Iterator[str]:
    # Output of version 0.2 has other keys (vocabulary: keep).
    for key in ("layouts", "paper_puzzles", "puzzles", "tables"):
        rows = value.get(key) if isinstance(value, dict) else None
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            for row in rows:
                old = row.get("frame", "")  # vocabulary: keep
                yield str(row.get("text" if key == "layouts" else "position", old))
            return
    yield text
