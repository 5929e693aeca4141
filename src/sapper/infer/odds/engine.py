"""The exact engine's wrapper: workspaces that are used again, and statuses that become errors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

import numpy as np
import numpy.typing as npt

from sapper.errors import OutOfBudget
from sapper.infer.budget import Cancel, Limit
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
_NEVER = Cancel()
# Positions that wait to be used again, by board; those of the boards met last are kept.
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


class Following:
    """A position of a board for one thread alone, with its fronts as they were left.

    Frames of one game share most of their fronts, so the next frame finds them made.
    A class, because a generator would cost as much as some frames do.
    """

    __slots__ = ("_board", "_limit", "_position")

    def __init__(self, board: Board, limit: Limit):
        self._board, self._limit = board, limit

    def __enter__(self) -> Position:
        try:
            position = _waiting(self._board).pop()
        except IndexError:
            position = make_position(self._board)
        position.general.seconds = self._limit.left
        if self._limit.cancel is not None:
            position.general.cancel = view(self._limit.flag)
        self._position = position
        return position

    def __exit__(self, kind: object, *_: object) -> None:
        position = self._position
        if self._limit.cancel is not None:
            position.general.cancel = view(_NEVER.flag)
        if position.by_general:
            position.general.trim()
        # After an error it is not known in what state it is.
        if kind is None and len(self._board) <= MOST_CELLS:
            _waiting(self._board).append(position)


def follow(board: Board, limit: Limit) -> Following:
    """A position of the board, to be used in a `with` block."""
    return Following(board, limit)


def _waiting(board: Board) -> list[Position]:
    entry = _positions.get(id(board))
    if entry is None:
        with _positions_lock:
            entry = _positions.setdefault(id(board), (board, []))
            while len(_positions) > MOST_BOARDS:
                _positions.popitem(last=False)
    return entry[1]


def make_workspace(board: Board) -> Workspace:
    """A workspace with room for frames of a board."""
    ws = Workspace()
    ws.fit(len(board), len(board.neighbours))
    return ws


def make_position(board: Board) -> Position:
    """A position of a board, with a workspace of its own."""
    return Position(board.offsets, board.neighbours, make_workspace(board))


def within(limit: Limit, ws: Workspace, attempt: Callable[[], int]) -> int:
    """Let a kernel that asks this workspace run under a limit, again after every enlargement.

    Answers with its status, whatever it is below GROW.
    """
    ws.cancel, ws.seconds = view(limit.flag), limit.left
    while (status := attempt()) >= GROW:
        enlarge(ws, status, limit)
    return status


def ask(position: Position, marks: Ints, mines: int | None, trust_flags: bool, limit: Limit) -> int:
    """Answer for marks in a position of their board; statuses and errors as those of `run`."""
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
    if not ws.widest:
        return f"{ws.hints} hints whose joins were still being planned"
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
