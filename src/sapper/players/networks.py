"""The weights of a network, which are 16-bit integers in a file with a checksum, and its input.

A file is the line MAGIC, a line of JSON (what the network is for, its sizes, the power of two that
each array is divided by, and its model card), the arrays one after the other, and the SHA-256 of
everything before it.

The input of a network is a patch: the cells around a cell, with the same slots everywhere. The
slots are the cells within some steps of a cell, in the order of their positions relative to it: row
by row, from left to right. The patch of a triangle that points down is rotated by 180 degrees. So a
network needs one set of weights for a tiling, and has the symmetries of the patch.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import cos, pi, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError, Unavailable
from sapper.kernels.codes import SCALARS

Shorts = npt.NDArray[np.int16]
Points = npt.NDArray[np.float64]

MAGIC = b"sapper network 1\n"
CHANNELS = 17
"""The inputs per cell of a patch."""
MAX_WEIGHT = 32767
MAX_SHIFT = 15
"""The largest power of two that an array is divided by: finer weights would not be exact."""
MAX_BOARD_CELLS = 40_000
"""On larger boards, which have no table of patches, `learned` plays as `thoughtful`."""

STEPS = {"square": 4, "torus": 4, "hexagonal": 4, "triangular": 2, "triangular-edge": 4}
"""The number of steps from the centre of a patch, by tiling: squares have 9x9 cells."""


@dataclass(frozen=True)
class Weights:
    """The weights of one network, each array with the power of two that it is divided by."""

    tiling: str
    slots: int
    """The cells of a patch."""
    first: int
    """The size of the first hidden layer."""
    second: int
    """The size of the second hidden layer."""
    scalars: int
    """The inputs besides the patch."""
    arrays: Mapping[str, Shorts]
    shifts: Mapping[str, int]
    card: Mapping[str, Any] = field(default_factory=dict)
    """The model card: how the network was trained, and its measured results."""

    @staticmethod
    def shapes(slots: int, first: int, second: int, scalars: int) -> dict[str, tuple[int, ...]]:
        """Return the arrays of a network in the order of a file, with their shapes."""
        return {
            "rows": (slots, CHANNELS, first),
            "from_scalars": (scalars, first),
            "first_bias": (first,),
            "middle": (first, second),
            "second_bias": (second,),
            "last": (second,),
            "skip": (scalars,),
            "last_bias": (1,),
        }

    @classmethod
    def of(
        cls, tiling: str, arrays: Mapping[str, npt.ArrayLike], card: Mapping[str, Any] | None = None
    ) -> Weights:
        """Round real arrays to 16-bit weights; their shapes give the sizes of the network."""
        real = {name: np.asarray(values, np.float64) for name, values in arrays.items()}
        slots, _, first = real["rows"].shape
        scalars, second = len(real["skip"]), len(real["last"])
        rounded, shifts = {}, {}
        for name, shape in cls.shapes(slots, first, second, scalars).items():
            if real[name].shape != shape:
                raise NotationError(f"{name}: expected shape {shape}, got {real[name].shape}")
            if not np.isfinite(real[name]).all():
                raise NotationError(f"{name}: expected finite weights, got {real[name].max()}")
            shifts[name] = _largest_shift(real[name])
            rounded[name] = np.rint(np.ldexp(real[name], shifts[name])).astype(np.int16)
        return cls(tiling, slots, first, second, scalars, rounded, shifts, dict(card or {}))

    def real(self, name: str) -> npt.NDArray[np.float64]:
        """Return an array as real numbers."""
        return np.ldexp(self.arrays[name].astype(np.float64), -self.shifts[name])

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        header = {
            **{name: getattr(self, name) for name in _SIZES},
            "tiling": self.tiling,
            "shifts": dict(self.shifts),
            "card": dict(self.card),
        }
        text = json.dumps(header, sort_keys=True).encode() + b"\n"
        shapes = self.shapes(self.slots, self.first, self.second, self.scalars)
        body = MAGIC + text + b"".join(self.arrays[n].astype("<i2").tobytes() for n in shapes)
        return body + hashlib.sha256(body).digest()

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "weights") -> Weights:
        """Read the content of a file; raise NotationError if it is damaged or not a network."""
        if not data.startswith(MAGIC):
            raise NotationError(f"{name}: expected a network of sapper, got {data[:16]!r}")
        body, digest = data[:-32], data[-32:]
        if hashlib.sha256(body).digest() != digest:
            raise NotationError(f"{name}: expected an undamaged network, got a wrong checksum")
        text, _, rest = body[len(MAGIC) :].partition(b"\n")
        try:
            header = json.loads(text)
            sizes = [int(header[size]) for size in _SIZES]
            shifts = {key: int(value) for key, value in header["shifts"].items()}
            tiling, card = str(header["tiling"]), dict(header["card"])
            shapes = cls.shapes(*sizes)
            ends = np.cumsum([2 * int(np.prod(shape)) for shape in shapes.values()])
            fits = min(sizes) > 0 and sizes[3] <= SCALARS and len(rest) == ends[-1]
            fits &= set(shifts) == set(shapes)
        except (ValueError, KeyError, TypeError, AttributeError):
            fits = False
        if not fits:
            raise NotationError(f"{name}: expected the sizes of a network, got {text[:60]!r}")
        arrays = {
            key: np.frombuffer(rest[end - 2 * int(np.prod(shape)) : end], "<i2")
            .astype(np.int16)
            .reshape(shape)
            for (key, shape), end in zip(shapes.items(), ends.tolist(), strict=True)
        }
        slots, first, second, scalars = sizes
        return cls(tiling, slots, first, second, scalars, arrays, shifts, card)


_SIZES = ("slots", "first", "second", "scalars")


def _largest_shift(values: npt.NDArray[np.float64]) -> int:
    """Return the largest shift after which all values still fit into 16 bits."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > MAX_WEIGHT:
        raise NotationError(f"expected weights up to {MAX_WEIGHT}, got {largest}")
    shift = MAX_SHIFT
    while shift and largest * 2**shift > MAX_WEIGHT:
        shift -= 1
    return shift


@lru_cache(maxsize=8)
def bundled(name: str) -> Weights | None:
    """Return the network of that name in the package, or None if there is none."""
    path = files("sapper") / "data" / f"{name}.network"
    if name not in BUNDLED:
        return None
    try:
        return Weights.from_bytes(path.read_bytes(), path.name)
    except OSError as error:
        raise Unavailable(f"cannot read the network {path.name}: {error.strerror}") from None
    except NotationError as error:
        raise Unavailable(str(error)) from None


BUNDLED = tuple(
    f"{tiling}{suffix}"
    for tiling in ("square", "hexagonal", "triangular")
    for suffix in ("", "-large")
)
"""The networks in the package: a tiling, or a tiling and `-large` for one with more inputs."""


def weights_for(board: Board) -> Weights | None:
    """Return the bundled network for the tiling of a board, or None if there is none."""
    if board.tiling is None or len(board) > MAX_BOARD_CELLS:
        return None
    return bundled(board.tiling)


def second_weights_for(board: Board) -> Weights | None:
    """Return the larger bundled network for the tiling of a board, or None if there is none."""
    return None if weights_for(board) is None else bundled(f"{board.tiling}-large")


@dataclass(frozen=True)
class Patch:
    """The slots of a tiling."""

    offsets: Points
    """The centre of each slot, relative to that of the cell."""
    symmetries: Ints
    """A row for each symmetry, the identity first: the slot that each slot takes its cell from."""

    @property
    def slots(self) -> int:
        """The number of slots."""
        return len(self.offsets)


@lru_cache(maxsize=8)
def patch_of(name: str) -> Patch:
    """Return the slots of a tiling, found on a board that is large enough.

    >>> patch_of("square").slots, len(patch_of("square").symmetries)
    (81, 8)
    >>> patch_of("hexagonal").slots, len(patch_of("hexagonal").symmetries)
    (61, 12)
    """
    flat = "square" if TILINGS.find(name).wraps else name
    size = 4 * STEPS[name] + 9
    board = tiling(flat, size, size)
    centres, rotated = _centres_and_rotated(board)
    middle = board.middle if rotated[board.middle] == 0 else board.middle + 1
    cells = {middle}
    for _ in range(STEPS[name]):
        cells |= {int(neighbour) for cell in cells for neighbour in board.around(cell)}
    offsets = centres[sorted(cells)] - centres[middle]
    offsets = offsets[np.lexsort((_rounded(offsets[:, 0]), _rounded(offsets[:, 1])))]
    return Patch(offsets, _symmetries(offsets))


def patch_table(board: Board) -> Ints:
    """Return a row for each cell: the cell in each slot around it, or -1 off the board."""
    assert board.tiling is not None
    patch = patch_of(board.tiling)
    centres, rotated = _centres_and_rotated(board)
    width, height = board.size
    wraps = TILINGS.find(board.tiling).wraps
    keys = _keys(centres)
    order = np.argsort(keys)
    table = np.empty((len(board), patch.slots), np.int32)
    for slot, offset in enumerate(patch.offsets):
        targets = centres + np.where(rotated[:, None] == 1, -offset, offset)
        if wraps:
            targets = targets % (width, height)
        wanted = _keys(targets)
        ranks = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(board) - 1)
        cells = order[ranks]
        table[:, slot] = np.where(keys[cells] == wanted, cells, -1)
    return table


def _centres_and_rotated(board: Board) -> tuple[Points, Ints]:
    """Return the centres, and 1 for each cell with the outline of the first, rotated; else 0."""
    outlines = np.array([board.outline(cell) for cell in board.cells])
    centres = outlines.mean(axis=1)
    corners = _rounded(outlines - centres[:, None])
    rows, first, row_of = np.unique(
        corners.reshape(len(board), -1), axis=0, return_index=True, return_inverse=True
    )
    orientations: dict[Any, int] = {}
    orientation_of_row = np.zeros(len(rows), np.int32)
    for row in np.argsort(first):
        shape = tuple(sorted(map(tuple, corners[first[row]].tolist())))
        orientation_of_row[row] = orientations.setdefault(shape, len(orientations))
    return centres, orientation_of_row[row_of.reshape(-1)]


def _rounded(values: Points) -> npt.NDArray[np.int64]:
    """Return coordinates in thousandths; centres are at least half a cell apart."""
    return np.rint(values * 1000).astype(np.int64)


def _keys(points: Points) -> npt.NDArray[np.int64]:
    """Return a number for each point; points that are equal up to rounding have the same."""
    # Coarser than _rounded, and shifted so that centres are not rounded at a boundary.
    x, y = (np.floor(points[:, i] * 16 + 0.37).astype(np.int64) for i in (0, 1))
    return (y + (1 << 20)) * (1 << 24) + x + (1 << 20)


def _symmetries(offsets: Points) -> Ints:
    """Return the rotations and reflections of the slots as permutations."""
    points = _rounded(offsets).tolist()
    symmetries = []
    for mirror in (1, -1):
        for k in range(24):
            angle = k * pi / 12
            rotation = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
            image = _rounded((offsets * (mirror, 1)) @ rotation.T)
            index = [_slot_at(points, point) for point in image.tolist()]
            if len(set(index)) == len(points) and -1 not in index:
                symmetries.append(index)
    return np.array(symmetries, np.int32)


def _slot_at(points: list[list[int]], point: list[int]) -> int:
    """Return the slot at a point, up to rounding, or -1."""
    for i, (x, y) in enumerate(points):
        if abs(x - point[0]) <= 2 and abs(y - point[1]) <= 2:
            return i
    return -1
