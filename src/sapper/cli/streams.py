"""Standard output and error as they may be: closed, or of an encoding that cannot hold a name."""

from __future__ import annotations

import codecs
import io
import os
import sys


def configure_streams() -> None:
    """Make both streams such that nothing written to them is a traceback.

    What an encoding cannot hold is written as an escape: a name from another alphabet, a letter
    of a file's name.
    """
    if sys.stdout is None:
        sys.stdout = _open_devnull()
    if sys.stderr is None:
        sys.stderr = _open_devnull()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not encodes_unicode(stream):
            stream.reconfigure(errors="backslashreplace")


def _open_devnull() -> io.TextIOWrapper:
    """Whoever closes a stream does not want to hear of it."""
    return open(os.devnull, "w", encoding="utf-8")


def encodes_unicode(stream: object) -> bool:
    """Whether a stream's encoding has every character."""
    name = getattr(stream, "encoding", None) or "ascii"
    return codecs.lookup(name).name.startswith("utf")
