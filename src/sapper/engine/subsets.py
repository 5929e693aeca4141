"""Some of a position's numbers: the position with the others withheld, and sets made smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.kernels.codes import KNOWN_SAFE


def only(position: Position, numbers: Sequence[int]) -> Ints:
    """The marks of a position that shows these numbers alone; its other revealed cells are KNOWN_SAFE."""
    marks = np.where(position.marks >= 0, KNOWN_SAFE, position.marks).astype(np.int32)
    shown = list(numbers)
    marks[shown] = position.marks[shown]
    return marks


def shrink(numbers: Sequence[int], enough: Callable[[list[int]], bool]) -> list[int]:
    """Drop ever smaller runs of numbers while the rest are *enough*, which all of them must be.

    Ends with a set of which no number can be dropped.
    """
    kept = list(numbers)
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
