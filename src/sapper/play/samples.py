"""Where the mines may lie: placements drawn from a frame, as arrays or as layouts."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from sapper.errors import RulesError
from sapper.infer.budget import DEFAULT, Budget, Cancel, started
from sapper.infer.odds.samples import draw_placements
from sapper.model.frame import Frame
from sapper.model.layout import Layout
from sapper.values import need, whole


@overload
def sample(
    frame: Frame,
    count: int,
    seed: int = 1,
    layouts: Literal[False] = False,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> npt.NDArray[np.bool_]: ...


@overload
def sample(
    frame: Frame,
    count: int,
    seed: int = 1,
    *,
    layouts: Literal[True],
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> list[Layout]: ...


def sample(
    frame: Frame,
    count: int,
    seed: int = 1,
    layouts: bool = False,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> npt.NDArray[np.bool_] | list[Layout]:
    """Draw *count* placements of a frame, every satisfactory one with the same chance.

    A boolean array of shape (count, cells), true where a mine lies; with *layouts*, a list of
    layouts. The same seed gives the same placements. Flags are opinions unless they are trusted.

    Raises Contradiction where there is none to draw, and RulesError where the frame has an
    interior but no mine count: then nothing says how many mines lie there. OutOfBudget beyond
    *budget*, which the array itself must fit into.

    >>> rows = sample(Frame.parse("# 1 #", mines=1), 1000)
    >>> rows.sum(axis=1).tolist() == [1] * 1000, bool(400 < rows[:, 0].sum() < 600)
    (True, True)
    """
    need(frame, Frame, "a frame")
    count, seed = whole(count, "a number of placements"), whole(seed, "a seed")
    if count < 0:
        raise RulesError(f"expected at least 0 placements, got {count}")
    rows = draw_placements(frame, count, seed, trust_flags, started(budget, cancel))
    return [Layout(frame.board, row) for row in rows] if layouts else rows
