"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.odds.workspace import Workspace

def read_frame(ws: Workspace, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], marks: npt.NDArray[np.int32], base: int, mines: int) -> int: ...
def make_boxes(ws: Workspace, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32]) -> int: ...
def make_fronts(ws: Workspace) -> None: ...
