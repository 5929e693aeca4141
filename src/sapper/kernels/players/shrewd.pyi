"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.players.learned import LearnedState
from sapper.kernels.players.network import Network
from sapper.kernels.players.thoughtful import ThoughtfulState

class ShrewdState:
    t: ThoughtfulState
    first: LearnedState
    second: Network
    keep: int
    keep_ahead: int
    ahead: int
    decides: int
    first_weight: float
    second_weight: float
    ahead_weight: float
    influence_weight: float
    margin: float
    kept_count: int
    order: npt.NDArray[np.int32]
    kept: npt.NDArray[np.int32]
    def __init__(self, t: ThoughtfulState, first: LearnedState, second: Network | None, *, keep: int, keep_ahead: int, first_weight: float, second_weight: float, ahead_weight: float, influence_weight: float, margin: float) -> None: ...
def choose_shrewd(s: ShrewdState, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def run(s: ShrewdState, marks: Any, mines: int, trust: bool) -> Any: ...
