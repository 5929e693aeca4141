"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt


MAX_VALUES: int
class EndGameSearch:
    columns: int
    rows: int
    capacity: int
    value_count: int
    stride: int
    shown: npt.NDArray[np.uint8]
    kind: npt.NDArray[np.uint8]
    word: npt.NDArray[np.uint64]
    image: npt.NDArray[np.uint64]
    images: int
    order: npt.NDArray[np.int32]
    spare: npt.NDArray[np.int32]
    memo_key: npt.NDArray[np.uint64]
    memo_size: npt.NDArray[np.int32]
    memo_value: npt.NDArray[np.int32]
    memo_age: npt.NDArray[np.int32]
    age: int
    memo_count: int
    memo_capacity: int
    depth: int
    searched: int
    answer: int
    answer_exact: int
    nodes: int
    work: int
    max_nodes: int
    max_work: int
    first: npt.NDArray[np.int32]
    past: npt.NDArray[np.int32]
    floor: npt.NDArray[np.int32]
    best: npt.NDArray[np.int32]
    best_column: npt.NDArray[np.int32]
    bound: npt.NDArray[np.int32]
    column: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    total: npt.NDArray[np.int32]
    forced: npt.NDArray[np.int32]
    living: npt.NDArray[np.int32]
    living_count: npt.NDArray[np.int32]
    safe: npt.NDArray[np.int32]
    key: npt.NDArray[np.uint64]
    seen: npt.NDArray[np.uint16]
    any_seen: npt.NDArray[np.uint16]
    bombs: npt.NDArray[np.int32]
    child_past: npt.NDArray[np.int32]
    child_value: npt.NDArray[np.int32]
    child_exact: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    child_key: npt.NDArray[np.uint64]
    def __init__(self, columns: int, rows: int, memo: int) -> None: ...
    def begin(self) -> None: ...
    def use_words(self, words: Any, images: int) -> None: ...
    def grow_memo(self) -> None: ...
def restart(e: EndGameSearch) -> None: ...
def random_words(count: int) -> Any: ...
def mix(z: Any) -> Any: ...
def note_all(e: EndGameSearch, keys: npt.NDArray[np.uint64], sizes: npt.NDArray[np.int32], values: npt.NDArray[np.int32]) -> Any: ...
def close_table(e: EndGameSearch) -> bool: ...
def ask(e: EndGameSearch, first: int, past: int, floor: int) -> None: ...
def divide(e: EndGameSearch, level: int, first: int, past: int, column: int) -> int: ...
def search(e: EndGameSearch) -> int: ...
def run(e: EndGameSearch) -> Any: ...
