"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play.games import Arena
from sapper.kernels.play.learned import Learner

class Shard:
    patch: npt.NDArray[np.uint8]
    hit: npt.NDArray[np.uint8]
    scalar: npt.NDArray[np.int16]
    odds: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    frame_start: npt.NDArray[np.int32]
    frame_interior: npt.NDArray[np.int32]
    frame_seed: npt.NDArray[np.uint64]
    frames: int
    records: int
    failed: int
    def __init__(self, frames: int, most: int, slots: int) -> None: ...
    def empty(self) -> None: ...
class Playouts:
    a: Arena
    b: Arena
    ours: Learner
    inner: Learner
    shard: Shard
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
    def __init__(self, shard: Shard, a: Arena, b: Arena, ours: Learner, inner: Learner, *, learned: bool, thoughtful_share: int, random_share: int, huge: int, huge_share: int, top: int, most: int, extras: int, memo: int) -> None: ...
def run(w: Playouts, ws: Workspace, past: int, room: int) -> Any: ...
