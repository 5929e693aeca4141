"""The process that reads replays with ms_toollib, one after the other, as JSON.

The library ends its process at most mistakes of a file, and may need for ever: each file is
read by a child, where the system can fork, else by a process that is started anew when it died.
A question is a line `KIND LENGTH` and so many bytes, the answer one line.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any

MEMORY = 4_000_000_000
MOST_EVENTS = 100_000
# What is answered where a child died, or was stopped by its clock.
BROKEN, LATE = b"{}", b'{"late": true}'
_COVERED, _FLAG = 10, 11
READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}


def tell(kind: str, data: bytes) -> dict[str, Any]:
    """The true board of a replay, and its moves as [milliseconds, action, row, column]."""
    import ms_toollib

    video = getattr(ms_toollib, READERS[kind])(f"replay.{kind}", data)
    video.parse()
    video.analyse()
    side = video.pix_size
    moves: list[list[Any]] = []
    for record in video.events[:MOST_EVENTS]:
        if not record.event.is_mouse():
            continue
        mouse = record.event.unwrap_mouse()
        row, column = mouse.y // side, mouse.x // side
        action = _action(record, row, column)
        if action is not None:
            moves.append([max(0, round(1000 * record.time)), action, row, column])
    return {"board": video.board, "moves": moves}


def _action(record: Any, row: int, column: int) -> str | None:
    """What a click did, seen from the boards before and after it."""
    before, after = record.prior_game_board.game_board, record.next_game_board.game_board
    if before == after or not (row < len(before) and column < len(before[0])):
        return None
    was, now = before[row][column], after[row][column]
    if was == _COVERED and now == _FLAG:
        return "flag"
    if was == _FLAG and now == _COVERED:
        return "unflag"
    return "reveal" if was == _COVERED else "chord"


def _limit() -> None:
    """Let a file that lies about its size end this process, and nothing else."""
    try:
        import resource
    except ImportError:  # Windows has no such limits.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _guarded(kind: str, data: bytes, seconds: float) -> bytes:
    """What `tell` says as JSON, from a child that may die: the library ends its process on errors.

    A fork takes a millisecond, a new process a hundred.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(json.dumps(tell(kind, data)).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return told
    return LATE if status == -signal.SIGALRM else BROKEN


def main(seconds: float) -> None:
    """Answer until nobody asks any more."""
    _limit()
    if hasattr(os, "fork"):
        with suppress(ImportError):
            importlib.import_module("ms_toollib")  # once, before the children
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while head := questions.readline():
        kind, length = head.decode().split()
        data = questions.read(int(length))
        if hasattr(os, "fork"):
            answer = _guarded(kind, data, seconds)
        else:
            answer = json.dumps(tell(kind, data)).encode()
        answers.write(answer + b"\n")
        answers.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]))
