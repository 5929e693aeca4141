"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.players.fifty_fifty import FiftyFiftyShapes
from sapper.kernels.players.guessing import EndGameSolver
from sapper.kernels.players.guessing import GuesserState
from sapper.kernels.tracked.state import TrackedPosition

class ThoughtfulState(GuesserState):
    shapes: FiftyFiftyShapes
    straight_start: npt.NDArray[np.int32]
    straight: npt.NDArray[np.int32]
    ratio: float
    inner_ratio: float
    blend: float
    influence_weight: float
    progress: float
    enabler_from: float
    few_inner: int
    few_around: int
    small_region: int
    fifty: int
    coin_tosses: int
    domination: int
    look_ahead: int
    max_interior: int
    second_choice: int
    candidates: int
    stamp: int
    living: npt.NDArray[np.uint8]
    near_number: npt.NDArray[np.uint8]
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
    def __init__(self, tracked: TrackedPosition, end_game: EndGameSolver, shapes: FiftyFiftyShapes, straight_start: npt.NDArray[np.int32], straight: npt.NDArray[np.int32], *, look_ahead: bool, ratio: float, inner_ratio: float, few_inner: int, few_around: int, small_region: int, blend: float, progress: float, influence_weight: float, enabler_from: float, coin_tosses: bool, domination: bool) -> None: ...
def choose_thoughtful(t: ThoughtfulState, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def check_fifty_fifties(t: ThoughtfulState) -> int: ...
def look_two_ahead(t: ThoughtfulState) -> int: ...
def needs_rollouts(t: ThoughtfulState, p: TrackedPosition) -> bool: ...
def score_cells(t: ThoughtfulState, marks: npt.NDArray[np.int32], mines: int, cells: npt.NDArray[np.int32], count: int) -> int: ...
def run(t: ThoughtfulState, marks: Any, mines: int, trust: bool) -> Any: ...
