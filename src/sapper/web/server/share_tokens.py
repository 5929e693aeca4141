"""Share tokens: a game or a position as text for a URL."""

from __future__ import annotations

import base64
import zlib

from sapper.errors import NotationError

MAX_BYTES = 1_000_000


def pack(text: str) -> str:
    """Compress a text into letters, digits, - and _."""
    packed = zlib.compress(text.encode(), level=9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpack(token: str, kind: str = "game") -> str:
    """Return the text of a token; reject a token whose text is longer than MAX_BYTES."""
    try:
        packed = base64.b64decode(
            token.encode("ascii") + b"=" * (-len(token) % 4), altchars=b"-_", validate=True
        )
        decompressor = zlib.decompressobj()
        text = decompressor.decompress(packed, MAX_BYTES).decode()
    except (ValueError, zlib.error):
        raise NotationError(f"the link to the {kind} is damaged: copy all of it") from None
    if decompressor.unconsumed_tail or not decompressor.eof:
        raise NotationError(f"the link to the {kind} is cut off or too long: copy all of it")
    return text
