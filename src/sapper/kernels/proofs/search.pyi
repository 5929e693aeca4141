"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.proofs.repair import Search

SETS: int
ITEMS: int
def equip(s: Search, hint_cell: Any, cells: int) -> None: ...
def weigh(s: Search, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], cell: int) -> None: ...
def settle(s: Search, guess: npt.NDArray[np.uint8], nodes: int) -> int: ...
def prove(s: Search, x: int, most: int, patience: int) -> int: ...
