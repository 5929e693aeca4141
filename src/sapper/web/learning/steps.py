"""The steps that lessons teach: where a frame allows one, and how it is told.

A step is found by the strategies themselves, so that a lesson on strategy 4 never shows another
one; the patterns that players know by name are strategies on hints that stand in a certain way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from sapper.infer.budget import Limit
from sapper.infer.odds.analysis import analyse
from sapper.infer.odds.ties import tied_for_least
from sapper.infer.proofs import words
from sapper.infer.proofs.argument import Argument
from sapper.infer.proofs.evidence import known_cells
from sapper.infer.proofs.prove import Prover
from sapper.infer.proofs.sentences import Sentence
from sapper.infer.slagle.strategies import (
    ONE_HINT,
    TWO_HINTS,
    Pair,
    read_pair,
    unmet_hints,
)
from sapper.infer.solution import Deduction
from sapper.model.frame import Frame
from sapper.percent import percent
from sapper.play.guess import Guess
from sapper.play.players import advise


@dataclass(frozen=True)
class Found:
    """A step in a frame: what it reads, what follows, and what is said of it cell by cell."""

    hints: tuple[int, ...]
    flag: tuple[int, ...]
    reveal: tuple[int, ...]
    mine_count: bool = False
    told: Sentence | None = None
    """What is said in place of a proof: of a guess."""

    def why(self, frame: Frame, cell: int) -> Sentence:
        """Why a move of it is right."""
        if self.told is not None:
            return self.told
        known = known_cells(frame, trust_flags=True)
        return words.tell(
            Argument(frame, known, self.hints, self.mine_count, cell, cell in self.flag)
        )


Step = Callable[[Frame, Limit], Iterator[Found]]


def strategy(number: int, fits: Callable[[Frame, Pair], bool] | None = None) -> Step:
    """The step of one of the seven strategies; *fits* asks for more of a pair of hints."""
    return partial(_single, number) if number <= 2 else partial(_double, number, fits)


def _single(number: int, frame: Frame, limit: Limit) -> Iterator[Found]:
    for hint in unmet_hints(frame):
        yield from _found(ONE_HINT[number - 1](hint))


def _double(
    number: int, fits: Callable[[Frame, Pair], bool] | None, frame: Frame, limit: Limit
) -> Iterator[Found]:
    for pair in _pairs(frame):
        if fits is None or fits(frame, pair):
            yield from _found(TWO_HINTS[number - 3](pair))


def _found(deduction: Deduction) -> Iterator[Found]:
    if deduction:
        yield Found(deduction.hints, deduction.flag, deduction.reveal)


def _pairs(frame: Frame) -> Iterator[Pair]:
    """Every pair of hints that share a blank, the lower cell first."""
    hints = unmet_hints(frame)
    for i, p in enumerate(hints):
        for q in hints[i + 1 :]:
            if p.blanks & q.blanks:
                yield read_pair(frame, p.cell, q.cell)


def either(*steps: Step) -> Step:
    """One of several steps."""

    def find(frame: Frame, limit: Limit) -> Iterator[Found]:
        for step in steps:
            yield from step(frame, limit)

    return find


def several_hints(least: int, most: int, mine_count: bool = False) -> Step:
    """A proof of so many hints, or one that counts the mines."""

    def find(frame: Frame, limit: Limit) -> Iterator[Found]:
        prover = Prover(frame, limit, trust_flags=True)
        for cell in prover.cells:
            proof = prover.proof(cell)
            if proof.mine_count == mine_count and least <= len(proof.hint_cells) <= most:
                flag, reveal = ((cell,), ()) if proof.move.action == "flag" else ((), (cell,))
                yield Found(proof.hint_cells, flag, reveal, proof.mine_count)

    return find


def best_guess(frame: Frame, limit: Limit) -> Iterator[Found]:
    """The reveals of least odds, and the one that thinks ahead, where nothing is certain."""
    analysis = analyse(frame, trust_flags=True, budget=limit)
    if len(analysis.reveal_cells) or not len(frame.blanks):
        return
    choice = advise(frame, "thoughtful", budget=limit).why
    assert isinstance(choice, Guess)
    least = tied_for_least(analysis.probability).tolist()
    for cell in dict.fromkeys([choice.cell, *least]):
        risk = percent(float(analysis.probability[cell]))
        because = f", because {choice.because}" if cell == choice.cell and choice.because else ""
        told = f"It is a mine with odds of {risk}{because or ', and no blank has lower odds'}."
        yield Found((), (), (cell,), told=(told,))


# What the named patterns ask of a pair of hints. They are shapes on squares, as players see them,
# so that here, and nowhere else in lessons, cells have rows and columns.


def needs(first: int, second: int) -> Callable[[Frame, Pair], bool]:
    """Two hints side by side that need so many mines, in either order."""

    def fits(frame: Frame, pair: Pair) -> bool:
        return _side_by_side(frame, pair) and {pair.p.need, pair.q.need} == {first, second}

    return fits


def reduced(frame: Frame, pair: Pair) -> bool:
    """Two hints side by side of which one shows more than it needs: a flag is taken off it."""
    shown = [int(frame.marks[hint.cell]) - hint.need for hint in (pair.p, pair.q)]
    return _side_by_side(frame, pair) and any(shown)


def inside(frame: Frame, pair: Pair) -> bool:
    """Two hints of which one has all its blanks under the other, which sees more."""
    return bool(pair.only_p) != bool(pair.only_q)


def hole(frame: Frame, pair: Pair) -> bool:
    """Two hints that do not touch, and all blanks of one are blanks of the other."""
    apart = pair.q.cell not in frame.board.around(pair.p.cell)
    return apart and (not pair.only_p or not pair.only_q)


def row_of(numbers: tuple[int, ...]) -> Step:
    """A row of hints side by side that need these mines: a 1-2-1, a 1-2-2-1.

    What follows is what its 1 and 2 give from both ends, by strategies 3 and 4.
    """

    def find(frame: Frame, limit: Limit) -> Iterator[Found]:
        need = {hint.cell: hint.need for hint in unmet_hints(frame)}
        for row in _rows(frame, len(numbers)):
            if tuple(need.get(cell, -1) for cell in row) != numbers:
                continue
            for pair in (read_pair(frame, *row[:2]), read_pair(frame, *row[:-3:-1])):
                for mines in TWO_HINTS[:2]:
                    yield from _found(mines(pair))

    return find


def _side_by_side(frame: Frame, pair: Pair) -> bool:
    """Whether two cells share a side: on squares, those with most neighbours in common."""
    return (pair.p.cell, pair.q.cell) in _sides(frame)


def _sides(frame: Frame) -> set[tuple[int, int]]:
    width = (frame.board.size or (1, 1))[0]
    return {
        (cell, other)
        for cell in frame.revealed.tolist()
        for other in ((cell + 1,) if (cell + 1) % width else ()) + (cell + width,)
        if other < len(frame.board) and frame.marks[other] >= 0
    }


def _rows(frame: Frame, length: int) -> Iterator[tuple[int, ...]]:
    """So many revealed cells in a row or a column of a board of squares."""
    sides = _sides(frame)
    width = (frame.board.size or (1, 1))[0]
    for step in (1, width):
        for cell in frame.revealed.tolist():
            row = tuple(cell + k * step for k in range(length))
            if all(pair in sides for pair in pairwise(row)):
                yield row
