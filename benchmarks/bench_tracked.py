"""Positions that follow games: what-ifs, all numbers, samples, against one analysis from scratch.

Run by `make bench PART=tracked`.
Ratios of one run count, not microseconds: the machine may be busy. All times
are of the kernels, each thing done once in its turn, so that neither side learns its positions.
From scratch means: the position has forgotten the position before, and reads every mark.
"""

import random
import resource
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.stuck_positions import stuck_positions

import sapper
from sapper.engine.workspace import make_tracked
from sapper.kernels import STATUS, view
from sapper.kernels.codes import COVERED, FLAG, OK
from sapper.kernels.tracked import marks, queries, values
from sapper.kernels.tracked.state import TrackedPosition

POSITIONS = 300


def microseconds(call, *arguments) -> float:
    """CPU time of one call."""
    start = time.thread_time_ns()
    call(*arguments)
    return (time.thread_time_ns() - start) / 1000


def from_scratch(p: TrackedPosition, marks, mines: int) -> float:
    """Analyse with an empty cache."""
    marks.remove_components(p)
    p.position_known = False
    return microseconds(queries.read_and_answer, p, marks, mines, False, p.probabilities, p.known)


def what_ifs(positions, p: TrackedPosition) -> None:
    """Cells of the frontier, each with some numbers that it may show, or with a mine.

    All questions of a position are asked in one go, and so are the analyses from scratch of the
    positions that were supposed; each counts once, as the mean of its position.
    """
    rng = random.Random(1)
    asked, scratch = [], []
    for position in positions:
        queries.read_and_answer(
            p, view(position.marks), position.mines, False, p.probabilities, p.known
        )
        marks, box_of = np.asarray(p.marks), np.asarray(p.box_of)
        near = np.flatnonzero((marks == COVERED) & (box_of >= 0)).tolist()
        chosen = [(c, v) for c in rng.sample(near, min(8, len(near))) for v in (FLAG, *range(6))]
        possible = [question for question in chosen if suppose(p, *question) == OK]
        if not possible:
            continue
        supposed = []
        for cell, value in possible:
            supposed.append(np.array(position.marks))
            supposed[-1][cell] = value
        views = [view(marks) for marks in supposed]
        asked.append(microseconds(suppose_all, p, possible) / len(possible))
        scratch.append(microseconds(read_all, p, views, position.mines) / len(possible))
        marks.remove_components(p)
        p.position_known = False
    one, whole = statistics.median(asked), statistics.median(scratch)
    print(
        f"what-ifs of {len(asked)} positions, with probabilities, and undone: median {one:.2f} us; "
        f"from scratch {whole:.2f} us: {one / whole:.2f} of it"
    )


def suppose(p: TrackedPosition, cell: int, mark: int) -> int:
    """One what-if, taken back; its status."""
    status: int = queries.what_if(p, cell, mark)
    queries.restore_state(p)
    return status


def suppose_all(p: TrackedPosition, questions) -> None:
    """Run the loop of a player over its questions."""
    for cell, mark in questions:
        queries.what_if(p, cell, mark)
        queries.restore_state(p)


def read_all(p: TrackedPosition, views, mines: int) -> None:
    """Positions from scratch, with their marks as flags where they are mines."""
    for one in views:
        marks.remove_components(p)
        p.position_known = False
        queries.read_and_answer(p, one, mines, True, p.probabilities, p.known)


def all_numbers(positions, p: TrackedPosition) -> None:
    """Compare the values of every covered cell with one analysis."""
    p.allocate_lists()
    table = np.zeros((p.cells, 9))
    one, every = [], []
    for position in positions:
        one.append(from_scratch(p, view(position.marks), position.mines))
        every.append(microseconds(values.numbers, p, view(table)))
    once, whole = statistics.median(one), statistics.median(every)
    print(f"all numbers: {whole:.1f} us, {whole / once:.1f} times one analysis ({once:.1f} us)")


def samples(positions, count: int = 1000) -> None:
    """Print the time of one sample after the analysis."""
    each = []
    for position in positions[::10]:
        few = microseconds(sapper.sample, position, 1)
        each.append((microseconds(sapper.sample, position, count) - few) / (count - 1))
    print(f"samples: median {statistics.median(each):.2f} us each, at most {max(each):.2f}")


def memory(games: int = 200_000) -> None:
    """Print the memory after games, what-ifs and values."""
    position = next(iter(stuck_positions("expert", range(1, 2))))
    sapper.play_many("beginner", games=1000, seed=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sapper.play_many("beginner", games=games, seed=1)
    p = make_tracked(position.board)
    queries.read_and_answer(
        p, view(position.marks), position.mines, False, p.probabilities, p.known
    )
    for _ in range(games):
        queries.what_if(p, 0, 1)
        queries.restore_state(p)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{games:,} games and what-ifs: peak memory {before / 1024:.1f}, {after / 1024:.1f} MB")


if __name__ == "__main__":
    print(f"kernels {STATUS}")
    expert = list(stuck_positions("expert", range(60)))[:POSITIONS]
    tracked = make_tracked(expert[0].board)
    what_ifs(expert, tracked)
    all_numbers(expert, tracked)
    samples(expert)
    memory()
    print(time.strftime("measured on %Y-%m-%d"))
