"""The memory of the exact engine: made once, reused for position after position, one for each thread.

The engine's stages (`components`, `plan`, `joins`, `adjoints`, `stages`) share it, so it carries their
legend:

cells    know (UNKNOWN, MINE, SAFE, REVEALED), need and unknown of a revealed cell, probabilities,
         number_of, box_of
numbers    revealed cells that still have unknown covered cells: number_cell, number_need, number_size (the covered cells)
boxes    unknown covered cells with the same numbers: box_size, and box_number[box_start[b]:box_start[b + 1]]
nodes    of the elimination: the boxes come first, then joins of two earlier nodes
scopes   the numbers that a node keeps apart, with the covered cells of each that lie inside it;
         first the open ones (scope_open of them), then those closed in this very node
states   one entry of a node: a key (mines used of each open number, packed) and a polynomial
terms    the coefficients of the polynomials, by number of mines; and their adjoints
links    for each pair of states that met in a join: where it came from and where it went
"""

import numpy as np

from sapper.kernels import view
from sapper.kernels.codes import BUCKETS, GROW, MAX_WORDS

POOLS = ("nodes", "scopes", "states", "keys", "terms", "links", "parts", "hashes")
"""In the order of the codes from GROW_NODES on."""

# Every array and its type, by what decides its length.
_CELLS = {
    **dict.fromkeys(("know",), np.uint8),
    **dict.fromkeys(("need", "unknown", "number_of", "box_of", "stack"), np.int32),
    "probabilities": np.float64,
}
_NUMBERS = dict.fromkeys(
    (
        *("number_cell", "number_need", "number_size", "number_start", "number_nodes", "box_first"),
        *(
            "component_number",
            "component_start",
            "place",
            "mark",
            "next_number",
            "last_number",
            "bucket",
        ),
        *("gone", "sequence", "shift", "word", "width"),
    ),
    np.int32,
)
_BOXES = {
    **dict.fromkeys(("box_size", "box_start", "box_next", "box_state"), np.int32),
    **dict.fromkeys(("box_low", "box_high"), np.int32),
    "box_probability": np.float64,
}
_EDGES = dict.fromkeys(("box_number", "number_box", "number_node"), np.int32)
_POOLS = {
    "nodes": {
        **dict.fromkeys(("left", "right", "parent", "scope_open", "scope_all"), np.int32),
        **dict.fromkeys(("first_state", "past_state", "roots"), np.int32),
        **dict.fromkeys(("scope_start", "part_start"), np.int64),
        "guess": np.float64,
    },
    "scopes": dict.fromkeys(("scope_number", "scope_in"), np.int32),
    "states": {"lowest": np.int32, "length": np.int32, "term": np.int64},
    "keys": {"key": np.uint64},
    "terms": {"value": np.float64, "adjoint": np.float64},
    "links": {"link_from": np.int32, "link_to": np.int32},
    "parts": {"part": np.int64},
    "hashes": {"hash": np.uint64},
}
_START = {
    "nodes": 256,
    "scopes": 1024,
    "states": 4096,
    "keys": 4096,
    "terms": 8192,
    "links": 8192,
    "parts": 1024,
    "hashes": 4096,
}


class Workspace:
    """Scratch arrays for one position at a time; results stay in it until the next position.

    *room* is the size that every pool starts with, for tests; they grow as needed.
    """

    def __init__(self, room: int | None = None) -> None:
        self.cells = 0
        self.edges = 0
        self.words = 1
        self.wanted = 0
        self.hash_age = 0
        self.bad_number = 0
        self.components = 0
        self.widest = 0
        self.widest_component = 0
        self.word_bits = 64
        self.polls = 1 << 20
        # Beyond this range of magnitudes (in ln) plain sums of products might over- or underflow.
        self.moderate = 550.0
        # Predicted pairs of states up to which an order is taken without looking further.
        self.straight_below = 250.0
        self.portfolio_from = 3000.0
        self.policy = -1
        self.trust = 0
        self.only_count = 0
        self.nan = float("nan")
        self.seconds = 1e9
        self.cancel = view(np.zeros(1, np.int32))
        self.heads = view(np.full(BUCKETS, -1, np.int32))
        for name in ("up", "low", "guard", "keep", "scratch"):
            setattr(self, name, view(np.zeros(MAX_WORDS, np.uint64)))
        self.sizes = dict(_START) if room is None else dict.fromkeys(_START, room)
        for pool, size in self.sizes.items():
            self._make(_POOLS[pool], size)
        self._note_rooms()

    def fit(self, cells: int, edges: int) -> None:
        """Make room for a board."""
        if cells > self.cells:
            self.cells = cells
            for registry in (_CELLS, _NUMBERS, _BOXES):
                self._make(registry, cells + 2)
        if edges > self.edges:
            self.edges = edges
            self._make(_EDGES, edges + 2)

    def grow(self, status: int, most: int = 1 << 62) -> bool:
        """Enlarge the pool that *status* names, unless all pools would exceed *most* bytes."""
        pool = POOLS[status - GROW]
        size = max(2 * self.sizes[pool], int(self.wanted))
        row = sum(np.dtype(kind).itemsize for kind in _POOLS[pool].values())
        # While it is copied, the old array stands beside the new one.
        if self.bytes + size * row > most:
            return False
        self._make(_POOLS[pool], size, keep=True)
        self.sizes[pool] = size
        self.wanted = 0
        self._note_rooms()
        return True

    def trim(self) -> None:
        """Give big pools back after a hard position."""
        for pool, size in self.sizes.items():
            if size > 64 * _START[pool]:
                self._make(_POOLS[pool], _START[pool])
                self.sizes[pool] = _START[pool]
        self._note_rooms()

    @property
    def bytes(self) -> int:
        """The size of all pools."""
        return sum(
            np.asarray(getattr(self, name)).nbytes for pool in _POOLS.values() for name in pool
        )

    def _make(self, registry, size, keep=False):
        for name, kind in registry.items():
            fresh = np.zeros(size, kind)
            if keep:
                old = np.asarray(getattr(self, name))
                fresh[: len(old)] = old
            setattr(self, name, view(fresh))

    def _note_rooms(self):
        for pool, size in self.sizes.items():
            setattr(self, f"{pool}_capacity", size)
