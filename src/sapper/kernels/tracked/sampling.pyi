"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.tracked.state import TrackedPosition

def list_interior(p: TrackedPosition) -> None: ...
def draw(p: TrackedPosition, state: npt.NDArray[np.uint64], out: npt.NDArray[np.uint8], base: int) -> None: ...
def draw_many(p: TrackedPosition, state: Any, count: int, out: Any) -> Any: ...
