"""Exact solution counts and probabilities, computed with big integers.

The kernel plans how to join the boxes of a position; this module computes the same joins exactly,
from copies of its arrays, which `sapper.kernels.engine.workspace` describes.

A polynomial in the number of mines is stored as one integer, with the coefficient of t mines at bit
t * width (Kronecker substitution), so that polynomials are added and multiplied as integers.
Adjoints (derivatives of the total by the polynomial of a state) are stored in reverse: the weight
of t mines is at bit (top - t) * width, so that the many small states have small adjoints.

s, i, j  states: a join combines the states i and j of its two parts into the state s
k        mines in a box
t        mines on the frontier
top      the largest number of mines of a state
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import numpy as np

from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.engine.conflicts import engine_contradiction
from sapper.kernels.codes import MINE, REVEALED, UNKNOWN
from sapper.kernels.engine.workspace import Workspace

# The memory that Python uses for a small integer in a list, in bits.
INTEGER_BITS = 320


def count_solutions(position: Position, trust_flags: bool, limit: Limit) -> int:
    """Return the number of solutions."""
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        return _ExactJoins(ws, position, limit).solutions


def exact_probabilities(
    position: Position, trust_flags: bool, limit: Limit
) -> tuple[list[Fraction | None], int]:
    """Return the probability of each cell (or None) and the number of solutions."""
    with workspace.borrow_workspace(limit, trust_flags) as ws:
        joins = _ExactJoins(ws, position, limit)
        return joins.probabilities(), joins.solutions


def ln_integer(count: int) -> float:
    """Return the natural logarithm of an integer of any size."""
    shift = max(0, count.bit_length() - 1000)
    return math.log(count >> shift) + shift * math.log(2)


class _ExactJoins:
    """The joins that the kernel planned for one position, computed with integers."""

    left: list[int]
    right: list[int]
    first_state: list[int]
    state_stop: list[int]
    part_start: list[int]

    def __init__(self, ws: Workspace, position: Position, limit: Limit):
        self.limit, self.memory_used = limit, 0
        ws.count_only = True
        status = workspace.run(ws, position.board, position.marks, position.mines, limit)
        if status not in (workspace.OK, workspace.IMPRECISE):
            raise engine_contradiction(ws, position, status, limit)
        self._copy_joins(ws, len(position.board))
        self.width = self._solutions_bound().bit_length() + 1
        self.polynomials = self._state_polynomials()
        self.interior_weights = self._interior_weights()
        self.solutions = self._count_solutions()

    def _copy_joins(self, ws: Workspace, cells: int) -> None:
        """Copy the planned joins, so that the workspace can be used again."""
        self.has_mine_count, self.mines = bool(ws.has_mine_count), ws.mines_left
        self.cells, self.interior = ws.unknown_left, ws.interior
        self.boxes, self.first_product = ws.boxes, ws.first_product
        frontier = self.cells - self.interior
        self.max_frontier_mines = min(self.mines, frontier) if self.has_mine_count else 0

        def copy_array(name: str, length: int) -> list[int]:
            return np.asarray(getattr(ws, name))[:length].tolist()  # type: ignore[no-any-return]

        self.known, self.box_of = copy_array("known", cells), copy_array("box_of", cells)
        self.box_sizes = copy_array("box_size", ws.boxes)
        self.box_lows = copy_array("box_low", ws.boxes)
        for name in ("left", "right", "first_state", "state_stop", "part_start"):
            setattr(self, name, copy_array(name, ws.nodes))
        self.part = copy_array("part", ws.part_end)
        self.link_from = copy_array("link_from", ws.link_end)
        self.link_to = copy_array("link_to", ws.link_end)
        self.nodes: int = ws.nodes
        self.states: int = ws.state_end
        self._use_memory(INTEGER_BITS * (2 * ws.link_end + ws.part_end))

    def _solutions_bound(self) -> int:
        """Return the number of ways to place the mines, which no coefficient or weight exceeds."""
        if not self.has_mine_count:
            return 2**self.cells  # type: ignore[no-any-return]
        return math.comb(self.cells, min(self.mines, self.cells // 2))

    def _check_time(self) -> None:
        if self.limit.expired:
            raise self.limit.error(f"{len(self.link_from):,} products of large integers to compute")

    def _use_memory(self, bits: int) -> None:
        """Count the memory of another large integer; raise OutOfBudget if the total is too much."""
        self.memory_used += bits // 8
        if self.memory_used > self.limit.memory:
            raise self.limit.memory_error(
                f"{self.states:,} polynomials of up to "
                f"{self.max_frontier_mines + 1:,} large integers"
            )

    def _state_polynomials(self) -> list[int]:
        """Return the polynomial of each state, from the boxes up to the whole frontier."""
        polynomials = [0] * self.states
        step = self.width if self.has_mine_count else 0
        for box in range(self.boxes):
            for s in range(self.first_state[box], self.state_stop[box]):
                k = self.box_lows[box] + s - self.first_state[box]
                polynomials[s] = math.comb(self.box_sizes[box], k) << (k * step)
        # Terms with more mines than the position has are dropped.
        self._use_memory(self.width * (self.max_frontier_mines + 1))
        mask = (1 << (self.width * (self.max_frontier_mines + 1))) - 1
        for node in range(self.boxes, self.nodes):
            for i, j, s in self._links(node):
                self._check_time()
                polynomials[s] += polynomials[i] * polynomials[j]
            for s in range(self.first_state[node], self.state_stop[node]):
                polynomials[s] &= mask
                self._use_memory(polynomials[s].bit_length())
        return polynomials

    def _links(self, node: int) -> list[tuple[int, int, int]]:
        """Return the pairs of states (i, j) that a join combined, each with its result state s."""
        left, right, first = self.left[node], self.right[node], self.first_state
        if node >= self.first_product:
            return [(first[left], first[right], first[node])]
        part = self.part_start[node]
        return [
            (self.link_from[link], j, self.link_to[link])
            for k, j in enumerate(range(first[right], self.state_stop[right]))
            for link in range(self.part[part + k], self.part[part + k + 1])
        ]

    def _coefficient(self, polynomial: int, index: int) -> int:
        coefficient: int = (polynomial >> (index * self.width)) & ((1 << self.width) - 1)
        return coefficient

    def _interior_weights(self) -> list[int]:
        """Return the number of ways to fill the interior, by the number of frontier mines."""
        if not self.has_mine_count:
            return [1]
        return [
            math.comb(self.interior, self.mines - t) for t in range(self.max_frontier_mines + 1)
        ]

    def _frontier_counts(self) -> list[int]:
        """Return how many solutions of the frontier have t mines, for each t."""
        frontier = self.polynomials[self.first_state[self.nodes - 1]] if self.nodes else 1
        return [self._coefficient(frontier, t) for t in range(self.max_frontier_mines + 1)]

    def _count_solutions(self) -> int:
        return sum(map(operator.mul, self._frontier_counts(), self.interior_weights))

    def probabilities(self) -> list[Fraction | None]:
        """Return the probability of every cell, or None if it is revealed or has no probability."""
        boxes = self._box_probabilities()
        interior = None
        if self.has_mine_count and self.interior:
            mines = sum(
                ways * weight * (self.mines - t)
                for t, (ways, weight) in enumerate(
                    zip(self._frontier_counts(), self.interior_weights, strict=True)
                )
            )
            interior = Fraction(mines, self.solutions * self.interior)

        def probability(cell: int, known: int) -> Fraction | None:
            if known != UNKNOWN:
                return None if known == REVEALED else Fraction(known == MINE)
            return boxes[self.box_of[cell]] if self.box_of[cell] >= 0 else interior

        return [probability(cell, known) for cell, known in enumerate(self.known)]

    def _box_probabilities(self) -> list[Fraction]:
        adjoints = [0] * self.states
        # An adjoint is as long as the polynomial of its state.
        lengths = [polynomial.bit_length() for polynomial in self.polynomials]
        self._use_memory(sum(lengths))
        tops = [max(0, length - 1) // self.width for length in lengths]

        def add_to_adjoint(i: int, product: int, top: int) -> None:
            """Add a product whose lowest coefficient belongs to *top* mines."""
            shift = (top - tops[i]) * self.width
            product = product >> shift if shift >= 0 else product << -shift
            adjoints[i] += product & ((1 << (self.width * (tops[i] + 1))) - 1)

        if self.nodes:
            root = sum(
                weight << ((self.max_frontier_mines - t) * self.width)
                for t, weight in enumerate(self.interior_weights)
            )
            add_to_adjoint(self.first_state[self.nodes - 1], root, self.max_frontier_mines)
        for node in reversed(range(self.boxes, self.nodes)):
            for i, j, s in self._links(node):
                self._check_time()
                add_to_adjoint(i, self.polynomials[j] * adjoints[s], tops[s])
                add_to_adjoint(j, self.polynomials[i] * adjoints[s], tops[s])
        probabilities = []
        for box in range(self.boxes):
            self._check_time()
            total = mines = 0
            for s in range(self.first_state[box], self.state_stop[box]):
                k = self.box_lows[box] + s - self.first_state[box]
                # The lowest coefficient of the adjoint belongs to k mines, all that this state has.
                ways = math.comb(self.box_sizes[box], k) * self._coefficient(adjoints[s], 0)
                total += ways
                mines += k * ways
            probabilities.append(Fraction(mines, total * self.box_sizes[box]))
        return probabilities
