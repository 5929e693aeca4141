"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position

def find_numbers(p: Position, out: npt.NDArray[np.float64]) -> int: ...
def numbers(p: Position, out: Any) -> Any: ...
