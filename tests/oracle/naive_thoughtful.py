"""The guess of `thoughtful` by its definition: lists of solutions, nothing of sapper's kernels."""

from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from sapper import Position
from sapper.players.thoughtful import ThoughtfulSettings
from tests.oracle.naive import counted_solutions, neighbours, probabilities


class PositionFacts:
    """A position, its solutions, and the exact probability of every covered cell."""

    def __init__(self, position: Position):
        self.position = position
        self.cells = list(position.board.cells)
        self.near = neighbours(position.board)
        self.solutions = counted_solutions(position)
        self.shown = {c: int(position.marks[c]) for c in position.revealed.tolist()}
        self.probabilities = probabilities(position, self.solutions)
        self.uncertain = {c for c, p in self.probabilities.items() if 0 < p < 1}
        self.mines = {c for c, p in self.probabilities.items() if p == 1}


class Shape(NamedTuple):
    """Two sets of cells that may become a fifty-fifty."""

    one: set[int]
    other: set[int]
    enablers: set[int]
    uncertain_enablers: set[int]
    chance: float


class NaiveThoughtful(PositionFacts):
    """Influences and scores of a position without certain reveals."""

    def __init__(self, position: Position, settings: ThoughtfulSettings):
        super().__init__(position)
        self.settings = settings

    def living(self, cell, uncertain, shown):
        """Return whether revealing a cell may give information.

        Uncertain neighbours give none if they are all the uncertain cells of a number.
        """
        left = set(self.near[cell] & uncertain)
        while left:
            numbers = sorted(self.near[min(left)] & set(shown))
            groups = [self.near[number] & uncertain - {cell} for number in numbers]
            group = next((group for group in groups if group <= left), None)
            if group is None:
                return True
            left -= group
        return False

    def look_ahead(self, cell, v):
        """Return what follows if the cell shows v.

        The chance of v, the safety of the best and of the second best next cell, and whether a
        certain living cell follows.
        """
        left = [m for m in self.solutions if cell not in m and len(self.near[cell] & m) == v]
        if not left:
            return 0.0, 0.0, 0.0, False
        shown = {**self.shown, cell: v}
        risk = probabilities(self.position.with_marks({cell: v}), left)
        uncertain = {c for c, p in risk.items() if 0 < p < 1}
        # The interior represents its cells whether they are living or not.
        interior = {c for c in risk if not self.near[c] & set(shown)}
        living = {c for c in risk if c in interior or self.living(c, uncertain, shown)}
        safe = sorted((1 - p for c, p in risk.items() if p < 1 and c in living), reverse=True)
        best = safe or sorted((1 - risk[c] for c in uncertain), reverse=True) or [1]
        chance = len(left) / len(self.solutions)
        return chance, float(best[0]), float(best[:2][-1]), bool(safe) and safe[0] == 1

    def score(self, cell):
        """Return the score of a candidate."""
        s = self.settings
        total = certain_next = 0.0
        for v in range(len(self.near[cell]) + 1):
            chance, best, second, certain = self.look_ahead(cell, v)
            total += chance * (s.blend * best + (1 - s.blend) * second)
            certain_next += chance * certain
        safe = float(1 - self.probabilities[cell])
        return (
            total
            * (1 + s.fifty_fifty * self.influence(cell) / safe)
            * (1 + s.progress * certain_next)
        )

    @cached_property
    def shapes(self):
        """All pairs and squares that may become fifty-fifties."""
        shapes = []
        for a, b in combinations(sorted(self.uncertain), 2):
            if b in self.near[a] or self.near[a] & self.near[b]:
                shapes.append(self._shape({a}, {b}, 8))
        for a, *others in combinations(sorted(self.uncertain), 4):
            for d in others:
                b, c = (x for x in others if x != d)
                if {b, c} <= self.near[a] & self.near[d]:
                    shapes.append(self._shape({a, d}, {b, c}, 6))
        return [shape for shape in shapes if shape is not None]

    def _shape(self, one, other, most):
        """Return the shape of two sets, or None if it cannot become a fifty-fifty."""
        outside = set(self.cells) - one - other
        enablers = {x for x in outside if len(self.near[x] & one) != len(self.near[x] & other)}
        uncertain = enablers & self.uncertain
        if len(enablers) > most or len(uncertain) > self.settings.enablers:
            return None
        hits = sum(enablers | one <= m and not other & m for m in self.solutions)
        if not hits or not enablers <= uncertain | self.mines:
            return None
        return Shape(one, other, enablers, uncertain, hits / len(self.solutions))

    def influence(self, cell):
        """Return the chance that revealing the cell settles a fifty-fifty."""
        own = [shape for shape in self.shapes if cell in shape.one | shape.other]
        pairs = [shape for shape in own if len(shape.one) == 1]
        pairs.sort(key=lambda pair: (-pair.chance, sum(pair.one | pair.other) - cell))
        total, excluded = 0.0, set()
        for pair in pairs:
            partner = (pair.one | pair.other) - {cell}
            if not partner & excluded:
                total += pair.chance
                excluded |= pair.enablers | partner
        total += max((shape.chance for shape in own if len(shape.one) == 2), default=0.0)
        least = self.settings.enabler_chance
        enabled = [shape for shape in self.shapes if shape.uncertain_enablers == {cell}]
        total += sum(shape.chance for shape in enabled if shape.chance > least)
        risk = float(self.probabilities[cell])
        return min(total, risk, 1 - risk)
