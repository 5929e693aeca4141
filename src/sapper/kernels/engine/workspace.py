"""The memory of the exact engine: created once for each thread and reused for every position.

The stages of the engine (`components`, `plan`, `joins`, `adjoints`, `pipeline`) share these arrays:

cells     known (UNKNOWN, MINE, SAFE, REVEALED) and probabilities; of a revealed cell, need (mines
          still to be found around it) and unknown (cells around it); number_of, box_of
numbers   revealed cells that still have unknown cells: number_cell, number_need, number_size (how
          many unknown cells)
boxes     unknown cells with the same numbers: box_size, box_number[box_start[b]:box_start[b + 1]]
nodes     of the elimination: the boxes come first, then joins of two earlier nodes
scopes    the numbers that a node distinguishes, and how many cells of each are in it; first the
          open ones (scope_open of them), then those that are closed in this node
states    the entries of a node: a key (mines used of each open number, packed) and a polynomial
terms     the coefficients of the polynomials, by number of mines, and their adjoints
links     for each pair of states in a join: where it came from and where it went
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.native import now

from sapper.kernels import view


def _arrays(**names):
    """Return {name: dtype}, from lists of names by dtype."""
    return {name: np.dtype(dtype) for dtype, words in names.items() for name in words.split()}


# The arrays, grouped by what decides their length.
_CELLS = _arrays(
    uint8="known",
    int32="need unknown number_of box_of stack",
    float64="probabilities",
)
_NUMBERS = _arrays(
    int32="number_cell number_need number_size number_start number_nodes box_first"
    " component_number component_start place mark next_number previous_number bucket"
    " eliminated sequence shift word width"
)
_BOXES = _arrays(
    int32="box_size box_start box_next box_state box_low box_high", float64="box_probability"
)
_EDGES = _arrays(int32="box_number number_box number_node")
# In the order of the status codes from GROW_NODES on: the initial capacity, then the arrays.
_POOLS = {
    "nodes": (
        256,
        _arrays(
            int32="left right parent scope_open scope_all first_state past_state roots",
            int64="scope_start part_start",
            float64="expected_size",
        ),
    ),
    "scopes": (1024, _arrays(int32="scope_number scope_in")),
    "states": (4096, _arrays(int32="lowest length", int64="term")),
    "keys": (4096, _arrays(uint64="key")),
    "terms": (8192, _arrays(float64="value adjoint")),
    "links": (8192, _arrays(int32="link_from link_to")),
    "parts": (1024, _arrays(int64="part")),
    "hashes": (4096, _arrays(uint64="hash")),
}


class Workspace:
    """Scratch arrays for one position at a time; its results remain until the next position.

    *capacity* is the initial size of every pool, for tests; pools grow as needed.
    """

    def __init__(self, capacity: int | None = None) -> None:
        self.words = 1
        self.word_bits = 64
        self.check_interval = 1 << 20
        # Beyond this range of magnitudes (in ln) sums of products might overflow or underflow.
        self.max_ln_range = 550.0
        # Expected pairs of states: below the first, an order is taken without planning others;
        # from the second on, all orders are planned.
        self.accept_below = 250.0
        self.portfolio_from = 3000.0
        self.policy = -1
        self.nan = float("nan")
        self.seconds = 1e9
        self.cancel = view(np.zeros(1, np.int32))
        self.heads = view(np.full(codes.BUCKETS, -1, np.int32))
        for name in ("up", "low", "guard", "keep", "scratch"):
            setattr(self, name, view(np.zeros(codes.MAX_WORDS, np.uint64)))
        self.sizes = {}
        for pool, (initial, _) in _POOLS.items():
            self._resize(pool, initial if capacity is None else capacity)

    def fit(self, cells: int, edges: int) -> None:
        """Allocate the arrays for a board."""
        if cells > self.cells:
            self.cells = cells
            self._allocate({**_CELLS, **_NUMBERS, **_BOXES}, cells + 2)
        if edges > self.edges:
            self.edges = edges
            self._allocate(_EDGES, edges + 2)

    def grow(self, status: int, most: int = 1 << 62) -> bool:
        """Enlarge the pool of a status, unless all pools would exceed *most* bytes."""
        pool = list(_POOLS)[status - codes.GROW]
        size = max(2 * self.sizes[pool], int(self.requested))
        row = sum(dtype.itemsize for dtype in _POOLS[pool][1].values())
        # While it is copied, the old array exists beside the new one.
        if self.bytes + size * row > most:
            return False
        self._resize(pool, size, keep=True)
        self.requested = 0
        return True

    def trim(self) -> None:
        """Shrink large pools after a hard position."""
        for pool, (initial, _) in _POOLS.items():
            if self.sizes[pool] > 64 * initial:
                self._resize(pool, initial)

    @property
    def bytes(self) -> int:
        """The size of all pools."""
        return sum(
            np.asarray(getattr(self, name)).nbytes
            for _, arrays in _POOLS.values()
            for name in arrays
        )

    def _resize(self, pool, size, keep=False):
        self._allocate(_POOLS[pool][1], size, keep)
        self.sizes[pool] = size
        setattr(self, f"{pool}_capacity", size)

    def _allocate(self, arrays, size, keep=False):
        for name, dtype in arrays.items():
            fresh = np.zeros(size, dtype)
            if keep:
                old = np.asarray(getattr(self, name))
                fresh[: len(old)] = old
            setattr(self, name, view(fresh))


def check_limits(ws: Workspace, work: cython.longlong) -> cython.int:
    """Test the clock and the cancel flag after every check_interval units of work."""
    ws.work += work
    if ws.work < ws.check_interval:
        return codes.OK
    ws.work = 0
    if ws.cancel[0]:
        return codes.CANCELLED
    if now() - ws.started > ws.seconds:
        return codes.OUT_OF_TIME
    return codes.OK
