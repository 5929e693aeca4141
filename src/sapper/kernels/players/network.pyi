"""Written by tools/kernel_stubs.py from the source."""

from typing import Any

import numpy as np
import numpy.typing as npt


class Network:
    slots: int
    first: int
    second: int
    scalars: int
    images: int
    rows: npt.NDArray[np.int16]
    scale: float
    last_bias: float
    from_scalars: npt.NDArray[np.float64]
    first_bias: npt.NDArray[np.float64]
    middle: npt.NDArray[np.float64]
    second_bias: npt.NDArray[np.float64]
    last: npt.NDArray[np.float64]
    skip: npt.NDArray[np.float64]
    image: npt.NDArray[np.int32]
    sums: npt.NDArray[np.int32]
    hidden: npt.NDArray[np.float64]
    narrow: npt.NDArray[np.float64]
    def __init__(self, *, image: npt.NDArray[np.int32], images: int, scale: float, rows: npt.NDArray[np.int16], from_scalars: npt.NDArray[np.float64], first_bias: npt.NDArray[np.float64], middle: npt.NDArray[np.float64], second_bias: npt.NDArray[np.float64], last: npt.NDArray[np.float64], skip: npt.NDArray[np.float64], last_bias: float) -> None: ...
def run(net: Network, patches: Any, scalars: Any, out: Any) -> Any: ...
