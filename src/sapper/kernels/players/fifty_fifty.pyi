"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt


MAX_AROUND: int
PAIR_ENABLERS: int
SQUARE_ENABLERS: int
class FiftyFiftyShapes:
    count: int
    max_unknown: int
    cell: npt.NDArray[np.int32]
    enabler_start: npt.NDArray[np.int32]
    enabler: npt.NDArray[np.int32]
    of_start: npt.NDArray[np.int32]
    of_shape: npt.NDArray[np.int32]
    by_start: npt.NDArray[np.int32]
    by_shape: npt.NDArray[np.int32]
    unknown: npt.NDArray[np.int32]
    last_unknown: npt.NDArray[np.int32]
    chance: npt.NDArray[np.float64]
    def __init__(self, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], max_unknown: int) -> None: ...
def find_fifty_fifties(offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], most_around: int, most_pair: int, most_square: int, tally: npt.NDArray[np.int32], seen: npt.NDArray[np.int32], four: npt.NDArray[np.int32], cells: npt.NDArray[np.int32], starts: npt.NDArray[np.int32], enablers: npt.NDArray[np.int32]) -> Any: ...
