"""Probabilities that are equal: one place says when."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints

PROBABILITY_TOLERANCE = 1e-9
"""The share of themselves by which equal probabilities may differ; `kernels.play.games` has it as TIE."""


def tied_for_least(probabilities: npt.NDArray[np.float64]) -> Ints:
    """The cells of least probability, ascending; cells without probabilities (nan) are left out.

    Probabilities are tied where they differ by less than one part in 1e9: equal probabilities may have been summed
    in another order.

    >>> tied_for_least(np.array([0.5, 0.25, np.nan, 0.25 + 1e-15])).tolist()
    [1, 3]
    """
    known: Any = probabilities[~np.isnan(probabilities)]
    limit = known.min(initial=np.inf) * (1 + PROBABILITY_TOLERANCE)
    return np.flatnonzero(probabilities <= limit).astype(np.int32)
