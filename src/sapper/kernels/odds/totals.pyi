"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position

def weigh(p: Position) -> int: ...
def pass_back(p: Position) -> None: ...
def spread(p: Position, odds: npt.NDArray[np.float64], know: npt.NDArray[np.uint8], base: int) -> None: ...
