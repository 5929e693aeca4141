"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.solvers.human import HumanState

class PuzzleGame:
    game: HumanState
    look: HumanState
    numbers: npt.NDArray[np.int32]
    mines: npt.NDArray[np.uint8]
    state: npt.NDArray[np.uint64]
    most: int
    left: int
    def __init__(self, game: HumanState, look: HumanState, state: npt.NDArray[np.uint64], most: int) -> None: ...
def begin_game(s: PuzzleGame, numbers: npt.NDArray[np.int32], mines: npt.NDArray[np.uint8], first: int) -> None: ...
def go_on(s: PuzzleGame) -> bool: ...
def judge(s: PuzzleGame, flagged: bool) -> int: ...
