"""Some of a frame's hints: the frame with the others withheld, and sets made smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sapper.kernels.codes import OPEN
from sapper.model.board import Ints
from sapper.model.frame import Frame


def only(frame: Frame, hints: Sequence[int]) -> Ints:
    """The marks of a frame that shows these hints alone; its other revealed cells are OPEN."""
    marks = np.where(frame.marks >= 0, OPEN, frame.marks).astype(np.int32)
    shown = list(hints)
    marks[shown] = frame.marks[shown]
    return marks


def shrink(hints: Sequence[int], enough: Callable[[list[int]], bool]) -> list[int]:
    """Drop ever smaller runs of hints while the rest are *enough*, which all of them must be.

    Ends with a set of which no hint can be dropped.
    """
    kept = list(hints)
    size = max(1, len(kept) // 2)
    while kept:
        start = 0
        while start < len(kept):
            rest = kept[:start] + kept[start + size :]
            if enough(rest):
                kept = rest
            else:
                start += size
        if size == 1:
            break
        size //= 2
    return kept
