"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position
from sapper.kernels.play.endgame import Ending
from sapper.kernels.play.fifty import Shapes
from sapper.kernels.play.listing import Listing

REASONS: tuple[str, ...]
class Thought:
    p: Position
    shapes: Shapes
    listing: Listing
    ending: Ending
    ratio: float
    inner_ratio: float
    blend: float
    influence_weight: float
    progress: float
    enabler_from: float
    few_placements: float
    thin_placements: float
    few_inner: int
    few_around: int
    small_region: int
    fifty: int
    coin_tosses: int
    domination: int
    apart: int
    look_ahead: int
    most_interior: int
    most_nodes: int
    most_work: int
    straight_start: npt.NDArray[np.int32]
    straight: npt.NDArray[np.int32]
    mines: int
    stage: int
    reason: int
    chosen: int
    second_choice: int
    candidates: int
    stamp: int
    wins: int
    rows: int
    ln_placements: float
    living: npt.NDArray[np.uint8]
    near_hint: npt.NDArray[np.uint8]
    influence: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]
    sure: npt.NDArray[np.float64]
    follow: npt.NDArray[np.float64]
    second: npt.NDArray[np.float64]
    candidate: npt.NDArray[np.int32]
    stamped: npt.NDArray[np.int32]
    scratch: npt.NDArray[np.int32]
    region: npt.NDArray[np.int32]
    queue: npt.NDArray[np.int32]
    first_best: float
    second_best: float
    best_cell: int
    sure_living: int
    trail_start: int
def think(t: Thought, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def look_two_ahead(t: Thought) -> int: ...
def hesitates(t: Thought, p: Position) -> bool: ...
def foresee(t: Thought, marks: npt.NDArray[np.int32], mines: int, cells: npt.NDArray[np.int32], count: int) -> int: ...
def take_certain(t: Thought) -> bool: ...
def finish(t: Thought) -> bool: ...
def run(t: Thought, marks: Any, mines: int, trust: bool) -> Any: ...
