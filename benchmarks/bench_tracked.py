"""Tracked positions: what-ifs and the values of all cells, beside an analysis from scratch.

Run by `make bench PART=tracked`. Ratios of one run count, not microseconds: the machine may be
busy. All times are of the kernels. From scratch means that the tracked position has no components
of the position before, and reads every mark.
"""

import random
import statistics
import time

import numpy as np
from tests.stuck_positions import stuck_positions

from sapper.engine.workspace import make_tracked
from sapper.kernels import STATUS, view
from sapper.kernels.codes import COVERED, FLAG, OK
from sapper.kernels.tracked import queries, values
from sapper.kernels.tracked.marks import remove_components
from sapper.kernels.tracked.state import TrackedPosition

POSITIONS = 300


def microseconds(call, *arguments) -> float:
    """Return the CPU time of one call."""
    start = time.thread_time_ns()
    call(*arguments)
    return (time.thread_time_ns() - start) / 1000


def read(p: TrackedPosition, marks, mines: int, trust_flags: bool = False) -> None:
    """Analyse a position; components that it shares with the last one are kept."""
    queries.read_and_answer(p, marks, mines, trust_flags, p.probabilities, p.known)


def forget(p: TrackedPosition) -> None:
    """Remove all components, so that the next position is analysed from scratch."""
    remove_components(p)
    p.position_known = False


def compare_what_ifs(positions, p: TrackedPosition) -> None:
    """Compare what-ifs with analyses of the positions that they suppose.

    Of each position, up to eight cells of the frontier with a mine and with each number up to 5.
    """
    rng = random.Random(1)
    times, scratch_times = [], []
    for position in positions:
        read(p, view(position.marks), position.mines)
        near = np.flatnonzero((np.asarray(p.marks) == COVERED) & (np.asarray(p.box_of) >= 0))
        cells = rng.sample(near.tolist(), min(8, len(near)))
        chosen = [(cell, mark) for cell in cells for mark in (FLAG, *range(6))]
        possible = [(cell, mark) for cell, mark in chosen if suppose(p, cell, mark) == OK]
        if not possible:
            continue
        supposed = []
        for cell, mark in possible:
            marks = np.array(position.marks)
            marks[cell] = mark
            supposed.append(view(marks))
        what_if = microseconds(lambda pairs=possible: [suppose(p, *pair) for pair in pairs])
        times.append(what_if / len(possible))
        scratch = microseconds(read_from_scratch, p, supposed, position.mines)
        scratch_times.append(scratch / len(possible))
        forget(p)
    each, scratch = statistics.median(times), statistics.median(scratch_times)
    print(
        f"what-ifs of {len(times)} positions, with probabilities, and undone: median "
        f"{each:.2f} us; from scratch {scratch:.2f} us: {each / scratch:.2f} of it"
    )


def suppose(p: TrackedPosition, cell: int, mark: int) -> int:
    """Make a what-if and undo it; return its status."""
    status: int = queries.what_if(p, cell, mark)
    queries.restore_state(p)
    return status


def read_from_scratch(p: TrackedPosition, positions, mines: int) -> None:
    """Analyse positions whose flags are known mines."""
    for marks in positions:
        forget(p)
        read(p, marks, mines, True)


def compare_all_values(positions, p: TrackedPosition) -> None:
    """Compare the values of every covered cell with one analysis."""
    p.allocate_lists()
    table = view(np.zeros((p.cells, 9)))
    analyses, times = [], []
    for position in positions:
        forget(p)
        analyses.append(microseconds(read, p, view(position.marks), position.mines))
        times.append(microseconds(values.cell_values, p, table))
    once, each = statistics.median(analyses), statistics.median(times)
    print(f"all values: {each:.1f} us, {each / once:.1f} times one analysis ({once:.1f} us)")


if __name__ == "__main__":
    print(f"kernels {STATUS}")
    expert = list(stuck_positions("expert", range(60)))[:POSITIONS]
    tracked = make_tracked(expert[0].board)
    compare_what_ifs(expert, tracked)
    compare_all_values(expert, tracked)
