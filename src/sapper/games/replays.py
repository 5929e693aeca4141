"""Replays of other programs (avf, evf, mvf, rmv) as sessions, read by ms_toollib.

That library is made for good files: broken ones end its process, or never end. So it runs in a
process of its own, with limits of time and memory, which is started anew where it died.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from threading import Event, Timer
from types import TracebackType
from typing import Any

import numpy as np

from sapper.board.board import MAX_CELLS
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.tilings import tiling
from sapper.errors import IllegalMove, NotationError, RulesError, Unavailable
from sapper.formats.binary import parse_hex, replay_formats
from sapper.games import replay_worker
from sapper.games.replay_worker import BROKEN
from sapper.games.session import Session
from sapper.games.setup import GameSetup

LIBRARY = "ms_toollib"
SECONDS = 20.0
# The process stops a reading by itself; this one waits so much longer for it to say so.
GRACE = 5.0


class ReplayReader:
    """Reads replays one after the other through one process; a `with` ends it.

    >>> with ReplayReader() as reader:
    ...     reader.read("1#")
    Traceback (most recent call last):
    sapper.errors.NotationError: expected the hex digits of a replay, got '1#'
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        """How long one replay may take."""
        self.started = 0
        """How many processes were needed so far."""
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, text: str, *, max_cells: int = MAX_CELLS) -> Session:
        """The session of a replay, from the hex digits of its file.

        The programs promise that the first click is no mine, and so does the session.
        """
        data = parse_hex(text)
        kinds = () if data is None else replay_formats(data)
        if data is None or not kinds:
            raise NotationError(f"expected the hex digits of a replay, got {text!r:.60}")
        if importlib.util.find_spec(LIBRARY) is None:
            raise Unavailable("expected the extra 'replay' for replays, got none: sapper[replay]")
        return _session(kinds[0], self._ask(kinds[0], data), max_cells)

    def _ask(self, kind: str, data: bytes) -> dict[str, Any]:
        """What the library says of a replay."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        late = Event()
        clock = Timer(self.seconds + GRACE, _end, (process, late))
        clock.start()
        try:
            process.stdin.write(f"{kind} {len(data)}\n".encode() + data)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:  # it died before it had heard everything
            line = b""
        finally:
            clock.cancel()
        if not line:
            self.close()
        found: dict[str, Any] = json.loads(line or BROKEN)
        if "board" not in found:
            why = "without an end" if late.is_set() or found else "that cannot be read"
            raise NotationError(f"expected a whole {kind} replay, got one {why}")
        return found

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self.started += 1
            self._process = subprocess.Popen(
                [sys.executable, "-m", replay_worker.__name__, str(self.seconds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def close(self) -> None:
        """End the process; the next replay starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:  # what it had not heard yet
                continue

    def __enter__(self) -> ReplayReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _end(process: subprocess.Popen[bytes], late: Event) -> None:
    late.set()
    process.kill()


def read_replay(text: str, *, max_cells: int = MAX_CELLS) -> Session:
    """The session of one replay, from the hex digits of its file."""
    with ReplayReader(SECONDS) as reader:
        return reader.read(text, max_cells=max_cells)


def _session(kind: str, found: dict[str, Any], max_cells: int) -> Session:
    """The moves of a replay, played again: each must be legal here too."""
    rows = found["board"]
    if not rows or not rows[0]:
        raise NotationError(f"expected a whole {kind} replay, got one without a board")
    width, height = len(rows[0]), len(rows)
    if width * height > max_cells:
        raise RulesError(f"expected at most {max_cells:,} cells, got {width}x{height}")
    try:
        board = tiling("square", width, height)
        layout = Layout(board, np.array(rows).reshape(-1) == -1)
        session = Session(GameSetup.from_layout(layout, "safe"), clock=lambda: 0.0)
        last = 0
        for milliseconds, action, row, column in found["moves"]:
            last = max(last, milliseconds)
            session.replay(last, Move(action, row * width + column).format(board))
            if session.game.over:
                break
    except (NotationError, RulesError, IllegalMove) as error:
        raise NotationError(f"expected a whole {kind} replay, got a bad move: {error}") from None
    return session
