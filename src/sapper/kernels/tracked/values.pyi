"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.tracked.state import TrackedPosition

def find_values(p: TrackedPosition, out: npt.NDArray[np.float64]) -> int: ...
def values(p: TrackedPosition, out: Any) -> Any: ...
