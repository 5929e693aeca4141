"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.play.features import Looks
from sapper.kernels.play.network import Network
from sapper.kernels.play.thoughtful import Thought

class Learner:
    t: Thought
    looks: Looks
    net: Network
    value: npt.NDArray[np.float64]
def choose(v: Learner, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def decide(v: Learner, mines: int) -> None: ...
def finish_game(v: Learner, mines: int) -> bool: ...
def weigh(v: Learner, mines: int) -> int: ...
def value_of(v: Learner, c: int) -> float: ...
def run(v: Learner, marks: Any, mines: int, trust: bool) -> Any: ...
