"""Access to the compiled engine: reused workspaces, and statuses turned into errors.

`run` analyses any marks from scratch in a `Workspace`: this is the general engine. `run_tracked`
analyses them in a `TrackedPosition`, which reuses what it computed for the previous marks of the
same board, and uses the general engine where a component is too large for it.
"""

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

Floats = npt.NDArray[np.float64]
Known = npt.NDArray[np.uint8]

__all__ = ["GROW", "IMPRECISE", "KNOWN_SAFE", "NO_SOLUTION", "OK", "WRONG_COUNT"]

_idle_workspaces: list[Workspace] = []
_NEVER_CANCELLED = Cancel()
# Idle tracked positions by board, for the boards used last.
_idle_tracked: OrderedDict[int, tuple[Board, list[TrackedPosition]]] = OrderedDict()
_idle_tracked_lock = Lock()
MAX_IDLE_BOARDS = 8
# On larger boards nearly every frontier is wider than the tracked position's chains allow, and its
# memory grows with the board.
MAX_TRACKED_CELLS = 5000

OUT_OF_RANGE = "the number of solutions exceeds the range of floating point; no budget is enough"


@contextmanager
def borrow_workspace(limit: Limit, trust_flags: bool) -> Iterator[Workspace]:
    """Provide a workspace for the calling thread; workspaces are reused from call to call."""
    try:
        ws = _idle_workspaces.pop()
    except IndexError:
        ws = Workspace()
    ws.seconds = limit.seconds_left
    ws.cancel = view(limit.cancel_flag)
    ws.trust_flags = trust_flags
    ws.count_only = False
    try:
        yield ws
    finally:
        ws.trim()
        _idle_workspaces.append(ws)


class BorrowedTracked:
    """A context manager that provides a tracked position of a board to the calling thread.

    The positions of one game share most of their components, so these are computed only once.
    This is a class because entering a generator would take as long as analysing a simple position.
    """

    __slots__ = ("_board", "_limit", "_tracked")

    def __init__(self, board: Board, limit: Limit):
        self._board, self._limit = board, limit

    def __enter__(self) -> TrackedPosition:
        try:
            tracked = _idle_positions(self._board).pop()
        except IndexError:
            tracked = make_tracked(self._board)
        tracked.general.seconds = self._limit.seconds_left
        if self._limit.cancel is not None:
            tracked.general.cancel = view(self._limit.cancel_flag)
        self._tracked = tracked
        return tracked

    def __exit__(self, error_type: object, *_: object) -> None:
        tracked = self._tracked
        if self._limit.cancel is not None:
            tracked.general.cancel = view(_NEVER_CANCELLED.flag)
        if tracked.used_general:
            tracked.general.trim()
        # After an error its state is unknown, so it is not used again.
        if error_type is None and len(self._board) <= MAX_TRACKED_CELLS:
            _idle_positions(self._board).append(tracked)


def _idle_positions(board: Board) -> list[TrackedPosition]:
    entry = _idle_tracked.get(id(board))
    if entry is None:
        with _idle_tracked_lock:
            entry = _idle_tracked.setdefault(id(board), (board, []))
            while len(_idle_tracked) > MAX_IDLE_BOARDS:
                _idle_tracked.popitem(last=False)
    return entry[1]


def make_workspace(board: Board) -> Workspace:
    """Return a workspace with enough memory for positions of a board."""
    ws = Workspace()
    ws.fit(len(board), len(board.neighbours))
    return ws


def make_tracked(board: Board) -> TrackedPosition:
    """Return a tracked position of a board, with its own workspace."""
    return TrackedPosition(board.offsets, board.neighbours, make_workspace(board))


def run_within(limit: Limit, ws: Workspace, attempt: Callable[[], int]) -> int:
    """Run a kernel that uses a workspace under a limit, again after every enlargement.

    Returns its status, which is below GROW.
    """
    ws.cancel, ws.seconds = view(limit.cancel_flag), limit.seconds_left
    while (status := attempt()) >= GROW:
        enlarge(ws, status, limit)
    return status


def run_tracked(
    tracked: TrackedPosition,
    marks: Ints,
    mines: int | None,
    trust_flags: bool,
    limit: Limit,
    out: tuple[Floats, Known] | None = None,
) -> int:
    """Analyse marks in a tracked position of their board; status and errors are those of `run`.

    Writes the probabilities and what is known to *out*, or to the arrays of the tracked position.
    """
    mine_count = -1 if mines is None else min(mines, len(marks) + 1)
    probabilities, known = out or (tracked.probabilities, tracked.known)
    arrays = view(probabilities), view(known)
    status: int = queries.read_and_answer(tracked, view(marks), mine_count, trust_flags, *arrays)
    while status >= GROW:
        enlarge(tracked.general, status, limit)
        status = queries.resume_answer(tracked, *arrays)
    return check_status(tracked.general, status, limit)


def run(ws: Workspace, board: Board, marks: Ints, mines: int | None, limit: Limit) -> int:
    """Analyse marks in a workspace; return OK, NO_SOLUTION, WRONG_COUNT or IMPRECISE.

    Raises OutOfBudget beyond the limit.
    """
    ws.seconds = limit.seconds_left
    ws.fit(len(board), len(board.neighbours))
    arrays = view(board.offsets), view(board.neighbours), view(marks)
    mine_count = -1 if mines is None else min(mines, len(board) + 1)
    status: int = kernel.run(ws, *arrays, mine_count, False)
    while status >= GROW:
        enlarge(ws, status, limit)
        status = kernel.run(ws, *arrays, mine_count, True)
    return check_status(ws, status, limit)


def enlarge(ws: Workspace, status: int, limit: Limit) -> None:
    """Enlarge the pool that ran out, or raise OutOfBudget if it would become too large."""
    if not ws.grow(status, limit.memory):
        raise limit.memory_error(_describe_size(ws))


def check_status(ws: Workspace, status: int, limit: Limit) -> int:
    """Return the status of a finished run, or raise OutOfBudget if the run was stopped."""
    if status == OUT_OF_TIME:
        raise limit.error(_describe_size(ws))
    if status == TOO_WIDE:
        raise OutOfBudget(
            f"too many numbers depend on each other for any budget: {_describe_size(ws)}"
        )
    if status == CANCELLED:
        raise OutOfBudget("cancelled: no probabilities yet")
    return status


def _describe_size(ws: Workspace) -> str:
    """Describe the largest component of a position, for messages about its cost."""
    if not ws.widest:
        return f"no probabilities yet for {ws.numbers} numbers"
    numbers = 0
    if ws.components:
        component = ws.widest_component
        numbers = ws.component_start[component + 1] - ws.component_start[component]
    return f"a component of {numbers} numbers, up to {ws.widest} of them open at once"


def copy_known(ws: Workspace, cells: int) -> Known:
    """Return a copy of what a run found out about each cell: UNKNOWN, SAFE, MINE or REVEALED."""
    return np.array(np.asarray(ws.known)[:cells])


def copy_probabilities(source: Workspace | TrackedPosition, cells: int) -> Floats:
    """Return a read-only copy of the probabilities that a run found, nan for revealed cells."""
    probabilities = np.array(np.asarray(source.probabilities)[:cells])
    probabilities.setflags(write=False)
    return probabilities
