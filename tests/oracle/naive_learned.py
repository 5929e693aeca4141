"""The network of `learned` and its inputs by definition, with fractions, sets, rows and columns."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from sapper.board.position import Position
from tests.oracle.naive_endgame import solutions

# Probabilities are encoded by their position between two of these.
KNOTS = [Fraction(x).limit_denominator(100) for x in (0, 0.08, 0.16, 0.25, 0.4, 0.6, 1)]


def channels(code):
    """The channels that the code of a cell sets, with their values."""
    if code < 10:
        return {code: Fraction(1)}
    knot, part = divmod(code - 10, 32)
    return {10 + knot: 1 - Fraction(part, 32), 11 + knot: Fraction(part, 32)}


def relu(x):
    """The positive part of x, rounded down to 16 binary places as in the kernel."""
    return Fraction(floor(x * 65536), 65536) if x > 0 else Fraction(0)


def value(weights, codes, scalars):
    """The exact value of a candidate, from the codes of the cells around it and its scalars."""
    real = {name: weights.real(name) for name in weights.arrays}
    x = [Fraction(int(s), 4096) for s in scalars]

    def dot(bias, pairs):
        return sum((Fraction(float(w)) * v for w, v in pairs), Fraction(float(bias)))

    hidden = []
    for j in range(weights.first):
        pairs = [
            (real["rows"][slot, channel, j], share)
            for slot, code in enumerate(codes)
            for channel, share in channels(int(code)).items()
            if share
        ]
        pairs += [(real["from_scalars"][k, j], x[k]) for k in range(weights.scalars)]
        hidden.append(relu(dot(real["first_bias"][j], pairs)))
    narrow = [
        relu(dot(real["second_bias"][j], zip(real["middle"][:, j], hidden, strict=True)))
        for j in range(weights.second)
    ]
    pairs = [*zip(real["last"], narrow, strict=True)]
    pairs += [(real["skip"][k], x[k]) for k in range(weights.scalars)]
    return dot(real["last_bias"][0], pairs)


class NaiveFeatures:
    """The inputs of the network for a position, from the list of its solutions."""

    def __init__(self, position: Position):
        self.position, board = position, position.board
        self.cells = list(board.cells)
        self.near = [set(map(int, board.around(c))) for c in self.cells]
        self.all = solutions(position)
        self.shown = {c: int(position.marks[c]) for c in self.cells if position.marks[c] >= 0}
        self.probabilities = {
            c: Fraction(sum(c in m for m in self.all), len(self.all))
            for c in self.cells
            if c not in self.shown
        }
        self.unknown = {c for c, p in self.probabilities.items() if 0 < p < 1}
        self.mines = {c for c, p in self.probabilities.items() if p == 1}
        self.seen = {c for c in self.probabilities if self.near[c] & set(self.shown)}
        self.inner = self.unknown - self.seen

    def code(self, cell):
        """The code of a cell; the probability of a frontier cell is rounded between two knots."""
        if cell is None:
            return 0
        if cell in self.shown:
            return 1 + min(6, self.shown[cell] - len(self.near[cell] & self.mines))
        if cell in self.mines:
            return 8
        if cell in self.inner:
            return 9
        p = self.probabilities[cell]
        knot = max(i for i in range(6) if p > KNOTS[i] or i == 0)
        return 10 + 32 * knot + round(32 * (p - KNOTS[knot]) / (KNOTS[knot + 1] - KNOTS[knot]))

    def around(self, cell):
        """The 9x9 cells around a cell of a square board, row by row; None off the board."""
        width, height = self.position.board.size
        row, column = divmod(cell, width)
        return [
            r * width + c if 0 <= r < height and 0 <= c < width else None
            for r in range(row - 4, row + 5)
            for c in range(column - 4, column + 5)
        ]

    def distance(self, cell):
        """The steps to the nearest number, at most 8."""
        steps, reached = 0, {cell}
        while not reached & set(self.shown):
            more = reached.union(*(self.near[c] for c in reached))
            if more == reached or steps == 8:
                return 8
            steps, reached = steps + 1, more
        return min(steps, 8)

    def candidates(self, most, ratio):
        """The safest unknown cells, in the order of the player."""
        best = max(1 - self.probabilities[c] for c in self.unknown)
        chosen = [c for c in self.unknown if 1 - self.probabilities[c] >= Fraction(ratio) * best]
        key = lambda c: (self.probabilities[c], len(self.near[c]), self.distance(c), c)  # noqa: E731
        return sorted(chosen, key=key)[:most]

    def scalars(self, cell, rank):
        """The scalars of a candidate by index, without those that need a number of solutions."""
        n, least = len(self.cells), min(self.probabilities[c] for c in self.unknown)
        p, left = self.probabilities[cell], self.position.mines - len(self.mines)
        inside = self.probabilities[min(self.inner)] if self.inner else Fraction(0)
        most = max(map(len, self.near))
        fewest = min(map(len, self.near))
        return {
            0: p,
            1: p - least,
            2: inside,
            3: inside - p if self.inner else 0,
            4: Fraction(len(self.inner), n),
            6: Fraction(left, len(self.unknown)),
            7: Fraction(4 * left, n),
            10: Fraction(len(self.unknown), n),
            11: int(len(self.near[cell]) == fewest < most),
            12: int(len(self.near[cell]) < most),
            13: int(cell in self.seen),
            14: Fraction(self.distance(cell), 8),
            15: Fraction(rank, 32),
            16: Fraction(len(self.near[cell] & self.unknown), most),
            17: least,
            19: Fraction(len(self.near[cell] & self.inner), most),
        }
