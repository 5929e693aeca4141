"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.games.whole_games import Arena
from sapper.kernels.players.learned import LearnedState

class RecordBuffer:
    patch: npt.NDArray[np.uint8]
    hit: npt.NDArray[np.uint8]
    scalar: npt.NDArray[np.int16]
    probabilities: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    position_start: npt.NDArray[np.int32]
    position_interior: npt.NDArray[np.int32]
    position_seed: npt.NDArray[np.uint64]
    positions: int
    records: int
    failed: int
    def __init__(self, positions: int, most: int, slots: int) -> None: ...
    def empty(self) -> None: ...
class Playouts:
    a: Arena
    b: Arena
    ours: LearnedState
    inner: LearnedState
    shard: RecordBuffer
    learned: int
    thoughtful_share: int
    random_share: int
    huge: int
    huge_share: int
    top: int
    most: int
    extras: int
    word: npt.NDArray[np.uint64]
    memo_key: npt.NDArray[np.uint64]
    path: npt.NDArray[np.uint64]
    luck: npt.NDArray[np.uint64]
    memo_value: npt.NDArray[np.float64]
    memo_age: npt.NDArray[np.int32]
    memo_mask: int
    age: int
    path_count: int
    pick: npt.NDArray[np.int32]
    picked: int
    next: int
    def __init__(self, shard: RecordBuffer, a: Arena, b: Arena, ours: LearnedState, inner: LearnedState, *, learned: bool, thoughtful_share: int, random_share: int, huge: int, huge_share: int, top: int, most: int, extras: int, memo: int) -> None: ...
def run(w: Playouts, ws: Workspace, past: int, room: int) -> Any: ...
