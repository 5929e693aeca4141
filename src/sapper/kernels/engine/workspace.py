"""The memory of the exact engine: created once for each thread and reused for every position.

The stages of the engine (`components`, `plan`, `joins`, `adjoints`; `pipeline` has an overview)
share these arrays:

cells     known (UNKNOWN, MINE, SAFE, REVEALED) and probabilities; of a revealed cell, need (mines
          still to be found around it) and unknown (cells around it); number_of, box_of
numbers   revealed cells that still have unknown cells: number_cell, number_need, number_size (how
          many unknown cells), number_box[number_start[h]:number_start[h + 1]] (its boxes)
boxes     unknown cells with the same numbers: box_size, box_number[box_start[b]:box_start[b + 1]],
          box_low and box_high (fewest and most mines)
nodes     of the elimination: the boxes come first, then joins of two earlier nodes
scopes    the numbers that a node distinguishes, and how many cells of each are in it; first the
          open ones (scope_open of them), then those that are closed in this node
states    the entries first_state[c]:state_stop[c] of node c: a key (mines used of each open number,
          packed into words of 64 bits) and a polynomial
terms     the coefficients of the polynomials, by number of mines from `lowest` on, and their
          adjoints
links     for each pair of states in a join: where it came from and where it went;
          part[part_start[c] + j] is the first link of the j-th state of the right node

plan      scratch of `plan` and `orders`: sequence (a fixed order of numbers), bucket and its linked
          lists, eliminated, mark (the last join that had a number), place (the index of a number in
          the scope that is being made), width, word and shift (the bits of a number in a key)

settings  trust_flags (whether flags are mines), count_only (stop at ln_solutions), policy (the
          order of elimination, -1 to choose it), seconds and cancel (limits of a run)
progress  stage, next_join, first_product (the first node that multiplies components), requested
          (the size that a pool must grow to), work (since the last check of the limits), cost (the
          expected pairs of states), widest (the most open numbers of a node, for messages)
results   has_mine_count, mines_left, unknown_left and interior (cells next to no number) of the
          position; tilt (values are multiplied by tilt ** mines), rescaling (whether values are
          scaled at each join), ln_scale (the logarithm of all scales), reference (the number of
          mines on the frontier for which the weight of the interior is 1), ln_solutions

Short names: ws the workspace; h, u numbers; b a box; a, b, c nodes (c joins a and b); i, j, s
states of a, b and c; x, y terms of two polynomials; w a word of a key; f a component. In
`components`, c and d are cells.
"""

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.native import now

from sapper.kernels.declarations import allocate

# The arrays with an item for each cell, or at most as many: numbers and boxes.
_CELLS = (
    "known need unknown number_of box_of stack probabilities"
    " number_cell number_need number_size number_start number_nodes box_first"
    " component_number component_start place mark next_number previous_number bucket"
    " eliminated sequence shift word width"
    " box_size box_start box_next box_state box_low box_high box_probability"
)
_EDGES = "box_number number_box number_node"
# In the order of the status codes from GROW_NODES on: the initial capacity, then the arrays.
_POOLS = {
    "nodes": (
        256,
        "left right parent scope_open scope_all first_state state_stop roots"
        " scope_start part_start expected_size",
    ),
    "scopes": (1024, "scope_number scope_in"),
    "states": (4096, "lowest length term"),
    "keys": (4096, "key"),
    "terms": (8192, "value adjoint"),
    "links": (8192, "link_from link_to"),
    "parts": (1024, "part"),
    "hashes": (4096, "hash"),
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
        allocate(self, "cancel", 1)
        allocate(self, "bucket_heads", codes.BUCKETS, fill=-1)
        allocate(self, "upper lower guard keep scratch", codes.MAX_WORDS)
        self.sizes = {}
        for pool, (initial, _) in _POOLS.items():
            self._resize(pool, initial if capacity is None else capacity)

    def fit(self, cells: int, edges: int) -> None:
        """Allocate the arrays for a board."""
        if cells > self.cells:
            self.cells = cells
            allocate(self, _CELLS, cells + 2)
        if edges > self.edges:
            self.edges = edges
            allocate(self, _EDGES, edges + 2)

    def grow(self, status: int, max_bytes: int = 1 << 62) -> bool:
        """Enlarge the pool of a status; return False if that would exceed *max_bytes* bytes."""
        pool = list(_POOLS)[status - codes.GROW]
        size = max(2 * self.sizes[pool], int(self.requested))
        row = sum(np.asarray(getattr(self, name)).itemsize for name in _POOLS[pool][1].split())
        # While it is copied, the old array exists beside the new one.
        if self.bytes + size * row > max_bytes:
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
            for _, names in _POOLS.values()
            for name in names.split()
        )

    def _resize(self, pool, size, keep=False):
        allocate(self, _POOLS[pool][1], size, keep=keep)
        self.sizes[pool] = size
        setattr(self, f"{pool}_capacity", size)


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
