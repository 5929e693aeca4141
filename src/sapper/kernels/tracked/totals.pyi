"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.tracked.state import TrackedPosition

def weigh(p: TrackedPosition) -> int: ...
def backward_pass(p: TrackedPosition) -> None: ...
def spread(p: TrackedPosition, probabilities: npt.NDArray[np.float64], know: npt.NDArray[np.uint8], base: int) -> None: ...
