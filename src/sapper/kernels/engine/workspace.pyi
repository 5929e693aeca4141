"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt


POOLS: tuple[str, ...]
_START: dict[str, int]
class Workspace:
    word_bits: int
    policy: int
    trust: int
    only_count: int
    polls: int
    moderate: float
    straight_below: float
    portfolio_from: float
    seconds: float
    nan: float
    cancel: npt.NDArray[np.int32]
    sizes: dict[str, Any]
    cells: int
    edges: int
    words: int
    board_cells: int
    numbers: int
    boxes: int
    components: int
    nodes: int
    first_product: int
    at: int
    root_count: int
    unknown_left: int
    mines_left: int
    interior: int
    counted: int
    careful: int
    stage: int
    bad_number: int
    widest: int
    widest_component: int
    scope_end: int
    state_end: int
    term_end: int
    link_end: int
    part_end: int
    wanted: int
    work: int
    hash_age: int
    tilt: float
    ln_solutions: float
    ln_scale: float
    ln_core: float
    interior_probability: float
    started: float
    cost: float
    interior_state: int
    reference: int
    nodes_capacity: int
    scopes_capacity: int
    states_capacity: int
    keys_capacity: int
    terms_capacity: int
    links_capacity: int
    parts_capacity: int
    hashes_capacity: int
    know: npt.NDArray[np.uint8]
    need: npt.NDArray[np.int32]
    unknown: npt.NDArray[np.int32]
    number_of: npt.NDArray[np.int32]
    box_of: npt.NDArray[np.int32]
    stack: npt.NDArray[np.int32]
    probabilities: npt.NDArray[np.float64]
    number_cell: npt.NDArray[np.int32]
    number_need: npt.NDArray[np.int32]
    number_size: npt.NDArray[np.int32]
    number_start: npt.NDArray[np.int32]
    number_nodes: npt.NDArray[np.int32]
    box_first: npt.NDArray[np.int32]
    component_number: npt.NDArray[np.int32]
    component_start: npt.NDArray[np.int32]
    place: npt.NDArray[np.int32]
    mark: npt.NDArray[np.int32]
    next_number: npt.NDArray[np.int32]
    last_number: npt.NDArray[np.int32]
    bucket: npt.NDArray[np.int32]
    gone: npt.NDArray[np.int32]
    sequence: npt.NDArray[np.int32]
    shift: npt.NDArray[np.int32]
    word: npt.NDArray[np.int32]
    width: npt.NDArray[np.int32]
    heads: npt.NDArray[np.int32]
    box_size: npt.NDArray[np.int32]
    box_start: npt.NDArray[np.int32]
    box_next: npt.NDArray[np.int32]
    box_low: npt.NDArray[np.int32]
    box_high: npt.NDArray[np.int32]
    box_state: npt.NDArray[np.int32]
    box_probability: npt.NDArray[np.float64]
    box_number: npt.NDArray[np.int32]
    number_box: npt.NDArray[np.int32]
    number_node: npt.NDArray[np.int32]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    scope_open: npt.NDArray[np.int32]
    scope_all: npt.NDArray[np.int32]
    first_state: npt.NDArray[np.int32]
    past_state: npt.NDArray[np.int32]
    roots: npt.NDArray[np.int32]
    scope_start: npt.NDArray[np.int64]
    part_start: npt.NDArray[np.int64]
    guess: npt.NDArray[np.float64]
    scope_number: npt.NDArray[np.int32]
    scope_in: npt.NDArray[np.int32]
    lowest: npt.NDArray[np.int32]
    length: npt.NDArray[np.int32]
    link_from: npt.NDArray[np.int32]
    link_to: npt.NDArray[np.int32]
    term: npt.NDArray[np.int64]
    part: npt.NDArray[np.int64]
    key: npt.NDArray[np.uint64]
    hash: npt.NDArray[np.uint64]
    up: npt.NDArray[np.uint64]
    low: npt.NDArray[np.uint64]
    guard: npt.NDArray[np.uint64]
    keep: npt.NDArray[np.uint64]
    scratch: npt.NDArray[np.uint64]
    value: npt.NDArray[np.float64]
    adjoint: npt.NDArray[np.float64]
    def __init__(self, room: int | None = ...) -> None: ...
    def fit(self, cells: int, edges: int) -> None: ...
    def grow(self, status: int, most: int = ...) -> bool: ...
    def trim(self) -> None: ...
    def bytes(self) -> int: ...
