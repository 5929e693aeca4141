"""Decide what the cells show, from what they look like and from the rules of the game.

Labels are 0 to 8, COVERED and FLAG. A labelling has a cost: what it contradicts of the network's
evidence, in nats, and a fixed cost for each number that the rules do not allow. The search changes
single cells and whole regions as long as the cost falls; the confidence of a cell is the share of
its label among all labels that it could have beside the others'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.pictures.network import COVERED, FLAG, HIDDEN, MINE, OUTSIDE, Floats

Labels = npt.NDArray[np.int8]

LABELS = 11
FLOOR = 1e-6
"""The least probability of a label: the network is never surer than this."""
TEMPERATURE = 0.9
"""Weight of the network's log-probabilities."""
ZERO_COST, ABOVE_COST, BELOW_COST = 7.0, 6.0, 4.0
"""Of a zero with a covered neighbour, of a number above what its neighbours allow, and of one with
more flags around it: users may flag wrong cells."""
REACH = 10.0
"""Labels that are less likely by this many nats are not tried."""
MAX_SWEEPS = 12


@dataclass(frozen=True)
class Decision:
    """A label for each cell with its probability, and what else the cell could be."""

    labels: Labels
    shares: Floats
    """The probability of each label of each cell: (rows, columns, labels)."""
    violated: npt.NDArray[np.bool_]
    """Numbers that the rules do not allow."""
    open_sides: tuple[bool, bool, bool, bool]
    """Whether the board continues beyond the view: top, bottom, left, right."""


def evidence(joint: Floats) -> Floats:
    """Return the cost of each label of each cell, from the log-probabilities of the classes."""
    chances = np.exp(joint)
    labels = chances[..., :LABELS].copy()
    labels[..., FLAG] += chances[..., MINE]
    unknown = chances[..., HIDDEN] + chances[..., OUTSIDE]
    labels += unknown[..., None] / LABELS
    return np.asarray(-TEMPERATURE * np.log(labels + FLOOR), np.float32)


def decide(costs: Floats, cut: tuple[bool, bool, bool, bool]) -> Decision:
    """Return the labelling of least cost; *cut* says at which sides the picture ends."""
    labels = costs.argmin(axis=2).astype(np.int8)
    open_sides = _open_sides(labels, cut)
    search = _Search(costs, labels, _exempt(labels, open_sides))
    search.improve()
    return Decision(search.labels, search.shares(), search.rule_costs() > 0, open_sides)


def _exempt(labels: Labels, sides: tuple[bool, bool, bool, bool]) -> npt.NDArray[np.bool_]:
    """Return the cells that may have neighbours out of view."""
    exempt = np.zeros(labels.shape, bool)
    top, bottom, left, right = sides
    exempt[0] |= top
    exempt[-1] |= bottom
    exempt[:, 0] |= left
    exempt[:, -1] |= right
    return exempt


def _open_sides(
    labels: Labels, cut: tuple[bool, bool, bool, bool]
) -> tuple[bool, bool, bool, bool]:
    """Return the sides at which numbers need mines out of view."""
    above = _above(labels)
    number = (labels > 0) & (labels <= 8)
    inner = np.s_[1:-1, 1:-1]
    inner_share = above[inner].sum() / max(1, number[inner].sum())

    def is_open(failing: npt.NDArray[np.bool_], numbers: npt.NDArray[np.bool_]) -> bool:
        count = int(failing.sum())
        return bool(count >= 2 and count > 0.2 * numbers.sum() and inner_share < 0.05)

    return (
        cut[0] or is_open(above[0], number[0]),
        cut[1] or is_open(above[-1], number[-1]),
        cut[2] or is_open(above[:, 0], number[:, 0]),
        cut[3] or is_open(above[:, -1], number[:, -1]),
    )


def count_neighbours(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """Return how many of the eight neighbours of each cell are in a mask."""
    padded = np.pad(mask, 1).astype(np.int8)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - padded[1:-1, 1:-1], np.int8)


def _above(labels: Labels) -> npt.NDArray[np.bool_]:
    number = (labels > 0) & (labels <= 8)
    return np.asarray(number & (labels > count_neighbours(labels >= COVERED)))


def rule_costs(labels: Labels, exempt: npt.NDArray[np.bool_]) -> Floats:
    """Return the cost of each cell by the rules of the game."""
    flags = count_neighbours(labels == FLAG)
    covered = count_neighbours(labels >= COVERED)
    number = (labels > 0) & (labels <= 8)
    costs = ZERO_COST * ((labels == 0) & (covered > 0))
    costs = costs + ABOVE_COST * (number & (labels > covered) & ~exempt)
    return np.asarray(costs + BELOW_COST * (number & (flags > labels)), np.float32)


class _Search:
    """Local search for a labelling of least cost."""

    def __init__(self, costs: Floats, labels: Labels, exempt: npt.NDArray[np.bool_]):
        self.costs, self.labels, self.exempt = costs, labels.copy(), exempt

    def rule_costs(self) -> Floats:
        return rule_costs(self.labels, self.exempt)

    def improve(self) -> None:
        """Change cells and regions until nothing makes the cost lower."""
        for _ in range(MAX_SWEEPS):
            violated = self.rule_costs() > 0
            if not violated.any():
                return
            changed = self._change_cells(violated)
            changed = self._change_regions() or changed
            if not changed:
                return

    def _change_cells(self, violated: npt.NDArray[np.bool_]) -> bool:
        changed = False
        near = violated | (count_neighbours(violated) > 0)
        order = sorted(
            zip(*np.nonzero(near), strict=True), key=lambda at: self._gap(int(at[0]), int(at[1]))
        )
        for y, x in order:
            before = self.labels[y, x]
            totals = self.alternatives(int(y), int(x))
            best = int(totals.argmin())
            if totals[best] < totals[before] - 1e-3:
                self.labels[y, x] = best
                changed = True
        return changed

    def _gap(self, y: int, x: int) -> float:
        first, second = np.partition(self.costs[y, x], 1)[:2]
        return float(second - first)

    def alternatives(self, y: int, x: int) -> npt.NDArray[np.float64]:
        """Return the total cost around a cell for each of its labels."""
        window = np.s_[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        labels = self.labels[window].copy()
        exempt = self.exempt[window].copy()
        # Cells two away see only a part of their neighbours here: their costs do not change.
        at = y - max(0, y - 2), x - max(0, x - 2)
        inner = np.s_[max(0, at[0] - 1) : at[0] + 2, max(0, at[1] - 1) : at[1] + 2]
        own = self.costs[y, x].astype(np.float64)
        totals = np.full(LABELS, np.inf)
        least = own.min()
        for label in range(LABELS):
            if own[label] > least + REACH and label != self.labels[y, x]:
                continue
            labels[at] = label
            totals[label] = own[label] + float(rule_costs(labels, exempt)[inner].sum())
        return totals

    def _change_regions(self) -> bool:
        """Try connected covered cells as zeros, and the reverse."""
        changed = False
        current = self._total()
        for label, other in ((COVERED, 0), (0, COVERED)):
            for region in regions(self.labels == label):
                if len(region[0]) < 2:
                    continue
                self.labels[region] = other
                total = self._total()
                if total < current - 1e-3:
                    current, changed = total, True
                else:
                    self.labels[region] = label
        return changed

    def _total(self) -> float:
        own = np.take_along_axis(self.costs, self.labels[..., None].astype(int), 2).sum()
        return float(own + self.rule_costs().sum())

    def shares(self) -> Floats:
        """Return the probability of each label of each cell, with the other cells as they are."""
        rows, columns = self.labels.shape
        result = np.zeros((rows, columns, LABELS), np.float32)
        for y in range(rows):
            for x in range(columns):
                totals = self.alternatives(y, x)
                shares = np.exp(-(totals - totals.min()))
                result[y, x] = shares / shares.sum()
        return result


def regions(mask: npt.NDArray[np.bool_]) -> Iterator[tuple[npt.NDArray[np.intp], ...]]:
    """Yield the 8-connected regions of a mask as indices."""
    left = mask.copy()
    rows, columns = mask.shape
    for start in zip(*np.nonzero(mask), strict=True):
        if not left[start]:
            continue
        left[start] = False
        stack, cells = [start], []
        while stack:
            y, x = stack.pop()
            cells.append((y, x))
            for v in range(max(0, y - 1), min(rows, y + 2)):
                for u in range(max(0, x - 1), min(columns, x + 2)):
                    if left[v, u]:
                        left[v, u] = False
                        stack.append((v, u))
        ys, xs = zip(*cells, strict=True)
        yield np.asarray(ys), np.asarray(xs)
