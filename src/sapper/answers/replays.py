"""Replays of other programs (avf, evf, mvf, rmv) as sessions, read by ms_toollib.

That library is made for good files: broken ones end its process, or never end. So it runs in a
process of its own, with a limit of time, and says what it found as JSON.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Any

import numpy as np

from sapper.errors import IllegalMove, NotationError, RulesError, Unavailable
from sapper.model.formats.binary import bytes_of, replays_of
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.model.tilings import tiling
from sapper.play.session import Session, Start

LIBRARY = "ms_toollib"
SECONDS = 20.0
MEMORY = 4_000_000_000
MOST_EVENTS = 100_000
_BLANK, _FLAG = 10, 11
_READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}


def read_replay(text: str) -> Session:
    """The session of a replay, from the hex digits of its file.

    The programs promise that the first click is no mine, and so does the session.
    """
    data = bytes_of(text)
    kinds = () if data is None else replays_of(data)
    if data is None or not kinds:
        raise NotationError(f"expected the hex digits of a replay, got {text!r:.60}")
    if importlib.util.find_spec(LIBRARY) is None:
        raise Unavailable("expected the extra 'replay' for replays, got none: sapper[replay]")
    return _session(kinds[0], _ask(kinds[0], data))


def _ask(kind: str, data: bytes) -> dict[str, Any]:
    """What the library says of a replay, from a process that may die."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, kind],
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotationError(f"expected a whole {kind} replay, got one without an end") from None
    if done.returncode != 0:
        raise NotationError(f"expected a whole {kind} replay, got one that cannot be read")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _session(kind: str, found: dict[str, Any]) -> Session:
    """The moves of a replay, played again: each must be legal here too."""
    rows = found["board"]
    if not rows or not rows[0]:
        raise NotationError(f"expected a whole {kind} replay, got one without a board")
    try:
        board = tiling("square", len(rows[0]), len(rows))
        layout = Layout(board, np.array(rows).reshape(-1) == -1)
        session = Session(
            Start(Rules(board, layout.mine_count, "safe"), layout=layout), clock=lambda: 0.0
        )
        last = 0
        for milliseconds, action, row, column in found["moves"]:
            last = max(last, milliseconds)
            session.replay(last, Move(action, row * len(rows[0]) + column).format(board))
            if session.game.over:
                break
    except (NotationError, RulesError, IllegalMove) as error:
        raise NotationError(f"expected a whole {kind} replay, got a bad move: {error}") from None
    return session


# In the process of its own.


def _tell(kind: str, data: bytes) -> dict[str, Any]:
    """The true board of a replay, and its moves as [milliseconds, action, row, column]."""
    import ms_toollib

    video = getattr(ms_toollib, _READERS[kind])(f"replay.{kind}", data)
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
    if was == _BLANK and now == _FLAG:
        return "flag"
    if was == _FLAG and now == _BLANK:
        return "unflag"
    return "reveal" if was == _BLANK else "chord"


def _limit_memory() -> None:
    """Let a file that lies about its size end this process, and nothing else."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    _limit_memory()
    sys.stdout.write(json.dumps(_tell(sys.argv[1], sys.stdin.buffer.read())))
