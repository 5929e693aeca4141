"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt


KEEPS: dict[str, int]
EPISODES_SALT: int
SEED_SHIFT: int
class EnvironmentBatch:
    offsets: npt.NDArray[np.int32]
    neighbours: npt.NDArray[np.int32]
    opens: npt.NDArray[np.int8]
    weights: npt.NDArray[np.float64]
    left: npt.NDArray[np.int32]
    steps: npt.NDArray[np.int32]
    hit: npt.NDArray[np.int32]
    allowed: npt.NDArray[np.int32]
    flood: npt.NDArray[np.int32]
    marks: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    mines: npt.NDArray[np.uint8]
    dealt: npt.NDArray[np.uint8]
    over: npt.NDArray[np.uint8]
    won: npt.NDArray[np.uint8]
    ended: npt.NDArray[np.uint8]
    cut: npt.NDArray[np.uint8]
    seeds: npt.NDArray[np.uint64]
    streams: npt.NDArray[np.uint64]
    state: npt.NDArray[np.uint64]
    rewards: npt.NDArray[np.float64]
    cells: int
    actions: int
    mine_count: int
    keeps: int
    narrow: int
    max_steps: int
    renews: int
    written: dict[str, Any]
    def __init__(self, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], opens: npt.NDArray[np.int8], weights: npt.NDArray[np.float64], rows: int, lanes: int, *, flags: bool, mine_count: int, keeps: int, max_steps: int, renews: bool) -> None: ...
def begin(b: EnvironmentBatch, row: int, seed: int) -> None: ...
def renew(b: EnvironmentBatch, row: int) -> None: ...
def step(b: EnvironmentBatch, actions: npt.NDArray[np.int64], lane: int, start: int, past: int) -> Any: ...
def renew_rows(b: EnvironmentBatch, rows: npt.NDArray[np.int64]) -> Any: ...
