"""The exact engine's wrapper: workspaces that are used again, and statuses that become errors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.engine.budget import Cancel, Limit
from sapper.errors import OutOfBudget
from sapper.kernels import view
from sapper.kernels.codes import (
    CANCELLED,
    GROW,
    IMPRECISE,
    KNOWN_SAFE,
    NO_SOLUTION,
    OK,
    OUT_OF_TIME,
    TOO_WIDE,
    WRONG_COUNT,
)
from sapper.kernels.engine import pipeline as kernel
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.tracked import queries
from sapper.kernels.tracked.state import TrackedPosition

__all__ = ["GROW", "IMPRECISE", "KNOWN_SAFE", "NO_SOLUTION", "OK", "WRONG_COUNT"]

_idle: list[Workspace] = []
_NEVER = Cancel()
# Positions that wait to be used again, by board; those of the boards met last are kept.
_tracked_positions: OrderedDict[int, tuple[Board, list[TrackedPosition]]] = OrderedDict()
_tracked_positions_lock = Lock()
MAX_BOARDS = 8
# On larger boards nearly every position has more covered cells in play than chains can take, and the memory
# of a position grows with the board.
MAX_TRACKED_CELLS = 5000


@contextmanager
def borrow_workspace(limit: Limit, trust_flags: bool) -> Iterator[Workspace]:
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


class BorrowedPosition:
    """A position of a board for one thread alone, with its components as they were left.

    Positions of one game share most of their components, so the next position finds them made.
    A class, because a generator would cost as much as some positions do.
    """

    __slots__ = ("_board", "_limit", "_tracked")

    def __init__(self, board: Board, limit: Limit):
        self._board, self._limit = board, limit

    def __enter__(self) -> TrackedPosition:
        try:
            tracked = _waiting(self._board).pop()
        except IndexError:
            tracked = make_tracked(self._board)
        tracked.general.seconds = self._limit.left
        if self._limit.cancel is not None:
            tracked.general.cancel = view(self._limit.flag)
        self._tracked = tracked
        return tracked

    def __exit__(self, kind: object, *_: object) -> None:
        tracked = self._tracked
        if self._limit.cancel is not None:
            tracked.general.cancel = view(_NEVER.flag)
        if tracked.by_general:
            tracked.general.trim()
        # After an error it is not known in what state it is.
        if kind is None and len(self._board) <= MAX_TRACKED_CELLS:
            _waiting(self._board).append(tracked)


def follow(board: Board, limit: Limit) -> BorrowedPosition:
    """A position of the board, to be used in a `with` block."""
    return BorrowedPosition(board, limit)


def _waiting(board: Board) -> list[TrackedPosition]:
    entry = _tracked_positions.get(id(board))
    if entry is None:
        with _tracked_positions_lock:
            entry = _tracked_positions.setdefault(id(board), (board, []))
            while len(_tracked_positions) > MAX_BOARDS:
                _tracked_positions.popitem(last=False)
    return entry[1]


def make_workspace(board: Board) -> Workspace:
    """A workspace with room for positions of a board."""
    ws = Workspace()
    ws.fit(len(board), len(board.neighbours))
    return ws


def make_tracked(board: Board) -> TrackedPosition:
    """A position of a board, with a workspace of its own."""
    return TrackedPosition(board.offsets, board.neighbours, make_workspace(board))


def within(limit: Limit, ws: Workspace, attempt: Callable[[], int]) -> int:
    """Let a kernel that asks this workspace run under a limit, again after every enlargement.

    Answers with its status, whatever it is below GROW.
    """
    ws.cancel, ws.seconds = view(limit.flag), limit.left
    while (status := attempt()) >= GROW:
        enlarge(ws, status, limit)
    return status


def ask(
    tracked: TrackedPosition, marks: Ints, mines: int | None, trust_flags: bool, limit: Limit
) -> int:
    """Answer for marks in a position of their board; statuses and errors as those of `run`."""
    count = -1 if mines is None else min(mines, len(marks) + 1)
    status: int = queries.read_and_answer(tracked, view(marks), count, trust_flags)
    while status >= GROW:
        enlarge(tracked.general, status, limit)
        status = queries.resume_answer(tracked)
    return check(tracked.general, status, limit)


def run(ws: Workspace, board: Board, marks: Ints, mines: int | None, limit: Limit) -> int:
    """Analyse marks in the workspace; OK, NO_SOLUTION, WRONG_COUNT or IMPRECISE.

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
        raise OutOfBudget(f"expected components that fit a key, got {_width(ws)}")
    if status == CANCELLED:
        raise OutOfBudget("cancelled before the probabilities were found")
    return status


def _width(ws: Workspace) -> str:
    """What made a position hard."""
    if not ws.widest:
        return f"{ws.numbers} numbers whose joins were still being planned"
    component = ws.widest_component
    numbers = (
        ws.component_start[component + 1] - ws.component_start[component] if ws.components else 0
    )
    return f"a component of {numbers} numbers, of which {ws.widest} are open at once"


def known_cells(found: Workspace | TrackedPosition, cells: int) -> npt.NDArray[np.uint8]:
    """A copy of what a workspace or a position found out about each cell."""
    return np.array(np.asarray(found.known)[:cells])


def copy_probabilities(found: Workspace | TrackedPosition, cells: int) -> npt.NDArray[np.float64]:
    """A copy of the probabilities that a workspace or a position found, nan for revealed cells."""
    probabilities = np.array(np.asarray(found.probabilities)[:cells])
    probabilities.setflags(write=False)
    return probabilities
