"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.tracked.state import TrackedPosition

NAMES: tuple[str, ...]
PLAIN: int
CODES: int
class Features:
    slots: int
    most: int
    most_around: int
    count: int
    unknown: int
    interior: int
    mines_left: int
    table: npt.NDArray[np.int32]
    corner: npt.NDArray[np.uint8]
    edge: npt.NDArray[np.uint8]
    plane: npt.NDArray[np.uint8]
    distance: npt.NDArray[np.int32]
    queue: npt.NDArray[np.int32]
    need: npt.NDArray[np.int32]
    candidate: npt.NDArray[np.int32]
    key: npt.NDArray[np.int64]
    scalar: npt.NDArray[np.int16]
    least: float
    interior_probability: float
    ratio: float
    def __init__(self, offsets: npt.NDArray[np.int32], table: npt.NDArray[np.int32], most: int, ratio: float) -> None: ...
def probability_code(probabilities: float) -> int: ...
def log2_linear(x: float) -> float: ...
def run(v: Features, p: TrackedPosition, mines: int) -> Any: ...
