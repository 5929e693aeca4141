"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.ladder.human import Ladder

class Walk:
    game: Ladder
    look: Ladder
    hints: npt.NDArray[np.int32]
    mines: npt.NDArray[np.uint8]
    state: npt.NDArray[np.uint64]
    most: int
    left: int
    def __init__(self, game: Ladder, look: Ladder, state: npt.NDArray[np.uint64], most: int) -> None: ...
def begin_game(s: Walk, hints: npt.NDArray[np.int32], mines: npt.NDArray[np.uint8], first: int) -> None: ...
def go_on(s: Walk) -> bool: ...
def judge(s: Walk, flagged: bool) -> int: ...
