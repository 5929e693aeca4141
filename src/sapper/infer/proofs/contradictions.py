"""Why a frame is contradictory: hints of it that cannot all hold.

Three ask, each in its own way. The engine has just failed on a frame: `name_clash` says at which
hints. A paper's solver, which trusts flags and leaves the mine count out, ran into a wall: `blame`
says what the engine makes of that. And a person wants the smallest set there is: `contradiction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from sapper.errors import Contradiction, OutOfBudget
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.odds import engine
from sapper.infer.proofs.evidence import Evidence, known_cells
from sapper.infer.proofs.subsets import only, shrink
from sapper.kernels import view
from sapper.kernels.codes import PROVED, UNKNOWN
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.proofs.search import prove, weigh
from sapper.model.board import Board, Ints
from sapper.model.frame import FLAG, Frame
from sapper.wording import counted

# Beyond this many hints the search for a small set starts around the spot where the engine stopped.
NEARBY = 64

# Steps that the search for one smallest set may take; then an irreducible set has to do.
# docs/design/060-how-to-find-smallest-proofs.md has the measurement behind it.
STEPS = 500_000


def contradiction(
    frame: Frame,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Contradiction | None:
    """The error for a contradictory frame, with a smallest set of hints; None for any other frame.

    A set without the mine count comes first, then the fewest hints, then the lowest cells.
    """
    limit = started(budget, cancel)
    try:
        refuse(frame, trust_flags, limit)
    except Contradiction as found:
        return smallest(frame, trust_flags, found, limit)
    return None


def refuse(frame: Frame, trust_flags: bool, limit: Limit) -> None:
    """Raise Contradiction if no placement is satisfactory."""
    with engine.borrow(limit, trust_flags) as ws:
        ws.only_count = True
        status = engine.run(ws, frame.board, frame.marks, frame.mines, limit)
        if status not in (engine.OK, engine.IMPRECISE):
            raise name_clash(ws, frame, status, limit)


def refuse_impossible(frame: Frame, limit: Limit) -> None:
    """Raise Contradiction if no placement meets all hints, flags trusted.

    A frame that the engine cannot decide passes, with at least half of the time left.
    """
    try:
        refuse(Frame(frame.board, frame.marks), True, limit.within(limit.left / 2))
    except OutOfBudget:
        if limit.cancelled:
            raise


def blame(frame: Frame, *hints: int, limit: Limit | None = None) -> Contradiction:
    """The error for a frame on which a paper's solver came to a dead end at these hints.

    It names a set of hints of which none can be dropped, unless that takes too long to find.
    """
    try:
        refuse_impossible(frame, limit or DEFAULT.start())
    except Contradiction as error:
        return error
    names = frame.names(hints)
    return Contradiction(f"expected hints that can hold together, got {', '.join(names)}", names)


def smallest(frame: Frame, trust_flags: bool, found: Contradiction, limit: Limit) -> Contradiction:
    """The error with a smallest set of hints; the one that was found, if the search ends early."""
    nothing = np.full(len(frame.board), UNKNOWN, dtype=np.uint8)
    evidence = Evidence.read(frame, known_cells(frame, trust_flags), found.mine_count)
    search = evidence.search(nothing, limit)
    board = frame.board
    weigh(search, view(board.offsets), view(board.neighbours), -1)
    if prove(search, -1, len(evidence.cells), STEPS) != PROVED:
        return found
    hints = evidence.cells_of(search.best_at, search.best_count)
    text = message(frame, list(hints), found.mine_count, trust_flags)
    return Contradiction(text, frame.names(hints), found.mine_count)


def name_clash(ws: Workspace, frame: Frame, status: int, limit: Limit) -> Contradiction:
    """The error for a frame without satisfactory placement; *ws* has just found that out."""
    bad_cell = int(ws.bad_hint)
    asker = _Asker(ws, frame, limit)
    hints = [int(cell) for cell in frame.revealed]
    count = status == engine.WRONG_COUNT
    try:
        if count and asker.clash(hints, with_count=False):
            count = False
        if not count:
            hints = asker.nearby(hints, bad_cell)
    except OutOfBudget:
        # All hints together are a true answer, and a late one would be none.
        if limit.cancelled:
            raise
    small = asker.shrink(hints, count)
    names = frame.names(small)
    return Contradiction(message(frame, small, count, bool(ws.trust)), names, count)


class _Asker:
    """Asks the engine whether some of the hints clash, until its time is over."""

    def __init__(self, ws: Workspace, frame: Frame, limit: Limit):
        self.ws, self.frame, self.limit = ws, frame, limit
        ws.only_count = True

    def clash(self, hints: Sequence[int], with_count: bool) -> bool:
        """Whether these hints alone (and the mine count) admit no placement."""
        mines = self.frame.mines if with_count else None
        marks = only(self.frame, hints)
        status = engine.run(self.ws, self.frame.board, marks, mines, self.limit)
        return status not in (engine.OK, engine.IMPRECISE)

    def nearby(self, hints: list[int], cell: int) -> list[int]:
        """The hints within a few steps of a cell, if they clash by themselves; else all."""
        if len(hints) <= NEARBY:
            return hints
        steps = 2
        while True:
            ball = _ball(self.frame.board, cell, steps)
            some = [hint for hint in hints if ball[hint]]
            if len(some) == len(hints) or self.clash(some, with_count=False):
                return some
            steps *= 2

    def shrink(self, hints: list[int], with_count: bool) -> list[int]:
        """Hints that still clash, of which none can be dropped; once time is up, fewer at least."""
        found = hints

        def clash(rest: list[int]) -> bool:
            nonlocal found
            self.limit.check()
            if not self.clash(rest, with_count):
                return False
            found = rest
            return True

        with suppress(OutOfBudget):
            shrink(hints, clash)
        return found


def _ball(board: Board, cell: int, steps: int) -> npt.NDArray[np.bool_]:
    """Which cells lie within so many steps of a cell."""
    inside = np.zeros(len(board), dtype=bool)
    inside[cell] = True
    edge: Ints = np.array([cell], dtype=np.int32)
    for _ in range(steps):
        if not len(edge):
            break
        near = np.unique(np.concatenate([board.around(int(c)) for c in edge]))
        edge = near[~inside[near]]
        inside[edge] = True
    return inside


def message(frame: Frame, hints: list[int], count: bool, trusted: bool) -> str:
    """The line that says which hints cannot hold together."""
    flags = int((frame.marks == FLAG).sum()) if trusted else 0
    if not hints:
        return _wrong_count(frame, flags)
    if len(hints) == 1 and not count:
        return _wrong_hint(frame, hints[0], trusted)
    named = [f"{frame.marks[cell]} at {frame.board.name(cell)}" for cell in hints[:8]]
    more = f" and {len(hints) - 8} more" if len(hints) > 8 else ""
    what = "hints" if len(hints) > 1 else "a hint"
    total = f" and a mine count of {frame.mines}" if count else ""
    return (
        f"expected {what}{' and a mine count' if count else ''} that can hold together"
        f"{' beside the flags' if flags else ''}, got {', '.join(named)}{more}{total}"
    )


def _wrong_count(frame: Frame, flags: int) -> str:
    """The mine count alone is wrong: too small for the flags, or too large for the board."""
    assert frame.mines is not None
    if frame.mines < flags:
        least = f"{counted(flags, 'mine')} for {counted(flags, 'flag')}"
        return f"expected at least {least}, got a mine count of {frame.mines}"
    most = counted(len(frame.board) - len(frame.revealed), "mine")
    return f"expected at most {most}, got a mine count of {frame.mines}"


def _wrong_hint(frame: Frame, cell: int, trusted: bool) -> str:
    """A hint alone is wrong: too small for its flags, or too large for its neighbours."""
    hint, place = int(frame.marks[cell]), frame.board.name(cell)
    around = frame.marks[frame.board.around(cell)]
    flags = int((around == FLAG).sum())
    if trusted and flags > hint:
        most = counted(hint, "flag")
        return f"expected at most {most} around the hint {hint} at {place}, got {flags}"
    return f"expected at most {int((around < 0).sum())} around {place}, got hint {hint}"
