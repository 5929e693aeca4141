"""Choose a label for each cell of a picture, by the network's output and the rules of the game.

Labels are 0 to 8, COVERED and FLAG. The cost of a labelling is its negative log-probability by the
network, in nats, and a fixed cost for each number that the rules do not allow. The search changes
single cells and whole regions as long as the cost decreases; the confidence of a cell is the
probability of its label, given the labels of the other cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sapper.pictures.network import COVERED, FLAG, HIDDEN, MINE, OUTSIDE, Floats

Labels = npt.NDArray[np.int8]

LABEL_COUNT = 11
MIN_PROBABILITY = 1e-6
"""Added to the probability of each label, because the network is never certain."""
TEMPERATURE = 0.9
"""The factor of the network's log-probabilities."""
ZERO_COST, TOO_HIGH_COST, TOO_LOW_COST = 7.0, 6.0, 4.0
"""Costs of a zero with a covered neighbour, of a number with too few covered neighbours, and of a
number with too many flags, which is lower because users may flag wrong cells."""
MAX_EXTRA_COST = 10.0
"""Labels whose cost exceeds that of the best label by more nats are not tried."""
MAX_SWEEPS = 12


@dataclass(frozen=True)
class Decision:
    """A label for each cell, and the probabilities of all labels."""

    labels: Labels
    probabilities: Floats
    """By cell and label: (rows, columns, labels)."""
    violated: npt.NDArray[np.bool_]
    """Numbers that the rules do not allow."""
    open_sides: tuple[bool, bool, bool, bool]
    """Whether the board continues outside the picture: top, bottom, left, right."""


def label_costs(joint: Floats) -> Floats:
    """Return the cost of each label of each cell, from the log-probabilities of the classes."""
    class_probabilities = np.exp(joint)
    labels = class_probabilities[..., :LABEL_COUNT].copy()
    labels[..., FLAG] += class_probabilities[..., MINE]
    unknown = class_probabilities[..., HIDDEN] + class_probabilities[..., OUTSIDE]
    labels += unknown[..., None] / LABEL_COUNT
    return np.asarray(-TEMPERATURE * np.log(labels + MIN_PROBABILITY), np.float32)


def decide(costs: Floats, cut: tuple[bool, bool, bool, bool]) -> Decision:
    """Return the labels of least cost; *cut* says at which sides the board is cut off."""
    labels = costs.argmin(axis=2).astype(np.int8)
    open_sides = _open_sides(labels, cut)
    search = _Search(costs, labels, _at_open_sides(labels, open_sides))
    search.improve()
    return Decision(search.labels, search.probabilities(), search.rule_costs() > 0, open_sides)


def _at_open_sides(labels: Labels, sides: tuple[bool, bool, bool, bool]) -> npt.NDArray[np.bool_]:
    """Return the cells that may have neighbours outside the picture."""
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
    """Return the sides at which numbers need mines outside the picture."""
    too_high = _too_high(labels)
    number = (labels > 0) & (labels <= 8)
    inner = np.s_[1:-1, 1:-1]
    inner_share = too_high[inner].sum() / max(1, number[inner].sum())

    def is_open(failing: npt.NDArray[np.bool_], numbers: npt.NDArray[np.bool_]) -> bool:
        count = int(failing.sum())
        return bool(count >= 2 and count > 0.2 * numbers.sum() and inner_share < 0.05)

    return (
        cut[0] or is_open(too_high[0], number[0]),
        cut[1] or is_open(too_high[-1], number[-1]),
        cut[2] or is_open(too_high[:, 0], number[:, 0]),
        cut[3] or is_open(too_high[:, -1], number[:, -1]),
    )


def count_neighbours(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """Return how many of the eight neighbours of each cell are in a mask."""
    padded = np.pad(mask, 1).astype(np.int8)
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - padded[1:-1, 1:-1], np.int8)


def _too_high(labels: Labels) -> npt.NDArray[np.bool_]:
    number = (labels > 0) & (labels <= 8)
    return np.asarray(number & (labels > count_neighbours(labels >= COVERED)))


def rule_costs(labels: Labels, exempt: npt.NDArray[np.bool_]) -> Floats:
    """Return the cost of each cell by the rules of the game."""
    flags = count_neighbours(labels == FLAG)
    covered = count_neighbours(labels >= COVERED)
    number = (labels > 0) & (labels <= 8)
    costs = ZERO_COST * ((labels == 0) & (covered > 0))
    costs = costs + TOO_HIGH_COST * (number & (labels > covered) & ~exempt)
    return np.asarray(costs + TOO_LOW_COST * (number & (flags > labels)), np.float32)


class _Search:
    """Local search for a labelling of least cost."""

    def __init__(self, costs: Floats, labels: Labels, exempt: npt.NDArray[np.bool_]):
        self.costs, self.labels, self.exempt = costs, labels.copy(), exempt

    def rule_costs(self) -> Floats:
        return rule_costs(self.labels, self.exempt)

    def improve(self) -> None:
        """Change cells and regions until no change lowers the cost."""
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
            zip(*np.nonzero(near), strict=True),
            key=lambda at: self._cost_gap(int(at[0]), int(at[1])),
        )
        for y, x in order:
            before = self.labels[y, x]
            totals = self.costs_by_label(int(y), int(x))
            best = int(totals.argmin())
            if totals[best] < totals[before] - 1e-3:
                self.labels[y, x] = best
                changed = True
        return changed

    def _cost_gap(self, y: int, x: int) -> float:
        """Return how much the second best label of a cell costs more than the best."""
        first, second = np.partition(self.costs[y, x], 1)[:2]
        return float(second - first)

    def costs_by_label(self, y: int, x: int) -> npt.NDArray[np.float64]:
        """Return the total cost around a cell for each of its labels."""
        window = np.s_[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        labels = self.labels[window].copy()
        exempt = self.exempt[window].copy()
        # Cells two away have neighbours outside the window, but their costs do not change.
        at = y - max(0, y - 2), x - max(0, x - 2)
        inner = np.s_[max(0, at[0] - 1) : at[0] + 2, max(0, at[1] - 1) : at[1] + 2]
        own = self.costs[y, x].astype(np.float64)
        totals = np.full(LABEL_COUNT, np.inf)
        least = own.min()
        for label in range(LABEL_COUNT):
            if own[label] > least + MAX_EXTRA_COST and label != self.labels[y, x]:
                continue
            labels[at] = label
            totals[label] = own[label] + float(rule_costs(labels, exempt)[inner].sum())
        return totals

    def _change_regions(self) -> bool:
        """Try connected covered cells as zeros, and connected zeros as covered cells."""
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

    def probabilities(self) -> Floats:
        """Return the probability of each label of each cell, given the other cells' labels."""
        rows, columns = self.labels.shape
        result = np.zeros((rows, columns, LABEL_COUNT), np.float32)
        for y in range(rows):
            for x in range(columns):
                totals = self.costs_by_label(y, x)
                weights = np.exp(-(totals - totals.min()))
                result[y, x] = weights / weights.sum()
        return result


def regions(mask: npt.NDArray[np.bool_]) -> Iterator[tuple[npt.NDArray[np.intp], ...]]:
    """Yield the 8-connected regions of a mask as indices."""
    unvisited = mask.copy()
    rows, columns = mask.shape
    for start in zip(*np.nonzero(mask), strict=True):
        if not unvisited[start]:
            continue
        unvisited[start] = False
        stack, cells = [start], []
        while stack:
            y, x = stack.pop()
            cells.append((y, x))
            for v in range(max(0, y - 1), min(rows, y + 2)):
                for u in range(max(0, x - 1), min(columns, x + 2)):
                    if unvisited[v, u]:
                        unvisited[v, u] = False
                        stack.append((v, u))
        ys, xs = zip(*cells, strict=True)
        yield np.asarray(ys), np.asarray(xs)
