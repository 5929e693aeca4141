"""The steps that lessons teach: functions that find where a step applies in a position.

Steps call the strategies of `sapper.solvers`, so that a lesson on strategy 4 never shows another
one. The patterns that players know by name are strategies on numbers in a certain arrangement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.analysis import analyse, tied_for_least
from sapper.engine.budget import Limit
from sapper.players.guess import Guess
from sapper.players.registry import advise
from sapper.proofs.prover import Proof, Prover
from sapper.sentences import Sentence, capitalised
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import ONE_NUMBER, TWO_NUMBERS, Pair, read_pair, unmet_constraints
from sapper.wording import percent


@dataclass(frozen=True)
class StepMatch:
    """One application of a step: the numbers that it uses, and the moves that follow."""

    numbers: tuple[int, ...]
    flag: tuple[int, ...]
    reveal: tuple[int, ...]
    uses_mine_count: bool = False
    text: Sentence | None = None
    """The reason of a guess, which has no proof."""

    def reason(self, position: Position, cell: int) -> Sentence:
        """Return why the move on a cell is right."""
        if self.text is not None:
            return self.text
        move = Move("flag" if cell in self.flag else "reveal", cell)
        return Proof(position, move, self.numbers, self.uses_mine_count, trust_flags=True).sentence


StepFinder = Callable[[Position, Limit], Iterator[StepMatch]]


def strategy(
    strategy_number: int, fits: Callable[[Position, Pair], bool] | None = None
) -> StepFinder:
    """Return the step of one of the seven strategies; *fits* selects pairs of numbers."""

    def find_one(position: Position, limit: Limit) -> Iterator[StepMatch]:
        for constraint in unmet_constraints(position):
            yield from _matches(ONE_NUMBER[strategy_number - 1](constraint))

    def find_two(position: Position, limit: Limit) -> Iterator[StepMatch]:
        for pair in _pairs(position):
            if fits is None or fits(position, pair):
                yield from _matches(TWO_NUMBERS[strategy_number - 3](pair))

    return find_one if strategy_number <= 2 else find_two


def _matches(deduction: Deduction) -> Iterator[StepMatch]:
    if deduction:
        yield StepMatch(deduction.number_cells, deduction.flag, deduction.reveal)


def _pairs(position: Position) -> Iterator[Pair]:
    """Yield every pair of numbers that share a covered cell, the lower cell first."""
    constraints = unmet_constraints(position)
    for i, p in enumerate(constraints):
        for q in constraints[i + 1 :]:
            if p.covered & q.covered:
                yield read_pair(position, p.cell, q.cell)


def either(*steps: StepFinder) -> StepFinder:
    """Return a step that applies wherever any of several steps does."""

    def find(position: Position, limit: Limit) -> Iterator[StepMatch]:
        for step in steps:
            yield from step(position, limit)

    return find


def several_numbers(
    min_numbers: int, max_numbers: int, uses_mine_count: bool = False
) -> StepFinder:
    """Return a step that is a proof from *min_numbers* to *max_numbers* numbers."""

    def find(position: Position, limit: Limit) -> Iterator[StepMatch]:
        prover = Prover(position, limit, trust_flags=True)
        for cell in prover.cells:
            proof = prover.proof(cell)
            if (
                proof.uses_mine_count == uses_mine_count
                and min_numbers <= len(proof.number_cells) <= max_numbers
            ):
                flag, reveal = ((cell,), ()) if proof.move.action == "flag" else ((), (cell,))
                yield StepMatch(proof.number_cells, flag, reveal, proof.uses_mine_count)

    return find


def best_guess(position: Position, limit: Limit) -> Iterator[StepMatch]:
    """Yield the safest cells and the choice of the player `thoughtful`, if no cell is safe."""
    analysis = analyse(position, trust_flags=True, budget=limit)
    if len(analysis.safe_cells) or not len(position.covered):
        return
    choice = advise(position, "thoughtful", budget=limit).reason
    assert isinstance(choice, Guess)
    least = tied_for_least(analysis.probability_array).tolist()
    for cell in dict.fromkeys([choice.cell, *least]):
        risk = percent(float(analysis.probability_array[cell]))
        explanation = choice.explanation if cell == choice.cell else ()
        reason = capitalised(explanation) if explanation else ("No cell is safer",)
        text = (f"Its chance of a mine is {risk}. ", *reason, ".")
        yield StepMatch((), (), (cell,), text=text)


# Conditions of the named patterns on a pair of numbers. The patterns exist on square boards only,
# so that this part may use rows and columns.


def adjacent_pair(first: int, second: int) -> Callable[[Position, Pair], bool]:
    """Accept two numbers side by side that still need this many mines, in either order."""

    def fits(position: Position, pair: Pair) -> bool:
        return _side_by_side(position, pair) and {pair.p.missing, pair.q.missing} == {first, second}

    return fits


def adjacent_pair_with_flag(position: Position, pair: Pair) -> bool:
    """Accept two numbers side by side, one of which has a flag."""
    flags = [int(position.marks[number.cell]) - number.missing for number in (pair.p, pair.q)]
    return _side_by_side(position, pair) and any(flags)


def one_contains_other(position: Position, pair: Pair) -> bool:
    """Accept two numbers where one touches all covered cells of the other, and more."""
    return bool(pair.only_p) != bool(pair.only_q)


def apart_and_contained(position: Position, pair: Pair) -> bool:
    """Accept two numbers that do not touch, where one touches all covered cells of the other."""
    apart = pair.q.cell not in position.board.around(pair.p.cell)
    return apart and (not pair.only_p or not pair.only_q)


def row_of(numbers: tuple[int, ...]) -> StepFinder:
    """Return the step of a 1-2-1 or a 1-2-2-1: numbers in a row that still need this many mines.

    The moves follow from the 1-2 at both ends, by strategies 3 and 4.
    """

    def find(position: Position, limit: Limit) -> Iterator[StepMatch]:
        missing = {number.cell: number.missing for number in unmet_constraints(position)}
        for row in _rows(position, len(numbers)):
            if tuple(missing.get(cell, -1) for cell in row) != numbers:
                continue
            for pair in (read_pair(position, *row[:2]), read_pair(position, *row[:-3:-1])):
                for find_mines in TWO_NUMBERS[:2]:
                    yield from _matches(find_mines(pair))

    return find


def _side_by_side(position: Position, pair: Pair) -> bool:
    """Return whether two cells of a square board share a side."""
    return (pair.p.cell, pair.q.cell) in _sides(position)


def _sides(position: Position) -> set[tuple[int, int]]:
    """Return the pairs of revealed cells of a square board that share a side."""
    width = (position.board.size or (1, 1))[0]
    revealed = set(position.revealed.tolist())
    right = {(cell, cell + 1) for cell in revealed if (cell + 1) % width and cell + 1 in revealed}
    below = {(cell, cell + width) for cell in revealed if cell + width in revealed}
    return right | below


def _rows(position: Position, length: int) -> Iterator[tuple[int, ...]]:
    """Yield runs of revealed cells in a row or a column of a square board."""
    sides = _sides(position)
    width = (position.board.size or (1, 1))[0]
    for step in (1, width):
        for cell in position.revealed.tolist():
            row = tuple(cell + k * step for k in range(length))
            if all(pair in sides for pair in pairwise(row)):
                yield row
