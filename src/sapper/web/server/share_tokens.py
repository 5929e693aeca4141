"""Sharing: a game, a position or a set of tables as a token that fits into a URL, and back."""

from __future__ import annotations

import base64
import binascii
import zlib

from sapper.errors import NotationError

MAX_BYTES = 1_000_000


def pack(text: str) -> str:
    """A text as letters, digits, - and _; `unpack` reads it."""
    packed = zlib.compress(text.encode(), level=9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpack(token: str, what: str = "game") -> str:
    """The text of a token; refuses what would unfold to more than MAX_BYTES."""
    try:
        packed = base64.b64decode(
            token.encode("ascii") + b"=" * (-len(token) % 4), altchars=b"-_", validate=True
        )
        opener = zlib.decompressobj()
        text = opener.decompress(packed, MAX_BYTES)
        if opener.unconsumed_tail or not opener.eof:
            raise NotationError(f"expected a shared {what}, got one that is cut off or too long")
        return text.decode()
    except (ValueError, binascii.Error, zlib.error) as error:
        if isinstance(error, NotationError):
            raise
        raise NotationError(f"expected a shared {what}, got {token!r:.60}") from None
