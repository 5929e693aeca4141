"""Replays of other programs (avf, evf, mvf, rmv), read by ms_toollib as sessions.

On a broken file the library may end its process or never return, so each file is read in a process
of its own, with limits of time and memory.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np

from sapper.board.board import MAX_CELLS
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.tilings import tiling
from sapper.errors import IllegalMove, NotationError, RulesError, Unavailable
from sapper.formats.binary import parse_hex, replay_formats
from sapper.games.session import Session
from sapper.games.setup import GameSetup

LIBRARY = "ms_toollib"
SECONDS = 20.0
"""The time limit for one replay."""


def read_replay(text: str, *, max_cells: int = MAX_CELLS) -> Session:
    """Return the session of a replay, given the hex digits of its file.

    Its rule is 'safe', as in the programs that write these files.

    >>> read_replay("1#")
    Traceback (most recent call last):
    sapper.errors.NotationError: expected the hex digits of a replay, got '1#'
    """
    data = parse_hex(text)
    names = () if data is None else replay_formats(data)
    if data is None or not names:
        raise NotationError(f"expected the hex digits of a replay, got {text!r:.60}")
    if importlib.util.find_spec(LIBRARY) is None:
        raise Unavailable("cannot read replays: pip install 'sapper[replay]'")
    return _session(names[0], run_worker(names[0], data), max_cells)


def run_worker(kind: str, data: bytes) -> dict[str, Any]:
    """Return the layout and the moves of a replay, as `replay_worker` reads them."""
    # The library writes crash.log into its working folder.
    with tempfile.TemporaryDirectory(prefix="sapper-replay-", ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "sapper.games.replay_worker", kind, folder]
        try:
            result = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise NotationError(f"cannot read this {kind} replay within {SECONDS:g} s") from None
    if result.returncode != 0:
        raise NotationError(f"cannot read this {kind} replay: the file is damaged")
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def _session(kind: str, answer: dict[str, Any], max_cells: int) -> Session:
    """Replay the moves; each must be legal here too."""
    rows = answer["board"]
    if not rows or not rows[0]:
        raise NotationError(f"cannot read this {kind} replay: it has no board")
    width, height = len(rows[0]), len(rows)
    if width * height > max_cells:
        raise RulesError(f"expected at most {max_cells:,} cells, got {width}x{height}")
    try:
        board = tiling("square", width, height)
        layout = Layout(board, np.array(rows).reshape(-1) == -1)
        session = Session(GameSetup.from_layout(layout, "safe"), clock=lambda: 0.0)
        last = 0
        for milliseconds, action, row, column in answer["moves"]:
            last = max(last, milliseconds)
            session.replay(last, Move(action, row * width + column).format(board))
            if session.game.over:
                break
    except (NotationError, RulesError, IllegalMove) as error:
        raise NotationError(f"cannot read this {kind} replay: {error}") from None
    return session
