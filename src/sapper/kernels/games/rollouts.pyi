"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.games.whole_games import Arena
from sapper.kernels.players.guessing import EndGameSolver
from sapper.kernels.players.learned import LearnedState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.kernels.tracked.state import TrackedPosition

class RolloutState:
    arena: Arena
    p: TrackedPosition
    general: Workspace
    thoughtful_state: ThoughtfulState
    learned_state: LearnedState
    end_game: EndGameSolver
    inner: int
    worth: float
    marks: npt.NDArray[np.int32]
    mines: int
    shown: int
    position_key: int
    state: npt.NDArray[np.uint64]
    sample: npt.NDArray[np.uint8]
    sample_key: int
    hit: int
    guess: int
    thinking: int
    resuming: int
    value: float
    probabilities: float
    guesses: int
    rolled: int
    exact: int
    path_key: npt.NDArray[np.uint64]
    path_correction: npt.NDArray[np.float64]
    memo_key: npt.NDArray[np.uint64]
    memo_value: npt.NDArray[np.float64]
    memo_age: npt.NDArray[np.int32]
    memo_capacity: int
    memo_count: int
    age: int
    def __init__(self, tracked: TrackedPosition, arena: Arena, end_game: EndGameSolver, thoughtful_state: ThoughtfulState | None, learned_state: LearnedState | None, worth: float, memo: int) -> None: ...
def begin_position(r: RolloutState, marks: npt.NDArray[np.int32], mines: int, seed: int) -> int: ...
def next_sample(r: RolloutState) -> None: ...
def take_sample(r: RolloutState, solution: npt.NDArray[np.uint8]) -> None: ...
def roll(r: RolloutState, cell: int) -> int: ...
def run_begin(r: RolloutState, marks: Any, mines: int, seed: int) -> Any: ...
def run_samples(r: RolloutState, cells: Any, at: int, values: Any, hits: Any) -> Any: ...
def run_solution(r: RolloutState, solution: Any, cell: int) -> Any: ...
