"""The network of `learned` and its inputs by definition, with fractions, sets, rows and columns."""

from fractions import Fraction
from math import floor

from sapper import Position
from tests.oracle.naive import distances
from tests.oracle.naive_thoughtful import PositionFacts

# Probabilities are encoded by their position between two of these.
KNOTS = [Fraction(x).limit_denominator(100) for x in (0, 0.08, 0.16, 0.25, 0.4, 0.6, 1)]


def channels(code):
    """Return the channels that the code of a cell sets, with their values."""
    if code < 10:
        return {code: Fraction(1)}
    knot, part = divmod(code - 10, 32)
    return {10 + knot: 1 - Fraction(part, 32), 11 + knot: Fraction(part, 32)}


def relu(x):
    """Return the positive part of x, rounded down to 16 binary places as in the kernel."""
    return Fraction(floor(x * 65536), 65536) if x > 0 else Fraction(0)


def value(weights, codes, scalars):
    """Return the exact value of a candidate, from the codes around it and its scalars."""
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


class NaiveFeatures(PositionFacts):
    """The inputs of the network for a position, from the list of its solutions."""

    def __init__(self, position: Position):
        super().__init__(position)
        self.frontier = {c for c in self.probabilities if self.near[c] & self.shown.keys()}
        self.interior = self.uncertain - self.frontier

    def code(self, cell):
        """Return the code of a cell; a probability is rounded between two knots."""
        if cell is None:
            return 0
        if cell in self.shown:
            return 1 + min(6, self.shown[cell] - len(self.near[cell] & self.mines))
        if cell in self.mines:
            return 8
        if cell in self.interior:
            return 9
        p = self.probabilities[cell]
        knot = max(i for i in range(6) if p > KNOTS[i] or i == 0)
        return 10 + 32 * knot + round(32 * (p - KNOTS[knot]) / (KNOTS[knot + 1] - KNOTS[knot]))

    def around(self, cell):
        """Return the 9x9 cells around a cell of a square board, row by row; None off the board."""
        width, height = self.position.board.size
        row, column = divmod(cell, width)
        return [
            r * width + c if 0 <= r < height and 0 <= c < width else None
            for r in range(row - 4, row + 5)
            for c in range(column - 4, column + 5)
        ]

    def distance(self, cell):
        """Return the number of steps to the nearest number, at most 8."""
        steps = distances(self.position.board, cell)
        return min([8, *(steps[number] for number in self.shown if number in steps)])

    def candidates(self, most, ratio):
        """Return the safest uncertain cells, in the order of the player."""
        best = max(1 - self.probabilities[c] for c in self.uncertain)
        chosen = [c for c in self.uncertain if 1 - self.probabilities[c] >= Fraction(ratio) * best]

        def rank(c):
            return self.probabilities[c], len(self.near[c]), self.distance(c), c

        return sorted(chosen, key=rank)[:most]

    def scalars(self, cell, rank):
        """Return the scalars of a candidate by index, except those of numbers of solutions."""
        n, least = len(self.cells), min(self.probabilities[c] for c in self.uncertain)
        p, left = self.probabilities[cell], self.position.mines - len(self.mines)
        inside = self.probabilities[min(self.interior)] if self.interior else Fraction(0)
        most = max(map(len, self.near))
        fewest = min(map(len, self.near))
        return {
            0: p,
            1: p - least,
            2: inside,
            3: inside - p if self.interior else 0,
            4: Fraction(len(self.interior), n),
            6: Fraction(left, len(self.uncertain)),
            7: Fraction(4 * left, n),
            10: Fraction(len(self.uncertain), n),
            11: int(len(self.near[cell]) == fewest < most),
            12: int(len(self.near[cell]) < most),
            13: int(cell in self.frontier),
            14: Fraction(self.distance(cell), 8),
            15: Fraction(rank, 32),
            16: Fraction(len(self.near[cell] & self.uncertain), most),
            17: least,
            19: Fraction(len(self.near[cell] & self.interior), most),
        }
