"""The input of a network for a position: a code for each cell, and scalars for each candidate.

cell_code  0 off the board; 1 to 7 a number that still needs 0 to 5, or more mines; 8 a known mine;
           9 an unknown cell of the interior; from 10 on one of the frontier, by its probability:
           32 steps from each knot to the next (0, .08, .16, .25, .4, .6, 1)
table      the cells of the patch around each cell, one patch after the other: see `network`
corner     1 for the cells with the fewest neighbours, edge: with fewer than most cells have
distance   of each cell, the steps to the nearest number
candidate  up to max_candidates unknown cells by increasing probability; ties: fewest neighbours,
           then next to a number, then the lowest index. None is safe less than `ratio` times as
           often as the safest
scalar     SCALARS values for each candidate, in units of 1 / 4096; `encode_candidate` writes them.
           Shares of the board and not counts, so that they carry over to other sizes. From
           POSITION_SCALARS on they come from looking ahead (`encode_look_ahead`)

v is the features of a position, p the tracked position. Training and play call the same functions.
Numbers are quantised before they become inputs (`ties`), so that their last bits cannot change an
input. Logarithms are interpolated linearly between powers of two (`log2_linear`): the same
on every machine.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts
from cython.cimports.sapper.kernels.ties import quantise
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view
from sapper.kernels.declarations import allocate

INTERIOR = cython.declare(cython.int, 9)
FIRST_PROBABILITY_CODE = cython.declare(cython.int, 10)

# For Python: the names above are C constants once compiled.
POSITION_SCALARS = 20
CODE_COUNT = 203


class Features:
    """The features of one position, for use by one thread."""

    def __init__(
        self, offsets: ConstInts, table: ConstInts, max_candidates: cython.int, ratio: cython.double
    ):
        """Take a board by its offsets and patches, and the largest number of candidates."""
        around = np.diff(offsets)
        edge = around < around.max()
        n = len(around)
        self.table = table
        self.slots = len(table) // n
        self.max_candidates = max(1, min(max_candidates, n))
        self.ratio = ratio
        self.max_neighbours = max(1, int(around.max()))
        self.edge = view(edge.astype(np.uint8))
        self.corner = view((edge & (around == around.min())).astype(np.uint8))
        allocate(self, "cell_code distance queue need", n)
        allocate(self, "candidate key", self.max_candidates + 1)
        allocate(self, "scalar", (self.max_candidates + 1) * codes.SCALARS)


def encode_cells(v: Features, p: TrackedPosition, mines: cython.int) -> cython.void:
    """Write the codes of all cells; the probabilities of the position are written out already."""
    read: cython.int = 0
    end: cython.int = 0
    v.unknown = 0
    v.interior = 0
    v.interior_probability = 0.0
    v.least = 2.0
    v.mines_left = mines
    for c in range(p.cells):
        v.distance[c] = -1
        v.need[c] = p.marks[c]
        if p.marks[c] >= 0:
            v.distance[c] = 0
            v.queue[end] = c
            end += 1
    for c in range(p.cells):
        if p.known[c] == codes.MINE:
            v.mines_left -= 1
            for k in range(p.offsets[c], p.offsets[c + 1]):
                v.need[p.neighbours[k]] -= 1
    while read < end:
        c = v.queue[read]
        read += 1
        for k in range(p.offsets[c], p.offsets[c + 1]):
            d = p.neighbours[k]
            if v.distance[d] < 0:
                v.distance[d] = v.distance[c] + 1
                v.queue[end] = d
                end += 1
    for c in range(p.cells):
        if p.marks[c] >= 0:
            v.cell_code[c] = 1 + (v.need[c] if v.need[c] < 6 else 6)
        elif p.known[c] == codes.MINE:
            v.cell_code[c] = 8
        elif v.distance[c] == 1 or p.known[c] == codes.SAFE:
            v.cell_code[c] = probability_code(p.probabilities[c])
        else:
            v.cell_code[c] = INTERIOR
        if p.known[c] == codes.UNKNOWN:
            v.unknown += 1
            if p.probabilities[c] < v.least:
                v.least = p.probabilities[c]
            if v.distance[c] != 1:
                v.interior += 1
                v.interior_probability = p.probabilities[c]


@cython.ccall
@cython.nogil
def probability_code(probability: cython.double) -> cython.int:
    """Return the code of a frontier cell with this probability."""
    x: cython.double = quantise(probability)
    low: cython.double = 0.0
    high: cython.double = 0.08
    segment: cython.int = 0
    while x > high and segment < 5:
        segment += 1
        low = high
        if segment == 1:
            high = 0.16
        elif segment == 2:
            high = 0.25
        elif segment == 3:
            high = 0.4
        elif segment == 4:
            high = 0.6
        else:
            high = 1.0
    step = cython.cast(cython.int, (x - low) / (high - low) * 32.0 + 0.5)
    return FIRST_PROBABILITY_CODE + 32 * segment + step


def list_candidates(v: Features, p: TrackedPosition) -> cython.void:
    """List the candidates, by rising probability."""
    limit: cython.double = quantise(1.0 - v.ratio * (1.0 - v.least))
    v.count = 0
    for c in range(p.cells):
        if p.known[c] != codes.UNKNOWN:
            continue
        x = quantise(p.probabilities[c])
        if x > limit:
            continue
        key = cython.cast(cython.longlong, x * 1073741824.0)
        key = (key << 8) + p.offsets[c + 1] - p.offsets[c]
        i = v.distance[c] & 255
        key = (key << 8) + i
        i = v.count
        if i == v.max_candidates:
            if key >= v.key[i - 1]:
                continue
            i -= 1
        else:
            v.count += 1
        while i and v.key[i - 1] > key:
            v.key[i] = v.key[i - 1]
            v.candidate[i] = v.candidate[i - 1]
            i -= 1
        v.key[i] = key
        v.candidate[i] = c


def encode_candidate(
    v: Features, p: TrackedPosition, c: cython.int, rank: cython.int, base: cython.Py_ssize_t
) -> cython.void:
    """Write the scalars of a cell to v.scalar[base:]."""
    around: cython.int = 0
    inner: cython.int = 0
    cells: cython.double = p.cells
    for k in range(p.offsets[c], p.offsets[c + 1]):
        d = p.neighbours[k]
        if p.known[d] == codes.UNKNOWN:
            around += 1
            inner += v.distance[d] != 1
    for k in range(codes.SCALARS):
        v.scalar[base + k] = 0
    v.scalar[base] = fixed_point(p.probabilities[c])
    v.scalar[base + 1] = fixed_point(p.probabilities[c] - v.least)
    if v.interior:
        v.scalar[base + 2] = fixed_point(v.interior_probability)
        v.scalar[base + 3] = fixed_point(v.interior_probability - p.probabilities[c])
    v.scalar[base + 4] = fixed_point(v.interior / cells)
    v.scalar[base + 5] = fixed_point(log2_linear(1.0 + v.interior) / 8.0)
    v.scalar[base + 6] = fixed_point(cython.cast(cython.double, v.mines_left) / v.unknown)
    v.scalar[base + 7] = fixed_point(4.0 * v.mines_left / cells)
    v.scalar[base + 8] = fixed_point(p.ln_solutions / 64.0)
    v.scalar[base + 9] = fixed_point(log2_linear(1.0 + p.ln_solutions) / 4.0)
    v.scalar[base + 10] = fixed_point(v.unknown / cells)
    v.scalar[base + 11] = 4096 * v.corner[c]
    v.scalar[base + 12] = 4096 * v.edge[c]
    v.scalar[base + 13] = 4096 * (v.distance[c] == 1)
    v.scalar[base + 14] = 512 * (v.distance[c] if 0 <= v.distance[c] < 8 else 8)
    v.scalar[base + 15] = 128 * rank
    v.scalar[base + 16] = 4096 * around // v.max_neighbours
    v.scalar[base + 17] = fixed_point(v.least)
    v.scalar[base + 18] = fixed_point(log2_linear(cells) / 8.0)
    v.scalar[base + 19] = 4096 * inner // v.max_neighbours


def fixed_point(x: cython.double) -> cython.short:
    """Return a number in units of 1 / 4096, rounded and clipped to -8..8."""
    x = quantise(x) * 4096.0 + 32768.5
    if x < 1.0:
        x = 1.0
    elif x > 65535.0:
        x = 65535.0
    return cython.cast(cython.int, x) - 32768


@cython.ccall
@cython.nogil
def log2_linear(x: cython.double) -> cython.double:
    """Return log2 of x >= 1, interpolated linearly between powers of two."""
    count: cython.double = 0.0
    while x >= 2.0:
        x *= 0.5
        count += 1.0
    return count + x - 1.0


def run(v: Features, p: TrackedPosition, mines: cython.int):
    """Encode the cells and the candidates of a position whose probabilities are written out."""
    encode_cells(v, p, mines)
    list_candidates(v, p)
    for i in range(v.count):
        encode_candidate(v, p, v.candidate[i], i, cython.cast(cython.Py_ssize_t, i) * codes.SCALARS)
