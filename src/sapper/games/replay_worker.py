"""The process that reads one replay with ms_toollib, which may end its process or never return.

The arguments are the format and a folder for the files that the library writes. Standard input has
the bytes of the replay; the result is written to standard output as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

MAX_MEMORY = 4_000_000_000
MAX_EVENTS = 100_000
# The library's codes of cells, and its class for each format.
_COVERED, _FLAG = 10, 11
READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}


def read_replay(format_name: str, data: bytes) -> dict[str, Any]:
    """Return the layout of a replay, and its moves as [milliseconds, action, row, column]."""
    import ms_toollib

    video = getattr(ms_toollib, READERS[format_name])(f"replay.{format_name}", data)
    video.parse()
    video.analyse()
    cell_pixels = video.pix_size
    moves: list[list[Any]] = []
    for record in video.events[:MAX_EVENTS]:
        if not record.event.is_mouse():
            continue
        mouse = record.event.unwrap_mouse()
        row, column = mouse.y // cell_pixels, mouse.x // cell_pixels
        action = _action(record, row, column)
        if action is not None:
            moves.append([max(0, round(1000 * record.time)), action, row, column])
    return {"board": video.board, "moves": moves}


def _action(record: Any, row: int, column: int) -> str | None:
    """Derive the action of a click from the boards before and after it."""
    before, after = record.prior_game_board.game_board, record.next_game_board.game_board
    if before == after or not (row < len(before) and column < len(before[0])):
        return None
    code_before, code_after = before[row][column], after[row][column]
    if code_before == _COVERED and code_after == _FLAG:
        return "flag"
    if code_before == _FLAG and code_after == _COVERED:
        return "unflag"
    return "reveal" if code_before == _COVERED else "chord"


def limit_memory() -> None:
    """Limit the memory of this process, so that a file that states a huge size ends only it."""
    try:
        import resource
    except ImportError:  # Windows has no such limits.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    os.chdir(sys.argv[2])
    limit_memory()
    sys.stdout.write(json.dumps(read_replay(sys.argv[1], sys.stdin.buffer.read())))
