"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt


def connect(width: int, height: int, wraps: bool, row_turns: bool, column_turns: bool, steps: npt.NDArray[np.int32], offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32]) -> int: ...
