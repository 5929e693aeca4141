"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.kernels.players.end_game_search import EndGameSearch

_WHOLE: tuple[str, ...]
_SMALL: tuple[str, ...]
class SolutionLister:
    cells: int
    part_count: int
    max_rows: int
    steps: int
    max_steps: int
    part_of: npt.NDArray[np.int32]
    queue: npt.NDArray[np.int32]
    part_start: npt.NDArray[np.int32]
    need: npt.NDArray[np.int32]
    left: npt.NDArray[np.int32]
    column_of: npt.NDArray[np.int32]
    column_cell: npt.NDArray[np.int32]
    around: npt.NDArray[np.int32]
    inside: npt.NDArray[np.uint8]
    mined: npt.NDArray[np.uint8]
    taken: npt.NDArray[np.uint8]
    listed_mines: int
    counts_differ: int
    def __init__(self, cells: int, max_rows: int, max_steps: int) -> None: ...
def find_parts(s: SolutionLister, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], marks: npt.NDArray[np.int32], know: npt.NDArray[np.uint8]) -> None: ...
def list_parts(s: SolutionLister, e: EndGameSearch, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], know: npt.NDArray[np.uint8], mines: int) -> int: ...
def run(s: SolutionLister, e: EndGameSearch, offsets: Any, neighbours: Any, know: Any, mines: int) -> Any: ...
