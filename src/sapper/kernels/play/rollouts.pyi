"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play.games import Arena
from sapper.kernels.play.guessing import EndGame
from sapper.kernels.play.learned import Learner
from sapper.kernels.play.thoughtful import Thought

class Rollout:
    arena: Arena
    p: Position
    general: Workspace
    thought: Thought
    learner: Learner
    end_game: EndGame
    inner: int
    worth: float
    marks: npt.NDArray[np.int32]
    mines: int
    shown: int
    frame_key: int
    state: npt.NDArray[np.uint64]
    sample: npt.NDArray[np.uint8]
    sample_key: int
    hit: int
    guess: int
    thinking: int
    going_on: int
    value: float
    odds: float
    guesses: int
    rolled: int
    exact: int
    way_key: npt.NDArray[np.uint64]
    way_lift: npt.NDArray[np.float64]
    memo_key: npt.NDArray[np.uint64]
    memo_value: npt.NDArray[np.float64]
    memo_age: npt.NDArray[np.int32]
    memo_room: int
    memo_count: int
    age: int
    def __init__(self, position: Position, arena: Arena, end_game: EndGame, thought: Thought | None, learner: Learner | None, worth: float, memo: int) -> None: ...
def begin_frame(r: Rollout, marks: npt.NDArray[np.int32], mines: int, seed: int) -> int: ...
def next_sample(r: Rollout) -> None: ...
def take_sample(r: Rollout, placement: npt.NDArray[np.uint8]) -> None: ...
def roll(r: Rollout, cell: int) -> int: ...
def run_begin(r: Rollout, marks: Any, mines: int, seed: int) -> Any: ...
def run_samples(r: Rollout, cells: Any, at: int, values: Any, hits: Any) -> Any: ...
def run_placement(r: Rollout, placement: Any, cell: int) -> Any: ...
