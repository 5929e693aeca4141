"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position

def list_interior(p: Position) -> None: ...
def draw(p: Position, state: npt.NDArray[np.uint64], out: npt.NDArray[np.uint8], base: int) -> None: ...
def draw_many(p: Position, state: Any, count: int, out: Any) -> Any: ...
