"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position

def list_placements(p: Position, most: int, out: npt.NDArray[np.uint8]) -> int: ...
