"""The worker process that reads replays with ms_toollib, one after the other.

On most errors the library ends its process, and it may also never return. So each file is read in
a forked child where the system can fork; elsewhere the worker itself dies and is restarted.
A request is a line `FORMAT LENGTH` and LENGTH bytes; the answer is one line of JSON.
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
MAX_EVENTS = 100_000
# The answers for a child that died, and for one that its timer stopped.
CRASHED, TIMED_OUT = b"{}", b'{"timed_out": true}'
# Codes of the library for cells.
_COVERED, _FLAG = 10, 11
READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}


def read_replay(kind: str, data: bytes) -> dict[str, Any]:
    """Return the layout of a replay, and its moves as [milliseconds, action, row, column]."""
    import ms_toollib

    video = getattr(ms_toollib, READERS[kind])(f"replay.{kind}", data)
    video.parse()
    video.analyse()
    side = video.pix_size
    moves: list[list[Any]] = []
    for record in video.events[:MAX_EVENTS]:
        if not record.event.is_mouse():
            continue
        mouse = record.event.unwrap_mouse()
        row, column = mouse.y // side, mouse.x // side
        action = _action(record, row, column)
        if action is not None:
            moves.append([max(0, round(1000 * record.time)), action, row, column])
    return {"board": video.board, "moves": moves}


def _action(record: Any, row: int, column: int) -> str | None:
    """Derive the action of a click from the boards before and after it."""
    before, after = record.prior_game_board.game_board, record.next_game_board.game_board
    if before == after or not (row < len(before) and column < len(before[0])):
        return None
    was, now = before[row][column], after[row][column]
    if was == _COVERED and now == _FLAG:
        return "flag"
    if was == _FLAG and now == _COVERED:
        return "unflag"
    return "reveal" if was == _COVERED else "chord"


def _limit_memory() -> None:
    """Limit the memory, so that a file that states a huge size ends only this process."""
    try:
        import resource
    except ImportError:  # Windows has no such limits.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read_in_child(kind: str, data: bytes, seconds: float) -> bytes:
    """Run `read_replay` in a forked child and return its answer as JSON.

    A fork takes a millisecond, a new process a hundred.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            with os.fdopen(write_end, "wb") as pipe:
                pipe.write(json.dumps(read_replay(kind, data)).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        answer = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return answer
    return TIMED_OUT if status == -signal.SIGALRM else CRASHED


def main(seconds: float, folder: str) -> None:
    """Answer requests until standard input ends; *folder* is for files that the library writes."""
    os.chdir(folder)
    _limit_memory()
    if hasattr(os, "fork"):
        with suppress(ImportError):
            importlib.import_module("ms_toollib")  # once, before forking
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while header := requests.readline():
        kind, length = header.decode().split()
        data = requests.read(int(length))
        if hasattr(os, "fork"):
            answer = _read_in_child(kind, data, seconds)
        else:
            answer = json.dumps(read_replay(kind, data)).encode()
        answers.write(answer + b"\n")
        answers.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
