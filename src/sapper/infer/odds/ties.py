"""Odds that are equal: one place says when."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.model.board import Ints

SAME_ODDS = 1e-9
"""The share of themselves by which equal odds may differ; `kernels.play.games` has it as TIE."""


def tied_for_least(odds: npt.NDArray[np.float64]) -> Ints:
    """The cells of least odds, ascending; cells without odds (nan) are left out.

    Odds are tied where they differ by less than one part in 1e9: equal odds may have been summed
    in another order.

    >>> tied_for_least(np.array([0.5, 0.25, np.nan, 0.25 + 1e-15])).tolist()
    [1, 3]
    """
    known: Any = odds[~np.isnan(odds)]
    limit = known.min(initial=np.inf) * (1 + SAME_ODDS)
    return np.flatnonzero(odds <= limit).astype(np.int32)
