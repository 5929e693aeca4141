"""The steps that lessons teach: where a position allows one, and how it is told.

A step is found by the strategies themselves, so that a lesson on strategy 4 never shows another
one; the patterns that players know by name are strategies on numbers that stand in a certain way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import Limit
from sapper.engine.probabilities import tied_for_least
from sapper.players.guess import Guess
from sapper.players.registry import advise
from sapper.proofs.prover import Proof, Prover
from sapper.sentences import Sentence
from sapper.solvers.result import Deduction
from sapper.solvers.strategies import (
    ONE_NUMBER,
    TWO_NUMBERS,
    Pair,
    read_pair,
    unmet_constraints,
)
from sapper.wording import percent


@dataclass(frozen=True)
class StepMatch:
    """A step in a position: what it reads, what follows, and what is said of it cell by cell."""

    numbers: tuple[int, ...]
    flag: tuple[int, ...]
    reveal: tuple[int, ...]
    uses_mine_count: bool = False
    text: Sentence | None = None
    """What is said in place of a proof: of a guess."""

    def why(self, position: Position, cell: int) -> Sentence:
        """Why a move of it is right."""
        if self.text is not None:
            return self.text
        move = Move("flag" if cell in self.flag else "reveal", cell)
        return Proof(position, move, self.numbers, self.uses_mine_count, trust_flags=True).sentence


StepFinder = Callable[[Position, Limit], Iterator[StepMatch]]


def strategy(
    strategy_number: int, fits: Callable[[Position, Pair], bool] | None = None
) -> StepFinder:
    """The step of one of the seven strategies; *fits* asks for more of a pair of numbers."""
    return (
        partial(_single, strategy_number)
        if strategy_number <= 2
        else partial(_double, strategy_number, fits)
    )


def _single(strategy_number: int, position: Position, limit: Limit) -> Iterator[StepMatch]:
    for number in unmet_constraints(position):
        yield from _found(ONE_NUMBER[strategy_number - 1](number))


def _double(
    strategy_number: int,
    fits: Callable[[Position, Pair], bool] | None,
    position: Position,
    limit: Limit,
) -> Iterator[StepMatch]:
    for pair in _pairs(position):
        if fits is None or fits(position, pair):
            yield from _found(TWO_NUMBERS[strategy_number - 3](pair))


def _found(deduction: Deduction) -> Iterator[StepMatch]:
    if deduction:
        yield StepMatch(deduction.numbers, deduction.flag, deduction.reveal)


def _pairs(position: Position) -> Iterator[Pair]:
    """Every pair of numbers that share a covered cell, the lower cell first."""
    numbers = unmet_constraints(position)
    for i, p in enumerate(numbers):
        for q in numbers[i + 1 :]:
            if p.covered & q.covered:
                yield read_pair(position, p.cell, q.cell)


def either(*steps: StepFinder) -> StepFinder:
    """One of several steps."""

    def find(position: Position, limit: Limit) -> Iterator[StepMatch]:
        for step in steps:
            yield from step(position, limit)

    return find


def several_numbers(least: int, most: int, uses_mine_count: bool = False) -> StepFinder:
    """A proof of so many numbers, or one that counts the mines."""

    def find(position: Position, limit: Limit) -> Iterator[StepMatch]:
        prover = Prover(position, limit, trust_flags=True)
        for cell in prover.cells:
            proof = prover.proof(cell)
            if (
                proof.uses_mine_count == uses_mine_count
                and least <= len(proof.number_cells) <= most
            ):
                flag, reveal = ((cell,), ()) if proof.move.action == "flag" else ((), (cell,))
                yield StepMatch(proof.number_cells, flag, reveal, proof.uses_mine_count)

    return find


def best_guess(position: Position, limit: Limit) -> Iterator[StepMatch]:
    """The reveals of least probability, and the one that thinks ahead, where nothing is certain."""
    analysis = analyse(position, trust_flags=True, budget=limit)
    if len(analysis.safe_cells) or not len(position.covered):
        return
    choice = advise(position, "thoughtful", budget=limit).why
    assert isinstance(choice, Guess)
    least = tied_for_least(analysis.probability_array).tolist()
    for cell in dict.fromkeys([choice.cell, *least]):
        risk = percent(float(analysis.probability_array[cell]))
        because = f", because {choice.because}" if cell == choice.cell and choice.because else ""
        text = f"It is a mine with probabilities of {risk}{because or ', and no covered cell has lower probability'}."
        yield StepMatch((), (), (cell,), text=(text,))


# What the named patterns ask of a pair of numbers. They are shapes on squares, as players see them,
# so that here, and nowhere else in lessons, cells have rows and columns.


def needs(first: int, second: int) -> Callable[[Position, Pair], bool]:
    """Two numbers side by side that need so many mines, in either order."""

    def fits(position: Position, pair: Pair) -> bool:
        return _side_by_side(position, pair) and {pair.p.missing, pair.q.missing} == {first, second}

    return fits


def reduced(position: Position, pair: Pair) -> bool:
    """Two numbers side by side of which one shows more than it needs: a flag is taken off it."""
    shown = [int(position.marks[number.cell]) - number.missing for number in (pair.p, pair.q)]
    return _side_by_side(position, pair) and any(shown)


def inside(position: Position, pair: Pair) -> bool:
    """Two numbers of which one has all its covered cells under the other, which sees more."""
    return bool(pair.only_p) != bool(pair.only_q)


def hole(position: Position, pair: Pair) -> bool:
    """Two numbers that do not touch, and all covered cells of one are covered cells of the other."""
    apart = pair.q.cell not in position.board.around(pair.p.cell)
    return apart and (not pair.only_p or not pair.only_q)


def row_of(numbers: tuple[int, ...]) -> StepFinder:
    """A row of numbers side by side that need these mines: a 1-2-1, a 1-2-2-1.

    What follows is what its 1 and 2 give from both ends, by strategies 3 and 4.
    """

    def find(position: Position, limit: Limit) -> Iterator[StepMatch]:
        need = {number.cell: number.missing for number in unmet_constraints(position)}
        for row in _rows(position, len(numbers)):
            if tuple(need.get(cell, -1) for cell in row) != numbers:
                continue
            for pair in (read_pair(position, *row[:2]), read_pair(position, *row[:-3:-1])):
                for mines in TWO_NUMBERS[:2]:
                    yield from _found(mines(pair))

    return find


def _side_by_side(position: Position, pair: Pair) -> bool:
    """Whether two cells share a side: on squares, those with most neighbours in common."""
    return (pair.p.cell, pair.q.cell) in _sides(position)


def _sides(position: Position) -> set[tuple[int, int]]:
    width = (position.board.size or (1, 1))[0]
    return {
        (cell, other)
        for cell in position.revealed.tolist()
        for other in ((cell + 1,) if (cell + 1) % width else ()) + (cell + width,)
        if other < len(position.board) and position.marks[other] >= 0
    }


def _rows(position: Position, length: int) -> Iterator[tuple[int, ...]]:
    """So many revealed cells in a row or a column of a board of squares."""
    sides = _sides(position)
    width = (position.board.size or (1, 1))[0]
    for step in (1, width):
        for cell in position.revealed.tolist():
            row = tuple(cell + k * step for k in range(length))
            if all(pair in sides for pair in pairwise(row)):
                yield row
