"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt


DEEPEST: int
class ProofSearch:
    numbers: int
    covered: int
    count_row: int
    all_hard: int
    bad_count: int
    touched_count: int
    stack_top: int
    stack_capacity: int
    barred_top: int
    depth: int
    nodes: int
    stopped: int
    steps: int
    until: float
    cancel: npt.NDArray[np.int32]
    number_start: npt.NDArray[np.int32]
    number_covered: npt.NDArray[np.int32]
    covered_start: npt.NDArray[np.int32]
    covered_number: npt.NDArray[np.int32]
    lack: npt.NDArray[np.int32]
    box: npt.NDArray[np.uint64]
    group: npt.NDArray[np.uint64]
    value: npt.NDArray[np.uint8]
    base: npt.NDArray[np.uint8]
    fixed: npt.NDArray[np.uint8]
    role: npt.NDArray[np.uint8]
    is_touched: npt.NDArray[np.uint8]
    bad: npt.NDArray[np.int32]
    bad_at: npt.NDArray[np.int32]
    touched: npt.NDArray[np.int32]
    stack: npt.NDArray[np.int32]
    score: npt.NDArray[np.int32]
    barred: npt.NDArray[np.int32]
    set_count: int
    set_capacity: int
    item_capacity: int
    relevant_count: int
    taken_count: int
    best_count: int
    stamp: int
    upper_count: int
    near_count: int
    far_mode: int
    best_cost: int
    patience: int
    set_start: npt.NDArray[np.int32]
    item: npt.NDArray[np.int32]
    flip_start: npt.NDArray[np.int32]
    flipped: npt.NDArray[np.int32]
    relevant: npt.NDArray[np.int32]
    taken_at: npt.NDArray[np.int32]
    best_at: npt.NDArray[np.int32]
    upper_at: npt.NDArray[np.int32]
    stamp_of: npt.NDArray[np.int32]
    soft_at: npt.NDArray[np.int32]
    is_taken: npt.NDArray[np.uint8]
    is_barred: npt.NDArray[np.uint8]
    weight: npt.NDArray[np.int64]
    number_cell: npt.NDArray[np.int32]
    distance: npt.NDArray[np.int32]
    queue: npt.NDArray[np.int32]
    cell_number: npt.NDArray[np.int32]
    def __init__(self, number_start: Any, number_covered: Any, need: Any, covered_start: Any, covered_number: Any, box: Any, count_row: int) -> None: ...
