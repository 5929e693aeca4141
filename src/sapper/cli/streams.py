"""Standard output and error as they may be: closed, or of an encoding that cannot hold a name."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys


class Closed(io.TextIOBase):
    """Standard output that is closed: only a command that has something to say fails."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        """Refuse it as the system would."""
        if text:
            raise OSError(errno.EBADF, "it is closed")
        return 0


def ready_streams() -> None:
    """Make both streams such that nothing written to them is a traceback.

    What an encoding cannot hold is written as an escape: a name from another alphabet, a letter
    of a file's name.
    """
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it stays open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not holds_everything(stream):
            stream.reconfigure(errors="backslashreplace")


def holds_everything(stream: object) -> bool:
    """Whether a stream's encoding has every character."""
    name = getattr(stream, "encoding", None) or "ascii"
    return codecs.lookup(name).name.startswith("utf")
