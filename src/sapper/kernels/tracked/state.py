"""The memory of a position: a position that is followed from move to move, one for each thread.

`cells` keeps the marks, `chains` the components, `totals` folds the mine count in, `asking` is the
door; they share this legend:

cells    marks (a number, COVERED, FLAG for a known mine, KNOWN_SAFE for a cell that is known to be free but
         shows no number), covered cells and flags around each cell, component_of a number, box_of a covered cell
         by_neighbours lists the cells by the number of their neighbours
         position has the marks that were read last, so that the next position is read by its differences
pattern  how far the neighbours of most cells lie from them (steps), so that a whole range of cells
         (first_alike to past_alike) is counted at once; unlike lists the others
components   live[:live_count] are those of the position; each lies in one piece in every pool:
numbers    number_cell, with its need and covered cells when the component was made
boxes    in the order of the chain; cover[box_cover[b]:box_past_cover[b]] are its numbers and
         member[box_member[b]:] its cells
layers   the states after each box: value (ways to get there) and worth (what that is worth)
links    first_link[s]:first_link[s + 1] lead to state s, from link_from by link_mines in the box
totals   before[i], after[i]: the components before i multiplied, and those from i on with the interior
worths   for `numbers`: what the states are worth under other weights of the interior
trail    what-ifs: marks as they were, to be put back; saved[d] holds the ends of all pools

Whatever is too wide or too large for the chains is answered by the general engine.
"""

import numpy as np

from sapper.kernels import view

COMPONENT = (
    "component_number",
    "component_past_number",
    "component_box",
    "component_past_box",
    "component_state",
)
NUMBER = (
    "number_cell",
    "number_need",
    "number_covered",
    "number_left",
    "number_rest",
    "number_shift",
    "number_width",
)
BOX = ("box_cover", "box_past_cover", "box_member", "box_size", "box_low", "box_high")
CELL = ("position", "covered", "flags", "place", "seen", "waits", "waiting")

# Rooms of the pools. A whole Expert position takes about 20 numbers, 25 boxes, 110 states, 170 links;
# each what-if that is not taken back yet stands beside it.
COMPONENTS, NUMBERS, BOXES, MEMBERS, STATES, LINKS = 512, 4096, 4096, 16384, 32768, 65536
# Boxes up to this size have their binomials at hand; larger ones are for the general engine.
LARGEST_BOX = 32
# A layer that may have more states than this, and more covered cells in play, likewise.
MAX_LAYER = 512
MAX_CELLS = 500
LIVE = 64
DEPTH = 64
TOTALS = 1 << 15
# For numbers: pairs of mines and cells of the interior around a cell, and what states are worth
# under each of them.
PAIRS = 105
WORTHS = 1 << 16


class TrackedPosition:
    """A position of one board with its components; *general* is the workspace that helps out.

    *rooms* divides every pool, for tests.
    """

    def __init__(self, offsets, neighbours, general, rooms: int = 1) -> None:
        n = len(offsets) - 1
        self.cells = n
        self.offsets, self.neighbours = view(offsets), view(neighbours)
        self.general = general
        self.max_layer, self.max_cells = MAX_LAYER, MAX_CELLS
        for name in CELL:
            self._make(name, n)
        for name in ("component_of", "box_of", "marks"):
            setattr(self, name, view(np.full(n, -1, np.int32)))
        self._make("seeds", 4 * n + 8)
        self._make("trail_cell", 2 * n + 2)
        self._make("trail_mark", 2 * n + 2)
        self.probabilities = view(np.zeros(n))
        self.know = view(np.zeros(n, np.uint8))
        self.probability_by_mark = view(np.zeros(4))
        self.known_by_mark = view(np.zeros(4, np.uint8))
        for name in (*COMPONENT, "component_size"):
            self._make(name, COMPONENTS // rooms)
        for name in NUMBER:
            self._make(name, NUMBERS // rooms)
        for name in (*BOX, "box_state", "box_past_state", "box_known"):
            self._make(name, BOXES // rooms + 1)
        self.box_probability = view(np.zeros(BOXES // rooms + 1))
        self.box_mask = view(np.zeros(BOXES // rooms + 1, np.uint64))
        for name in ("cover", "member"):
            self._make(name, MEMBERS // rooms + 1)
        for name in ("opened", "at"):
            self._make(name, 64)
        for name in ("batch", "batch_box"):
            self._make(name, n + 1)
        self.head = view(np.zeros(64, np.uint64))
        self.key = view(np.zeros(STATES // rooms + 1, np.uint64))
        self.value, self.worth = (view(np.zeros(STATES // rooms + 1)) for _ in range(2))
        self._make("first_link", STATES // rooms + 1)
        for name in ("link_from", "link_mines"):
            self._make(name, LINKS // rooms)
        self.component_capacity, self.number_capacity = COMPONENTS // rooms, NUMBERS // rooms
        self.box_capacity, self.member_capacity = BOXES // rooms, MEMBERS // rooms
        self.state_capacity, self.link_capacity = STATES // rooms, LINKS // rooms
        self.total_capacity = TOTALS
        self._make_totals(n)
        self.max_depth = DEPTH
        self._make("live", LIVE)
        self.saved = view(np.zeros((DEPTH, 16), np.int32))
        self.saved_live = view(np.zeros((DEPTH, LIVE), np.int32))
        self.worths = None
        self._make("chosen_state", 1)
        self._make("chosen_mines", 1)
        self.inner_count = 0
        self.worth_end = 0
        self.nan = float("nan")
        self.ln_solutions, self.interior_probability, self.total = 0.0, 0.0, 0.0
        self.least, self.second = 0.0, 0.0
        for name in (
            *(
                "position_known",
                "trusted",
                "mines",
                "counted",
                "unknown",
                "flagged",
                "open_cells",
                "frontier",
                "clash",
            ),
            *("waiting_count", "seed_count", "trail_count", "stamp", "scan", "taken", "depth"),
            *(
                "live_count",
                "layer",
                "component_end",
                "number_end",
                "box_end",
                "cover_end",
                "member_end",
            ),
            *("state_end", "link_end", "reference", "low_total", "high_total", "interior"),
            *("interior_known", "answered", "by_general", "going_on", "safe_count"),
        ):
            setattr(self, name, 0)
        by_neighbours = np.argsort(np.diff(offsets), kind="stable").astype(np.int32)
        self.by_neighbours = view(by_neighbours)
        self._find_pattern(np.asarray(offsets), np.asarray(neighbours))

    def make_room(self) -> None:
        """Reserve what `numbers`, `samples` and `solutions` need, unless that is done."""
        if len(self.chosen_state) < self.general.nodes_capacity:
            self._make("chosen_state", self.general.nodes_capacity)
            self._make("chosen_mines", self.general.nodes_capacity)
        if self.worths is not None:
            return
        for name in ("inner", "order", "tried", "lacking", "open_around"):
            self._make(name, self.cells)
        for name in ("box_left", "cells_left"):
            self._make(name, self.cells + 2)
        self.worths = view(np.zeros(WORTHS))
        self.inside_worth = view(np.zeros(PAIRS))
        self.product = view(np.zeros(MAX_CELLS + 2))
        self.others = view(np.zeros((LIVE, MAX_CELLS + 2)))
        self.counts = view(np.zeros((2, (MAX_LAYER + 1) * LARGEST_BOX)))
        self._make("worth_start", LIVE * PAIRS)
        self._make("inside_ready", PAIRS)
        self._make("later", self.cells)
        for name in ("others_ready", "others_low", "others_length"):
            self._make(name, LIVE)

    def _make(self, name, size):
        setattr(self, name, view(np.zeros(size, np.int32)))

    def _make_totals(self, n):
        """Binomials of small boxes, logarithms of factorials, and room for the products."""
        ways = np.zeros((LARGEST_BOX + 1, LARGEST_BOX + 1))
        ways[:, 0] = 1.0
        for size in range(1, LARGEST_BOX + 1):
            ways[size, 1:] = ways[size - 1, 1:] + ways[size - 1, :-1]
        self.ways = view(ways)
        self.ln_factorial = view(np.append(0.0, np.cumsum(np.log(np.arange(1, n + 2)))))
        for name in ("before", "after"):
            setattr(self, name, view(np.zeros(TOTALS)))
        for name in ("before_start", "after_start", "low_before", "high_before"):
            self._make(name, LIVE + 2)

    def _find_pattern(self, offsets, neighbours):
        """Find the commonest pattern: how far its neighbours lie from a cell.

        On regular boards most cells share it, whatever the tiling; the others are listed. Cells of
        no pattern, such as those of a graph, are all listed.
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
        self.steps = view(np.array(commonest, dtype=np.int32))
        self.step_count = len(commonest)
        self.first_alike = int(members[0]) if len(members) else 0
        self.past_alike = int(members[len(members) - 1]) + 1 if len(members) else 0
        unlike = np.setdiff1d(np.arange(n), members).astype(np.int32)
        self.unlike = view(unlike)
        self.unlike_count = len(unlike)
