"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.position import Position
from sapper.kernels.play.endgame import Ending
from sapper.kernels.play.listing import Listing

REASONS: tuple[str, ...]
class EndGame:
    listing: Listing
    ending: Ending
    few_placements: float
    thin_placements: float
    apart: int
    def __init__(self, cells: int, rows: int, memo: int, *, few_placements: float, thin_placements: float, apart: bool, most_nodes: int, most_work: int) -> None: ...
class Guesser:
    p: Position
    end_game: EndGame
    mines: int
    chosen: int
    reason: int
    wins: int
    rows: int
    ln_placements: float
    def __init__(self, position: Position, end_game: EndGame) -> None: ...
def open_frame(t: Guesser, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def begin_guess(t: Guesser, mines: int) -> None: ...
def choose_exactly(t: Guesser, marks: npt.NDArray[np.int32], mines: int, trust: bool) -> int: ...
def finish(t: Guesser) -> bool: ...
