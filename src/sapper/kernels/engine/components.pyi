"""Written by tools/kernel_stubs.py from the source."""

import numpy as np
import numpy.typing as npt

from sapper.kernels.engine.workspace import Workspace

def read_position(ws: Workspace, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32], marks: npt.NDArray[np.int32], base: int, mines: int) -> int: ...
def make_boxes(ws: Workspace, offsets: npt.NDArray[np.int32], neighbours: npt.NDArray[np.int32]) -> int: ...
def make_components(ws: Workspace) -> None: ...
