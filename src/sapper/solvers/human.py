"""The human-like algorithm of Slagle, §2.2: strategies 1 to 7 wherever something changed.

It keeps the collection of active cells: revealed cells around which something changed since they
were last looked at. A cell is looked at once when its number appears and once more for each
neighbour that is flagged or revealed, so at most degree + 1 times: O(b) looks in all.

Two things that the paper leaves out (docs/errata.md, 13 and 14): a cell that was just revealed is
active too, and after a strategy acted the next one reads the numbers anew.
`sapper.kernels.solvers.human` is the compiled twin for huge boards; this module is the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.budget import Limit
from sapper.engine.conflicts import solver_contradiction
from sapper.kernels.codes import KNOWN_SAFE
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, Constraint, Pair
from sapper.values import check_type


class HumanSolver:
    """Finds certain moves from one or two numbers at a time, on a position and over a whole game.

    `moves` goes on until nothing moves; `learn` tells it what became of the board.
    Flags are trusted and the mine count is not used, as in the paper.
    Without *pairs* it looks at single numbers only: strategies 1 and 2.
    """

    def __init__(self, position: Position, *, pairs: bool = True):
        check_type(position, Position, "a position")
        self.board = position.board
        self._pairs = pairs
        self.visits = [0] * len(position.board)
        """How often each cell was looked at."""
        self._seen: list[int] = position.marks.tolist()
        self._mines = position.mines
        self._limit: Limit | None = None
        self._begin()

    def _begin(self) -> None:
        """Believe what is seen and nothing else, and look at every number."""
        # A cell that it found to be free is KNOWN_SAFE until it is told the number.
        self._marks = list(self._seen)
        # A dictionary is a stack without repetition: pushing again changes nothing.
        self._active = {cell: None for cell in self.board.cells if self._seen[cell] >= 0}

    @property
    def position(self) -> Position:
        """The position as the solver was told it, without its own conclusions."""
        return Position(self.board, self._seen, self._mines)

    def moves(self, limit: Limit | None = None) -> list[Deduction]:
        """All that follows until nothing moves, in order; what was answered before is left out.

        Raises Contradiction where one number, or two, cannot be met: *limit* is for its reasons.
        """
        self._limit = limit
        found: list[Deduction] = []
        while self._active:
            cell, _ = self._active.popitem()
            self.visits[cell] += 1
            found.extend(self._look(cell))
        return found

    def learn(self, changes: Mapping[int, int]) -> None:
        """Take note of new marks: numbers of revealed cells, flags, covered cells where a flag went.

        Whatever takes something back, or is not what the solver believed, starts it afresh.
        """
        surprise = False
        for cell, mark in changes.items():
            before, self._seen[cell] = self._seen[cell], mark
            if mark != before:
                surprise = not self._accept(cell, mark) or surprise
        if surprise:
            self._begin()

    def believe(self, deduction: Deduction) -> Iterator[Deduction]:
        """Take certain moves for known, and answer with them if any is new."""
        news = False
        for cells, mark in ((deduction.flag, FLAG), (deduction.reveal, KNOWN_SAFE)):
            for cell in cells:
                if self._marks[cell] == COVERED:
                    self._settle(cell, mark)
                    news = True
        if news:
            yield deduction

    def _accept(self, cell: int, mark: int) -> bool:
        """Enter one mark; whether it agrees with what is believed."""
        belief = self._marks[cell]
        if mark == FLAG and belief in (COVERED, FLAG):
            self._settle(cell, FLAG)
        elif mark >= 0 and belief in (COVERED, KNOWN_SAFE):
            self._settle(cell, KNOWN_SAFE)
            self._marks[cell] = mark
            self._active[cell] = None
        else:
            return False
        return True

    def _look(self, cell: int) -> Iterator[Deduction]:
        """The paper's ApplyStrategies: one number, then each pair that shares a covered cell with it."""
        for single in ONE_NUMBER:
            yield from self.believe(single(self._constraint(cell)))
        for other in self._sharing(cell) if self._pairs else ():
            for double in TWO_NUMBERS:
                yield from self.believe(double(self._pair(cell, other)))

    def _settle(self, cell: int, mark: int) -> None:
        """Turn a covered cell into a mine or a free cell; the numbers around it become active."""
        if self._marks[cell] != COVERED:
            return
        self._marks[cell] = mark
        for other in self.board.around(cell).tolist():
            if self._marks[other] >= 0:
                self._active[other] = None

    def _sharing(self, cell: int) -> list[int]:
        """The other revealed cells that share a covered cell with this one, ascending."""
        around, marks = self.board.around, self._marks
        found = {
            other
            for covered in around(cell).tolist()
            if marks[covered] == COVERED
            for other in around(covered).tolist()
            if marks[other] >= 0
        }
        return sorted(found - {cell})

    def _constraint(self, cell: int) -> Constraint:
        marks = self._marks
        around = self.board.around(cell).tolist()
        flags = sum(marks[other] == FLAG for other in around)
        number = Constraint(
            cell, marks[cell] - flags, frozenset(c for c in around if marks[c] == COVERED)
        )
        if not number.possible:
            raise solver_contradiction(self.position, cell, limit=self._limit)
        return number

    def _pair(self, cell: int, other: int) -> Pair:
        pair = Pair(self._constraint(cell), self._constraint(other))
        if not pair.possible:
            raise solver_contradiction(self.position, cell, other, limit=self._limit)
        return pair
