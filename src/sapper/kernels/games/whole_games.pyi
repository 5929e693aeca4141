"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.players.learned import LearnedState
from sapper.kernels.players.shrewd import ShrewdState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.kernels.solvers.human import HumanState
from sapper.kernels.tracked.state import TrackedPosition

FIELDS: tuple[str, ...]
LUCK_SALT: int
class Arena:
    solver: HumanState
    tracked: TrackedPosition
    thoughtful_state: ThoughtfulState
    shrewd: ShrewdState
    learned_state: LearnedState
    offsets: npt.NDArray[np.int32]
    neighbours: npt.NDArray[np.int32]
    may_hold: npt.NDArray[np.int32]
    marks: npt.NDArray[np.int32]
    allowed: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int32]
    flood: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    log: npt.NDArray[np.int32]
    out: npt.NDArray[np.int32]
    mines: npt.NDArray[np.uint8]
    state: npt.NDArray[np.uint64]
    luck: npt.NDArray[np.uint64]
    seed: int
    cells: int
    mine_count: int
    first: int
    player: int
    by_network: int
    checked: int
    logged: int
    phase: int
    outcome: int
    left: int
    guesses: int
    reveals: int
    asked: int
    blunders: int
    log_count: int
    at: int
    def __init__(self, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], marks: npt.NDArray[np.int32], solver: HumanState, tracked: TrackedPosition, may_hold: npt.NDArray[np.int32], mine_count: int, first: int) -> None: ...
    def log_moves(self, log: npt.NDArray[np.int32]) -> None: ...
def run(a: Arena, ws: Workspace, past: int) -> Any: ...
