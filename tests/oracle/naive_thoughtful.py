"""The guess of `thoughtful` by its definition: lists of solutions, nothing of sapper's kernels."""

from __future__ import annotations

from itertools import combinations

from sapper.board.position import Position
from sapper.players.thoughtful import ThoughtfulSettings
from tests.oracle.naive_endgame import solutions


class NaiveThought:
    """Probabilities, influences and scores of a position without certain reveals."""

    def __init__(self, position: Position, settings: ThoughtfulSettings):
        self.position, self.settings = position, settings
        self.cells = list(position.board.cells)
        self.near = [set(map(int, position.board.around(c))) for c in self.cells]
        self.all = solutions(position)
        self.shown = {c: int(position.marks[c]) for c in self.cells if position.marks[c] >= 0}
        self.probabilities = self.probabilities_of(self.all)
        self.unsure = {c for c, p in self.probabilities.items() if 0 < p < 1}

    def probabilities_of(self, left):
        return {c: sum(c in m for m in left) / len(left) for c in self.cells if c not in self.shown}

    def living(self, cell, unsure, shown):
        """Unsure neighbours are left when those are taken away that one number has to itself."""
        left = self.near[cell] & unsure
        taken = set()
        for d in sorted(left):
            if d in taken:
                continue
            for h in sorted(self.near[d] & set(shown)):
                own = (self.near[h] & unsure) - {cell}
                if own <= left - taken:
                    taken |= own
                    break
            else:
                return True
        return False

    def look_ahead(self, cell, v):
        """P(v), s1 and s2 after the cell shows v, and whether a certain living cell follows."""
        left = [m for m in self.all if cell not in m and len(self.near[cell] & m) == v]
        if not left:
            return 0.0, 0.0, 0.0, False
        shown = {**self.shown, cell: v}
        probabilities = {c: p for c, p in self.probabilities_of(left).items() if c != cell}
        unsure = {c for c, p in probabilities.items() if 0 < p < 1}
        # The interior represents its cells whether they are living or not.
        inner = {c for c in probabilities if not self.near[c] & set(shown)}
        safe = [
            1 - p
            for c, p in probabilities.items()
            if p < 1 and (c in inner or self.living(c, unsure, shown))
        ]
        safe.sort(reverse=True)
        every = sorted((1 - p for p in probabilities.values() if 0 < p < 1), reverse=True)
        chosen = safe or every or [1.0]
        second = chosen[1] if len(chosen) > 1 else chosen[0]
        return len(left) / len(self.all), chosen[0], second, bool(safe) and safe[0] == 1

    def score(self, cell):
        """The score of a candidate."""
        s = self.settings
        total = sure = 0.0
        for v in range(len(self.near[cell]) + 1):
            chance, best, second, certain = self.look_ahead(cell, v)
            total += chance * (s.blend * best + (1 - s.blend) * second)
            sure += chance * certain
        safe = 1 - self.probabilities[cell]
        return total * (1 + s.fifty_fifty * self.influence(cell) / safe) * (1 + s.progress * sure)

    def shapes(self):
        """All pairs and squares that may become fifty-fifties, with enablers and chances."""
        if not hasattr(self, "_shapes"):
            self._shapes = list(self._find_shapes())
        return self._shapes

    def _find_shapes(self):
        for a, b in combinations(sorted(self.unsure), 2):
            if b in self.near[a] or self.near[a] & self.near[b]:
                yield from self._shape({a}, {b}, 8)
        for four in combinations(sorted(self.unsure), 4):
            a = four[0]
            for d in four[1:]:
                b, c = (x for x in four[1:] if x != d)
                if {b, c} <= self.near[a] and {b, c} <= self.near[d]:
                    yield from self._shape({a, d}, {b, c}, 6)

    def _shape(self, one, other, most):
        enablers = {
            x
            for x in set(self.cells) - one - other
            if len(self.near[x] & one) != len(self.near[x] & other)
        }
        unknown = enablers & self.unsure
        mines = {c for c, p in self.probabilities.items() if p == 1}
        if len(enablers) > most or len(unknown) > self.settings.enablers:
            return
        if enablers <= unknown | mines:
            hits = sum(enablers | one <= m and not other & m for m in self.all)
            if hits:
                yield one, other, enablers, unknown, hits / len(self.all)

    def influence(self, cell):
        """The chance that revealing the cell settles a fifty-fifty."""
        own = [s for s in self.shapes() if cell in s[0] | s[1]]
        pairs = [s for s in own if len(s[0]) == 1]
        pairs.sort(key=lambda s: (-s[4], sum(s[0] | s[1]) - cell))
        total, barred = 0.0, set()
        for one, other, enablers, _, chance in pairs:
            partner = (one | other) - {cell}
            if not partner & barred:
                total += chance
                barred |= enablers | partner
        total += max((s[4] for s in own if len(s[0]) == 2), default=0.0)
        total += sum(
            s[4] for s in self.shapes() if s[3] == {cell} and s[4] > self.settings.enabler_chance
        )
        return min(total, self.probabilities[cell], 1 - self.probabilities[cell])
