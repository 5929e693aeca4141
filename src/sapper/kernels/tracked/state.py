"""The memory of a tracked position: one for each thread, reused for every position of a board.

`marks` reads positions and applies moves, `chains` and `layers` build the components, `totals`
combines them with the mine count, and `queries` has the functions that callers use. They share
these arrays:

cells       marks (a number, COVERED, FLAG for a known mine, KNOWN_SAFE for a safe cell whose number
            is not shown), covered and flags around each cell, component_of a number, box_of a cell;
            by_neighbours lists the cells by the number of their neighbours;
            position has the marks that were read last: the next position is read by its differences
pattern     the offsets of a cell's neighbours that most cells share, so that a whole range of cells
            (first_regular to past_regular) is counted at once; irregular lists the other cells
components  live[:live_count] are those of the position; each is contiguous in every pool:
numbers     number_cell, number_need (mines) and number_covered when the component was built
boxes       in the order of the chain; cover[box_cover[b]:box_past_cover[b]] are its numbers
            and member[box_member[b]:] its cells
layers      the states after each box: value (number of ways to reach a state) and worth (weight of
            the solutions that complete it)
links       first_link[s]:first_link[s + 1] lead to state s, from link_from by link_mines in the box
totals      before[i], after[i]: the product of the components before i, and of those from i on with
            the interior
worths      for `values`: the weights of the states under other weights of the interior
trail       for what-ifs: earlier marks, to be restored; saved[d] has the sizes of all pools

Where a component is too wide or too large for a chain, the general engine answers.
"""

import numpy as np

from sapper.kernels import view

# Capacities of the pools. An Expert position takes about 20 numbers, 25 boxes, 110 states and 170
# links; each what-if that is not undone yet takes more.
COMPONENTS, NUMBERS, BOXES, MEMBERS, STATES, LINKS = 512, 4096, 4096, 16384, 32768, 65536
# Binomials are tabulated for boxes up to this size; larger ones are for the general engine,
LARGEST_BOX = 32
# and so are layers with more states and positions with more cells in components.
MAX_LAYER = 512
MAX_CELLS = 500
LIVE = 64
DEPTH = 64
TOTALS = 1 << 15
# For `values`: pairs of mines and cells of the interior around a cell, and the capacity for the
# weights of the states under each of them.
PAIRS = 105
WORTHS = 1 << 16


class TrackedPosition:
    """A position of one board with its components; *general* is the general engine's workspace."""

    def __init__(self, offsets, neighbours, general) -> None:
        n = len(offsets) - 1
        self.cells = n
        self.offsets, self.neighbours = view(offsets), view(neighbours)
        self.general = general
        self.max_layer, self.max_cells, self.max_depth = MAX_LAYER, MAX_CELLS, DEPTH
        self.nan = float("nan")
        self._make("position covered flags place seen queued queue", n)
        self._make("seeds", 4 * n + 8)
        self._make("trail_cell trail_mark", 2 * n + 2)
        self._make("probabilities", n, np.float64)
        self._make("known", n, np.uint8)
        for name in ("component_of", "box_of", "marks"):
            setattr(self, name, view(np.full(n, -1, np.int32)))
        self._make("probability_by_mark", 4, np.float64)
        self._make("known_by_mark", 4, np.uint8)
        self._make("chosen_state chosen_mines", 1)
        self._make_pools()
        self._make_totals(n)
        self._make("live", LIVE)
        self._make("opened at", 64)
        self._make("head", 64, np.uint64)
        self._make("batch batch_box", n + 1)
        self._make("saved", (DEPTH, 16))
        self._make("saved_live", (DEPTH, LIVE))
        self.by_neighbours = view(np.argsort(np.diff(offsets), kind="stable").astype(np.int32))
        self._find_pattern(np.asarray(offsets), np.asarray(neighbours))
        self.worths = None

    def allocate_lists(self) -> None:
        """Allocate what `values`, `sampling` and the lists of solutions need, once."""
        if len(self.chosen_state) < self.general.nodes_capacity:
            self._make("chosen_state chosen_mines", self.general.nodes_capacity)
        if self.worths is not None:
            return
        self._make("inner later", self.cells)
        self._make("box_left cells_left", self.cells + 2)
        self._make("worths", WORTHS, np.float64)
        self._make("inside_worth", PAIRS, np.float64)
        self._make("product", MAX_CELLS + 2, np.float64)
        self._make("others", (LIVE, MAX_CELLS + 2), np.float64)
        self._make("counts", (2, (MAX_LAYER + 1) * LARGEST_BOX), np.float64)
        self._make("worth_start", LIVE * PAIRS)
        self._make("inside_ready", PAIRS)
        self._make("others_ready others_low others_length", LIVE)

    def _make(self, names, size, dtype=np.int32):
        for name in names.split():
            setattr(self, name, view(np.zeros(size, dtype)))

    def _make_pools(self):
        self.component_capacity, self.number_capacity, self.box_capacity = (
            COMPONENTS,
            NUMBERS,
            BOXES,
        )
        self.member_capacity, self.state_capacity, self.link_capacity = MEMBERS, STATES, LINKS
        self.total_capacity = TOTALS
        components = "component_number component_past_number component_box component_past_box"
        self._make(f"{components} component_state component_size", COMPONENTS)
        numbers = "number_cell number_need number_covered number_left number_rest"
        self._make(f"{numbers} number_shift number_width", NUMBERS)
        boxes = "box_cover box_past_cover box_member box_size box_low box_high"
        self._make(f"{boxes} box_state box_past_state box_known", BOXES + 1)
        self._make("box_probability", BOXES + 1, np.float64)
        self._make("box_mask", BOXES + 1, np.uint64)
        self._make("cover member", MEMBERS + 1)
        self._make("key", STATES + 1, np.uint64)
        self._make("value worth", STATES + 1, np.float64)
        self._make("first_link", STATES + 1)
        self._make("link_from link_mines", LINKS)

    def _make_totals(self, n):
        """Allocate the products, binomials of small boxes and logarithms of factorials."""
        binomial = np.zeros((LARGEST_BOX + 1, LARGEST_BOX + 1))
        binomial[:, 0] = 1.0
        for size in range(1, LARGEST_BOX + 1):
            binomial[size, 1:] = binomial[size - 1, 1:] + binomial[size - 1, :-1]
        self.binomial = view(binomial)
        self.ln_factorial = view(np.append(0.0, np.cumsum(np.log(np.arange(1, n + 2)))))
        self._make("before after", TOTALS, np.float64)
        self._make("after_start low_before high_before", LIVE + 2)

    def _find_pattern(self, offsets, neighbours):
        """Find the most common pattern of offsets from a cell to its neighbours.

        On regular boards most cells share it, whatever the tiling; the others are listed. Without a
        common pattern, as on most graphs, all cells are listed.
        """
        n = self.cells
        neighbour_counts = np.diff(offsets)
        commonest, members = (), np.empty(0, dtype=np.int64)
        for many in np.unique(neighbour_counts).tolist():
            cells = np.flatnonzero(neighbour_counts == many)
            steps = neighbours[offsets[cells][:, None] + np.arange(many)] - cells[:, None]
            patterns, which, counts = np.unique(
                steps, axis=0, return_inverse=True, return_counts=True
            )
            if len(counts) and counts.max() > len(members):
                best = int(counts.argmax())
                commonest, members = patterns[best], cells[which.reshape(-1) == best]
        if len(members) < n // 4:
            commonest, members = (), np.empty(0, dtype=np.int64)
        self.pattern = view(np.array(commonest, dtype=np.int32))
        self.pattern_size = len(commonest)
        self.first_regular = int(members[0]) if len(members) else 0
        self.past_regular = int(members[len(members) - 1]) + 1 if len(members) else 0
        unlike = np.setdiff1d(np.arange(n), members).astype(np.int32)
        self.irregular = view(unlike)
        self.irregular_count = len(unlike)
