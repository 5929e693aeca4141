"""The memory of a tracked position: one for each thread, reused for every position of a board.

A component is solved as a chain: its boxes are taken one after the other, and a layer has the
states that are possible after a box. The chain is followed forwards to count the ways to reach each
state, and backwards for the weight of the solutions that complete it. When the position changes,
only the components around the changed cells are built again.

`marks` reads positions and applies moves, `chains` and `layers` build the components, `totals`
combines them with the mine count, and `queries` has the functions that callers use. They share
these arrays:

cells       marks (a number, COVERED, FLAG for a known mine, KNOWN_SAFE for a safe cell whose number
            is not shown), covered and flags around each cell, component_of a number, box_of a cell;
            by_neighbours lists the cells by the number of their neighbours;
            position has the marks that were read last: the next position is read by its differences
pattern     the offsets of a cell's neighbours that most cells share, so that a whole range of cells
            (first_regular to regular_stop) is counted at once; irregular lists the other cells
components  live[:live_count] are those of the position; each is contiguous in every pool:
numbers     number_cell, number_need (mines) and number_covered when the component was built; while
            it is built, number_left are the cells that are in no box yet, number_rest those whose
            box is not in the chain yet; number_shift and number_width are its bits in a key
boxes       in the order of the chain; cover[box_cover[b]:box_cover_stop[b]] are its numbers, which
            box_mask has as bits, and member[box_member[b]:] its cells
layers      the states after each box, box_state[b]:box_state_stop[b]: ways (number of ways to reach
            a state) and weight (of the solutions that complete it); layer is the first state of the
            last layer while a chain is built
links       first_link[s]:first_link[s + 1] lead to state s, from link_from by link_mines in the box
totals      before[i], after[i]: the product of the components before i, and of those from i on with
            the interior; reference is the number of mines on the frontier for which the weight of
            the interior is 1, total the weight of all solutions
weights     for `values`: the weights of the states under other weights of the interior; others: the
            product of all components but one
trail       for what-ifs: earlier marks, to be restored; saved[depth] has the sizes of all pools
seeds       numbers whose components must be built
place       of a number's cell: the index of the number; seen: scratch, the stamp of the last visit
rescan      whether marks have changed in ways that are not tracked, so that all are compared
least, second
            the two lowest probabilities of an answer; safe_count: how many cells are safe
opened      the open numbers while a chain is built; taken: the bits of a key that are in use
merge_state, merge_key
            scratch of a merge: for k mines in the box, the next state of the layer before, and the
            key that it leads to
batch, batch_box
            scratch: a list of cells, and a number for each of them

Where a component is too wide or too large for a chain, the general engine (`general`) answers, and
used_general is set. Short names: p the tracked position; c, d, x cells; h a number; b a box; f a
component; s a state.
"""

import numpy as np

from sapper.kernels import view
from sapper.kernels.declarations import allocate

# Capacities of the pools. An Expert position takes about 20 numbers, 25 boxes, 110 states and 170
# links; each what-if that is not undone yet takes more.
COMPONENTS, NUMBERS, BOXES, MEMBERS, STATES, LINKS = 512, 4096, 4096, 16384, 32768, 65536
# Binomials are tabulated for boxes up to this size. The general engine handles larger boxes, layers
# with more states, positions with more cells in components, and those with more components.
MAX_BOX_SIZE = 32
MAX_LAYER = 512
MAX_CELLS = 500
MAX_LIVE = 64
MAX_DEPTH = 64
TOTALS = 1 << 15
# For `values`: pairs of mines and cells of the interior around a cell, and the capacity for the
# weights of the states under each of them.
PAIRS = 105
WEIGHTS = 1 << 16


class TrackedPosition:
    """A position of one board with its components; *general* is the general engine's workspace."""

    def __init__(self, offsets, neighbours, general) -> None:
        n = len(offsets) - 1
        self.cells = n
        self.offsets, self.neighbours = view(offsets), view(neighbours)
        self.general = general
        self.max_layer, self.max_cells, self.max_depth = MAX_LAYER, MAX_CELLS, MAX_DEPTH
        self.nan = float("nan")
        for names, size in (
            ("position covered flags place seen queued queue probabilities known", n),
            ("seeds", 4 * n + 8),
            ("trail_cell trail_mark", 2 * n + 2),
            ("probability_by_mark known_by_mark", 4),
            ("chosen_state chosen_mines", 1),
            ("live", MAX_LIVE),
            ("opened merge_state merge_key", 64),
            ("batch batch_box", n + 1),
            ("saved", (MAX_DEPTH, 16)),
            ("saved_live", (MAX_DEPTH, MAX_LIVE)),
        ):
            allocate(self, names, size)
        allocate(self, "component_of box_of marks", n, fill=-1)
        self._make_pools()
        self._make_totals(n)
        self.by_neighbours = view(np.argsort(np.diff(offsets), kind="stable").astype(np.int32))
        self._find_pattern(np.asarray(offsets), np.asarray(neighbours))
        self.weights = None

    def allocate_lists(self) -> None:
        """Allocate what `values`, `sampling` and the lists of solutions need, once."""
        if len(self.chosen_state) < self.general.nodes_capacity:
            allocate(self, "chosen_state chosen_mines", self.general.nodes_capacity)
        if self.weights is not None:
            return
        for names, size in (
            ("interior_cells later", self.cells),
            ("box_left cells_left", self.cells + 2),
            ("weights", WEIGHTS),
            ("interior_weight interior_ready", PAIRS),
            ("product", MAX_CELLS + 2),
            ("others", (MAX_LIVE, MAX_CELLS + 2)),
            ("counts", (2, (MAX_LAYER + 1) * MAX_BOX_SIZE)),
            ("weight_start", MAX_LIVE * PAIRS),
            ("others_ready others_low others_length", MAX_LIVE),
        ):
            allocate(self, names, size)

    def _make_pools(self):
        self.component_capacity, self.number_capacity = COMPONENTS, NUMBERS
        self.box_capacity, self.member_capacity = BOXES, MEMBERS
        self.state_capacity, self.link_capacity, self.total_capacity = STATES, LINKS, TOTALS
        components = "component_number component_number_stop component_box component_box_stop"
        numbers = "number_cell number_need number_covered number_left number_rest"
        boxes = "box_cover box_cover_stop box_member box_size box_low box_high box_mask"
        for names, size in (
            (f"{components} component_state component_size", COMPONENTS),
            (f"{numbers} number_shift number_width", NUMBERS),
            (f"{boxes} box_state box_state_stop box_known box_probability", BOXES + 1),
            ("cover member", MEMBERS + 1),
            ("key ways weight first_link", STATES + 1),
            ("link_from link_mines", LINKS),
        ):
            allocate(self, names, size)

    def _make_totals(self, n):
        """Allocate the products, binomials of small boxes and logarithms of factorials."""
        binomial = np.zeros((MAX_BOX_SIZE + 1, MAX_BOX_SIZE + 1))
        binomial[:, 0] = 1.0
        for size in range(1, MAX_BOX_SIZE + 1):
            binomial[size, 1:] = binomial[size - 1, 1:] + binomial[size - 1, :-1]
        self.binomial = view(binomial)
        self.ln_factorial = view(np.append(0.0, np.cumsum(np.log(np.arange(1, n + 2)))))
        allocate(self, "before after", TOTALS)
        allocate(self, "after_start low_before high_before", MAX_LIVE + 2)

    def _find_pattern(self, offsets, neighbours):
        """Find the most common pattern of offsets from a cell to its neighbours.

        On regular boards most cells share it, whatever the tiling; the others are listed. Without a
        common pattern, as on most graphs, all cells are listed.
        """
        n = self.cells
        neighbour_counts = np.diff(offsets)
        commonest, members = (), np.empty(0, dtype=np.int64)
        for degree in np.unique(neighbour_counts).tolist():
            cells = np.flatnonzero(neighbour_counts == degree)
            steps = neighbours[offsets[cells][:, None] + np.arange(degree)] - cells[:, None]
            patterns, pattern_index, counts = np.unique(
                steps, axis=0, return_inverse=True, return_counts=True
            )
            if len(counts) and counts.max() > len(members):
                best = int(counts.argmax())
                commonest, members = patterns[best], cells[pattern_index.reshape(-1) == best]
        if len(members) < n // 4:
            commonest, members = (), np.empty(0, dtype=np.int64)
        self.pattern = view(np.array(commonest, dtype=np.int32))
        self.pattern_size = len(commonest)
        self.first_regular = int(members[0]) if len(members) else 0
        self.regular_stop = int(members[len(members) - 1]) + 1 if len(members) else 0
        irregular = np.setdiff1d(np.arange(n), members).astype(np.int32)
        self.irregular = view(irregular)
        self.irregular_count = len(irregular)
