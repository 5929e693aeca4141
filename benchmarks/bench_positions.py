"""Positions that follow games: what-ifs, all numbers, samples, against one analysis from scratch.

Run by `make bench-details`.
Ratios of one run count, not microseconds: the machine may be busy. All times
are of the kernels, each thing done once in its turn, so that neither side learns its frames.
From scratch means: the position has forgotten the frame before, and reads every mark.
"""

import random
import resource
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.stuck_frames import stuck_frames

import sapper
from sapper.infer.odds.engine import make_position
from sapper.kernels import STATUS, view
from sapper.kernels.codes import BLANK, FLAG, OK
from sapper.kernels.odds import asking, cells, numbers
from sapper.kernels.odds.position import Position

FRAMES = 300


def microseconds(call, *arguments) -> float:
    """CPU time of one call."""
    start = time.thread_time_ns()
    call(*arguments)
    return (time.thread_time_ns() - start) / 1000


def from_scratch(p: Position, marks, mines: int) -> float:
    """An analysis with nothing kept."""
    cells.forget(p)
    p.frame_known = False
    return microseconds(asking.ask, p, marks, mines, False)


def what_ifs(frames, p: Position) -> None:
    """Cells of the perimeter, each with some numbers that it may show, or with a mine.

    All questions of a frame are asked in one go, and so are the analyses from scratch of the very
    frames that were supposed; each counts once, as the mean of its frame.
    """
    rng = random.Random(1)
    asked, scratch = [], []
    for frame in frames:
        asking.ask(p, view(frame.marks), frame.mines, False)
        marks, box_of = np.asarray(p.marks), np.asarray(p.box_of)
        near = np.flatnonzero((marks == BLANK) & (box_of >= 0)).tolist()
        chosen = [(c, v) for c in rng.sample(near, min(8, len(near))) for v in (FLAG, *range(6))]
        possible = [question for question in chosen if suppose(p, *question) == OK]
        if not possible:
            continue
        supposed = []
        for cell, value in possible:
            supposed.append(np.array(frame.marks))
            supposed[-1][cell] = value
        views = [view(marks) for marks in supposed]
        asked.append(microseconds(suppose_all, p, possible) / len(possible))
        scratch.append(microseconds(read_all, p, views, frame.mines) / len(possible))
        cells.forget(p)
        p.frame_known = False
    one, whole = statistics.median(asked), statistics.median(scratch)
    print(
        f"what-ifs of {len(asked)} frames, with their odds, and taken back: median {one:.2f} us; "
        f"from scratch {whole:.2f} us: {one / whole:.2f} of it"
    )


def suppose(p: Position, cell: int, mark: int) -> int:
    """One what-if, taken back; its status."""
    status: int = asking.what_if(p, cell, mark)
    cells.take_back(p)
    return status


def suppose_all(p: Position, questions) -> None:
    """The loop of a player over its questions."""
    for cell, mark in questions:
        asking.what_if(p, cell, mark)
        cells.take_back(p)


def read_all(p: Position, views, mines: int) -> None:
    """Frames from scratch, with their marks as flags where they are mines."""
    for marks in views:
        cells.forget(p)
        p.frame_known = False
        asking.ask(p, marks, mines, True)


def all_numbers(frames, p: Position) -> None:
    """The numbers of every blank against one analysis."""
    p.make_room()
    table = np.zeros((p.cells, 9))
    one, every = [], []
    for frame in frames:
        one.append(from_scratch(p, view(frame.marks), frame.mines))
        every.append(microseconds(numbers.numbers, p, view(table)))
    once, whole = statistics.median(one), statistics.median(every)
    print(f"all numbers: {whole:.1f} us, {whole / once:.1f} times one analysis ({once:.1f} us)")


def samples(frames, count: int = 1000) -> None:
    """What one placement costs after the analysis."""
    each = []
    for frame in frames[::10]:
        few = microseconds(sapper.sample, frame, 1)
        each.append((microseconds(sapper.sample, frame, count) - few) / (count - 1))
    print(f"samples: median {statistics.median(each):.2f} us each, at most {max(each):.2f}")


def memory(games: int = 200_000) -> None:
    """What games, what-ifs and numbers leave behind."""
    frame = next(iter(stuck_frames("expert", range(1, 2))))
    sapper.play_many("beginner", games=1000, seed=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sapper.play_many("beginner", games=games, seed=1)
    p = make_position(frame.board)
    asking.ask(p, view(frame.marks), frame.mines, False)
    for _ in range(games):
        asking.what_if(p, 0, 1)
        cells.take_back(p)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{games:,} games and what-ifs: peak memory {before / 1024:.1f}, {after / 1024:.1f} MB")


if __name__ == "__main__":
    print(f"kernels {STATUS}")
    expert = list(stuck_frames("expert", range(60)))[:FRAMES]
    position = make_position(expert[0].board)
    what_ifs(expert, position)
    all_numbers(expert, position)
    samples(expert)
    memory()
    print(time.strftime("measured on %Y-%m-%d"))
