"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.games.whole_games import Arena

REACHES: dict[str, int]
METHODS: dict[str, int]
class NoGuessSearch:
    arena: Arena
    state: npt.NDArray[np.uint64]
    kept_order: npt.NDArray[np.int32]
    kept_marks: npt.NDArray[np.int32]
    stuck: npt.NDArray[np.int32]
    moved_from: npt.NDArray[np.int32]
    moved_to: npt.NDArray[np.int32]
    touched: npt.NDArray[np.uint8]
    near: npt.NDArray[np.uint8]
    reach: int
    method: int
    stage: int
    opened: int
    kept_opened: int
    moved: int
    tries: int
    most: int
    def __init__(self, arena: Arena, state: npt.NDArray[np.uint64], reach: int) -> None: ...
def run(s: NoGuessSearch, ws: Workspace) -> Any: ...
def clear(s: NoGuessSearch, ws: Workspace, again: bool) -> Any: ...
