"""Replays of other programs (avf, evf, mvf, rmv), read by ms_toollib as sessions.

On a broken file the library may end its process or never return, so it runs in a worker process
with limits of time and memory, which is restarted when it dies.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from contextlib import suppress
from threading import Event, Timer
from typing import Any

import numpy as np

from sapper.board.board import MAX_CELLS
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.tilings import tiling
from sapper.errors import IllegalMove, NotationError, RulesError, Unavailable
from sapper.formats.binary import parse_hex, replay_formats
from sapper.games.replay_worker import CRASHED
from sapper.games.session import Session
from sapper.games.setup import GameSetup

LIBRARY = "ms_toollib"
WORKER_MODULE = "sapper.games.replay_worker"
SECONDS = 20.0
# The worker stops by itself after SECONDS; this is how much longer its answer is waited for.
GRACE = 5.0


class ReplayReader:
    """Reads replays through one worker process, which `close` or the end of a `with` stops.

    >>> with ReplayReader() as reader:
    ...     reader.read("1#")
    Traceback (most recent call last):
    sapper.errors.NotationError: expected the hex digits of a replay, got '1#'
    """

    def __init__(self, seconds: float = SECONDS):
        self.seconds = seconds
        """The time limit for one replay."""
        self.started = 0
        """The number of worker processes started so far."""
        self._process: subprocess.Popen[bytes] | None = None
        # The library writes crash.log into its working folder.
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def read(self, text: str, *, max_cells: int = MAX_CELLS) -> Session:
        """Return the session of a replay, given the hex digits of its file.

        Its rule is 'safe', as in the programs that write these files.
        """
        data = parse_hex(text)
        names = () if data is None else replay_formats(data)
        if data is None or not names:
            raise NotationError(f"expected the hex digits of a replay, got {text!r:.60}")
        if importlib.util.find_spec(LIBRARY) is None:
            raise Unavailable("cannot read replays: pip install 'sapper[replay]'")
        return _session(names[0], self._request(names[0], data), max_cells)

    def _request(self, kind: str, data: bytes) -> dict[str, Any]:
        """Return the worker's answer for a replay."""
        process = self._worker()
        assert process.stdin is not None and process.stdout is not None
        timed_out = Event()
        timer = Timer(self.seconds + GRACE, _kill, (process, timed_out))
        timer.start()
        try:
            process.stdin.write(f"{kind} {len(data)}\n".encode() + data)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:  # the worker died while it was reading
            line = b""
        finally:
            timer.cancel()
        if not line:
            self.close()
        answer: dict[str, Any] = json.loads(line or CRASHED)
        if "board" not in answer:
            if timed_out.is_set() or answer:
                raise NotationError(f"cannot read this {kind} replay within {self.seconds:g} s")
            raise NotationError(f"cannot read this {kind} replay: the file is damaged")
        return answer

    def _worker(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self.started += 1
            self._folder = tempfile.TemporaryDirectory(
                prefix="sapper-replay-", ignore_cleanup_errors=True
            )
            self._process = subprocess.Popen(
                [sys.executable, "-m", WORKER_MODULE, str(self.seconds), self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def close(self) -> None:
        """Stop the worker; the next replay starts another one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):  # unsent data
                pipe.close()
        assert self._folder is not None
        self._folder.cleanup()

    def __enter__(self) -> ReplayReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _kill(process: subprocess.Popen[bytes], timed_out: Event) -> None:
    timed_out.set()
    process.kill()


def read_replay(text: str, *, max_cells: int = MAX_CELLS) -> Session:
    """Return the session of one replay, given the hex digits of its file."""
    with ReplayReader(SECONDS) as reader:
        return reader.read(text, max_cells=max_cells)


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
