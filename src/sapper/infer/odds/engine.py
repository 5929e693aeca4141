"""The exact engine's wrapper: workspaces that are used again, and statuses that become errors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import numpy as np
import numpy.typing as npt

from sapper.errors import OutOfBudget
from sapper.infer.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import (
    CANCELLED,
    GROW,
    IMPRECISE,
    NO_PLACEMENT,
    OK,
    OPEN,
    OUT_OF_TIME,
    TOO_WIDE,
    WRONG_COUNT,
)
from sapper.kernels.odds import asking
from sapper.kernels.odds import stages as kernel
from sapper.kernels.odds.position import Position
from sapper.kernels.odds.workspace import Workspace
from sapper.model.board import Board, Ints

__all__ = ["GROW", "IMPRECISE", "NO_PLACEMENT", "OK", "OPEN", "WRONG_COUNT"]

_idle: list[Workspace] = []
# Positions that wait to be used again, by board; those of the boards used last are kept.
_positions: OrderedDict[int, tuple[Board, list[Position]]] = OrderedDict()
_positions_lock = Lock()
MOST_BOARDS = 8
# On larger boards nearly every frame has more blanks in play than chains can take, and the memory
# of a position grows with the board.
MOST_CELLS = 5000


@contextmanager
def borrow(limit: Limit, trust_flags: bool) -> Iterator[Workspace]:
    """A workspace for this thread alone, made once and handed on from call to call."""
    try:
        ws = _idle.pop()
    except IndexError:
        ws = Workspace()
    ws.seconds = limit.left
    ws.cancel = view(limit.flag)
    ws.trust = trust_flags
    ws.only_count = False
    try:
        yield ws
    finally:
        ws.trim()
        _idle.append(ws)


@contextmanager
def follow(board: Board, limit: Limit) -> Iterator[Position]:
    """A position of this board for this thread alone, with its fronts as they were left.

    Frames of one game share most of their fronts, so the next frame finds them made.
    """
    with borrow(limit, trust_flags=True) as ws:
        ws.fit(len(board), len(board.neighbours))
        try:
            position = _waiting(board).pop()
        except IndexError:
            position = Position(board.offsets, board.neighbours, ws)
        position.general = ws
        yield position
        if len(board) <= MOST_CELLS:
            _waiting(board).append(position)


def _waiting(board: Board) -> list[Position]:
    with _positions_lock:
        _, waiting = _positions.setdefault(id(board), (board, []))
        _positions.move_to_end(id(board))
        while len(_positions) > MOST_BOARDS:
            _positions.popitem(last=False)
        return waiting


def ask(position: Position, marks: Ints, mines: int | None, trust_flags: bool, limit: Limit) -> int:
    """Answer for marks in a position of their board; statuses and errors as those of `run`."""
    position.general.seconds = limit.left
    count = -1 if mines is None else min(mines, len(marks) + 1)
    status: int = asking.ask(position, view(marks), count, trust_flags)
    while status >= GROW:
        enlarge(position.general, status, limit)
        status = asking.ask_again(position)
    return check(position.general, status, limit)


def run(ws: Workspace, board: Board, marks: Ints, mines: int | None, limit: Limit) -> int:
    """Analyse marks in the workspace; OK, NO_PLACEMENT, WRONG_COUNT or IMPRECISE.

    Beyond the limit it raises OutOfBudget.
    """
    ws.seconds = limit.left
    ws.fit(len(board), len(board.neighbours))
    arrays = view(board.offsets), view(board.neighbours), view(marks)
    count = -1 if mines is None else min(mines, len(board) + 1)
    status: int = kernel.run(ws, *arrays, count, False)
    while status >= GROW:
        enlarge(ws, status, limit)
        status = kernel.run(ws, *arrays, count, True)
    return check(ws, status, limit)


def enlarge(ws: Workspace, status: int, limit: Limit) -> None:
    """Make the pool that ran out larger, or say that it would become too large."""
    if not ws.grow(status, limit.memory):
        raise OutOfBudget(f"expected to need at most {limit.memory / 1e9:g} GB, got {_width(ws)}")


def check(ws: Workspace, status: int, limit: Limit) -> int:
    """The status of a finished run, unless it is one that only an error can tell."""
    if status == OUT_OF_TIME:
        raise OutOfBudget(f"expected to need at most {limit.seconds:g} s, got {_width(ws)}")
    if status == TOO_WIDE:
        raise OutOfBudget(f"expected fronts that fit a key, got {_width(ws)}")
    if status == CANCELLED:
        raise OutOfBudget("cancelled before the odds were found")
    return status


def _width(ws: Workspace) -> str:
    """What made a frame hard."""
    front = ws.widest_front
    hints = ws.front_start[front + 1] - ws.front_start[front] if ws.fronts else 0
    return f"a front of {hints} hints, of which {ws.widest} are open at once"


def known_cells(found: Workspace | Position, cells: int) -> npt.NDArray[np.uint8]:
    """A copy of what a workspace or a position found out about each cell."""
    return np.array(np.asarray(found.know)[:cells])


def odds_of_cells(found: Workspace | Position, cells: int) -> npt.NDArray[np.float64]:
    """A copy of the odds that a workspace or a position found, nan for revealed cells."""
    odds = np.array(np.asarray(found.odds)[:cells])
    odds.setflags(write=False)
    return odds
