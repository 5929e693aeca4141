"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.proofs.repair import ProofSearch

SETS: int
ITEMS: int
def allocate_search(s: ProofSearch, number_cell: Any, cells: int) -> None: ...
def weigh(s: ProofSearch, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], cell: int) -> None: ...
def settle(s: ProofSearch, guess: npt.NDArray[np.uint8], nodes: int) -> int: ...
def prove(s: ProofSearch, x: int, most: int, patience: int) -> int: ...
