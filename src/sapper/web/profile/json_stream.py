"""JSON in pieces: a large file is read and written without ever being in memory as a whole.

Such a file is one JSON object. What stands in a list of it is handed on item by item.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from sapper.errors import NotationError

Piece = tuple[str, Any]

# No item, and no value beside the lists, is longer.
MAX_LETTERS = 4_000_000

_SPACE = " \t\r\n"
_AFTER = (*_SPACE, ",", "]", "}")


def _refuse(word: str) -> None:
    raise ValueError(f"JSON has no {word}")


_DECODE = json.JSONDecoder(parse_constant=_refuse).raw_decode


class Reader:
    """Reads one JSON object from bytes as they come; answers with its pieces.

    A piece is a key of the object with its value, or with one item where the value is a list.
    """

    def __init__(self) -> None:
        self._bytes = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._at = 0
        # After a try that failed for want of text, the next one waits for twice as much, so that
        # a long item is not read again with every chunk.
        self._enough = 0
        self._expects = "{"
        self._key = ""

    def feed(self, data: bytes, last: bool = False) -> list[Piece]:
        """The pieces that these bytes complete."""
        try:
            self._text = self._text[self._at :] + self._bytes.decode(data, last)
        except UnicodeDecodeError:
            raise NotationError("expected text in UTF-8, got other bytes") from None
        self._at = 0
        found = []
        if last or len(self._text) >= self._enough:
            found = list(self._pieces(last))
            self._enough = 2 * (len(self._text) - self._at)
        if len(self._text) - self._at > MAX_LETTERS:
            raise self._problem()
        if last and self._expects:
            raise self._problem()
        return found

    def _pieces(self, last: bool) -> Iterator[Piece]:
        while self._skip_space():
            if self._expects == "value or ]" and self._take("]"):
                self._expects = ", or }"
            elif self._expects == "key or }" and self._take("}"):
                self._expects = ""
            elif self._expects in ("key", "key or }"):
                key = self._value(last)
                if key is None:
                    return
                if not isinstance(key[0], str):
                    raise self._problem()
                self._key, self._expects = key[0], ":"
            elif self._expects == "value" and self._take("["):
                self._expects = "value or ]"
            elif self._expects in ("value", "item", "value or ]"):
                value = self._value(last)
                if value is None:
                    return
                yield self._key, value[0]
                self._expects = ", or }" if self._expects == "value" else ", or ]"
            else:
                self._sign()

    def _sign(self) -> None:
        """Take a sign of which there are one or two that can stand here."""
        for expected, sign, then in _SIGNS:
            if self._expects == expected and self._take(sign):
                self._expects = then
                return
        raise self._problem()

    def _take(self, sign: str) -> bool:
        there = self._text[self._at] == sign
        self._at += there
        return there

    def _skip_space(self) -> bool:
        """Go to the next letter; answers whether there is one."""
        while self._at < len(self._text) and self._text[self._at] in _SPACE:
            self._at += 1
        return self._at < len(self._text)

    def _value(self, last: bool) -> tuple[Any] | None:
        """The value that begins here; None where its end is still to come."""
        try:
            value, end = _DECODE(self._text, self._at)
        except (ValueError, RecursionError):
            if last:
                raise self._problem() from None
            return None
        # A number goes on until something else comes: 1 may become 1.5, or 10.
        whole = self._text[end - 1] in '"]}' or self._text[end : end + 1] in _AFTER
        if not whole and not last:
            return None
        self._at = end
        return (value,)

    def _problem(self) -> NotationError:
        rest = self._text[self._at : self._at + 40]
        return NotationError(f"expected JSON that was exported here, got {rest!r}")


# What was expected, the sign that is there, what is expected then.
_SIGNS = (
    ("{", "{", "key or }"),
    (":", ":", "value"),
    (", or }", ",", "key"),
    (", or }", "}", ""),
    (", or ]", ",", "item"),
    (", or ]", "]", ", or }"),
)


async def written(
    head: Mapping[str, Any], lists: Mapping[str, AsyncIterator[list[Any]]]
) -> AsyncIterator[str]:
    """The text of one JSON object: *head* as it is, then lists whose items come in pages."""
    yield json.dumps(head)[:-1]
    for key, pages in lists.items():
        yield f",\n{json.dumps(key)}: ["
        comma = "\n"
        async for page in pages:
            if page:
                yield comma + ",\n".join(map(json.dumps, page))
                comma = ",\n"
        yield "\n]"
    yield "\n}\n"
