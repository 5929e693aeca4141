"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.players.end_game_search import EndGameSearch
from sapper.kernels.players.solution_lists import SolutionLister
from sapper.kernels.tracked.state import TrackedPosition

REASONS: tuple[str, ...]
class EndGameSolver:
    listing: SolutionLister
    ending: EndGameSearch
    max_solutions: float
    max_sparse_solutions: float
    apart: int
    def __init__(self, cells: int, rows: int, memo: int, *, max_solutions: float, max_sparse_solutions: float, apart: bool, max_nodes: int, max_work: int) -> None: ...
class GuesserState:
    p: TrackedPosition
    end_game: EndGameSolver
    mines: int
    chosen: int
    reason: int
    wins: int
    rows: int
    ln_solutions: float
    def __init__(self, tracked: TrackedPosition, end_game: EndGameSolver) -> None: ...
def read_position(t: GuesserState, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def begin_guess(t: GuesserState, mines: int) -> None: ...
def choose_exactly(t: GuesserState, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def choose_by_end_game(t: GuesserState) -> bool: ...
