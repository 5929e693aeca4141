"""Hints about certain moves, in four degrees of detail.

Each detail says what the one before says, and one thing more. A hint is about the simplest step
that there is. Mines count as known if they are flagged and certain, or if a single number proves
them; those that the step uses are its premises. A flag that is certainly wrong comes first. If the
engine runs out of its budget, the hint is limited to what one or two numbers prove.
`sapper.players.hints` adds hints about guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.engine.analysis import Analysis
from sapper.engine.budget import Limit
from sapper.errors import NotationError, OutOfBudget
from sapper.kernels.codes import MINE, SAFE
from sapper.proofs.arguments import number_label
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.proof_text import MAX_LISTED
from sapper.proofs.prover import Proof, Prover
from sapper.proofs.steps import StepFinder, simple_step
from sapper.sentences import CellRef, Piece, Sentence, capitalised, joined, name_list, plain_text
from sapper.values import check_int

HINT_DETAILS: tuple[str, ...] = ("where to look", "which numbers", "what follows", "do it")

# Moves of a step that are proved to find the simplest; a position seldom has more at once.
MAX_PROOFS = 24


@dataclass(frozen=True)
class Premise:
    """A cell that a step takes as known, with its proof."""

    proof: Proof
    flagged: bool
    """Whether the user has flagged it."""

    @cached_property
    def sentence(self) -> Sentence:
        """The proof in words, with references to its cells."""
        return self.proof.describe(is_premise=True)

    @property
    def text(self) -> str:
        """The proof in words, on one line."""
        return plain_text(self.sentence, self.proof.position.board.names)


@dataclass(frozen=True)
class HintCandidate:
    """A cell to consider for a guess."""

    cell: int
    risk: float
    values: tuple[tuple[int, float], ...] = ()
    """The values that it may show, each with its probability (from detail 3 on)."""
    progress: float | None = None
    """The probability that, after it was revealed safely, a cell is safe or the game is won."""
    wins: bool = False
    """Whether revealing it safely wins the game."""


@dataclass(frozen=True)
class Hint:
    """Help for a user; fields that belong to a higher detail are empty.

    Detail 1: `look_cells`, where to look, or `uses_mine_count`. Detail 2: `number_cells`, the
    numbers to look at, `premises` and `difficulty`. Detail 3: `moves`, what follows. Detail 4: the
    same, and the moves should be made. If nothing is certain, `risk` is that of the best guess,
    `look_cells` is where the candidates are (1), `candidates` are the cells to compare (2), with
    their values (3), and `moves` is the guess (4). `wrong_flag` means that the hint is about a flag
    that is certainly wrong, `simple` that there was no time for more than one or two numbers.
    """

    position: Position = field(repr=False)
    detail: int
    certain: bool
    sentence: Sentence = field(repr=False)
    difficulty: str | None = None
    look_cells: tuple[int, ...] = ()
    number_cells: tuple[int, ...] = ()
    uses_mine_count: bool = False
    moves: tuple[Move, ...] = ()
    risk: float | None = None
    premises: tuple[Premise, ...] = ()
    candidates: tuple[HintCandidate, ...] = ()
    reason: Sentence = field(default=(), repr=False)
    """Why the guess is the best, as the end of a sentence."""
    wrong_flag: bool = False
    simple: bool = False

    @property
    def text(self) -> str:
        """The hint in words."""
        return plain_text(self.sentence, self.position.board.names)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers to look at."""
        return self.position.names(self.number_cells)


def check_detail(detail: int) -> int:
    """Return a detail if it is one of the four."""
    detail = check_int(detail, f"a detail from 1 to {len(HINT_DETAILS)}")
    if not 1 <= detail <= len(HINT_DETAILS):
        raise NotationError(f"expected a detail from 1 to {len(HINT_DETAILS)}, got {detail}")
    return detail


def certain_hint(position: Position, detail: int, limit: Limit) -> Hint | None:
    """Return a hint about the simplest certain step, or None if nothing is certain.

    Raises Contradiction if the position has no solution, and OutOfBudget beyond *limit* if one or
    two numbers prove nothing.
    """
    try:
        prover = Prover(position, limit)
        proofs = _simplest(position, prover.analysis, limit)
        return _make_hint(position, proofs, prover, detail) if proofs else None
    except OutOfBudget:
        if limit.cancelled or not (proofs := _same_numbers(simple_step(position))):
            raise
        return replace(_make_hint(position, proofs, None, detail), simple=True)


def _simplest(position: Position, analysis: Analysis, limit: Limit) -> list[Proof]:
    """Return the simplest proof of the simplest step, and those of other moves from its numbers.

    A flag that is certainly wrong comes first.
    """
    finder = StepFinder(position.without_flags(), limit=limit)
    flagged = position.marks == FLAG
    mines, safe = analysis.certain_mine_cells, analysis.safe_cells
    finder.known[mines[flagged[mines]]] = MINE
    wrong_flags = safe[flagged[safe]]
    if len(wrong_flags):
        finder.known[single_number_mines(position)] = MINE
        return _prove(finder, wrong_flags.tolist(), limit)
    while (graded_moves := finder.moves()) is not None:
        difficulty, moves = graded_moves
        cells = np.flatnonzero(moves == SAFE)
        if not len(cells):
            # Mines that a single number proves need no hint; harder ones do.
            cells = np.flatnonzero(moves == MINE)
            if difficulty == DIFFICULTIES.names[0]:
                finder.known[cells] = MINE
                continue
        return _prove(finder, cells.tolist(), limit)
    return []


def _prove(finder: StepFinder, cells: list[int], limit: Limit) -> list[Proof]:
    """Return the simplest proof of some moves, given what is known, and those from its numbers."""
    mines = np.flatnonzero(finder.known == MINE).tolist()
    known = finder.position.with_marks(dict.fromkeys(mines, FLAG))
    prover = Prover(known, limit, trust_flags=True)
    return _same_numbers([prover.proof(cell) for cell in cells[:MAX_PROOFS]])


def _same_numbers(proofs: list[Proof]) -> list[Proof]:
    """Return the simplest proof, and those of other moves from the same numbers."""
    if not proofs:
        return []
    best = min(proofs, key=lambda p: (p.uses_mine_count, len(p.number_cells)))
    return [best] + [p for p in proofs if p is not best and p.number_cells == best.number_cells]


def _make_hint(position: Position, proofs: list[Proof], prover: Prover | None, detail: int) -> Hint:
    best, board = proofs[0], position.board
    moves = tuple(_move(position, proof) for proof in proofs)
    wrong = moves[0].action == "unflag"
    sentence = _sentence(best, moves, detail)
    if wrong:
        sentence = ["A flag is wrong. ", *capitalised(sentence)]
    if detail >= 3 and wrong:
        sentence.append(" Its flag is wrong.")
    if detail >= 4:
        sentence.append(CellRef((), "", (" Do: ", *_move_list(moves), ".")))
    centre = _centre(best)
    near = () if best.uses_mine_count else (centre, *map(int, board.around(centre)))
    return Hint(
        position,
        detail,
        certain=True,
        sentence=tuple(sentence),
        difficulty=best.difficulty if detail >= 2 else None,
        look_cells=tuple(sorted(near)),
        number_cells=best.number_cells if detail >= 2 else (),
        uses_mine_count=best.uses_mine_count,
        moves=moves if detail >= 3 else (),
        premises=_premises(position, best, prover) if detail >= 2 else (),
        wrong_flag=wrong,
    )


def _sentence(best: Proof, moves: tuple[Move, ...], detail: int) -> list[Piece]:
    """Say where to look, which numbers to look at, or what follows."""
    if detail == 1 and best.uses_mine_count:
        return ["Look at the mine count."]
    if detail == 1:
        centre = _centre(best)
        near = (centre, *map(int, best.position.board.around(centre)))
        return [CellRef(near, "Look inside the ring.", ("Look around ", centre, "."))]
    if detail == 2:
        return ["Look at ", *_sources(best), "."]
    sentence = best.describe(cell_label=f"the {_sign(moves[0])} cell")
    return [*sentence, *_other_moves(best, moves[1:])]


def _sources(proof: Proof) -> list[Piece]:
    """Name the numbers of a proof, and the mine count if it is used."""
    numbers = proof.number_cells
    pieces: list[Piece]
    if len(numbers) > MAX_LISTED:
        pieces = [CellRef(numbers, "the outlined numbers", name_list(numbers, MAX_LISTED))]
    else:
        pieces = joined([CellRef((n,), number_label(proof.position, numbers, n)) for n in numbers])
    if proof.uses_mine_count:
        pieces.append(" and the mine count" if pieces else "the mine count")
    return pieces


def _other_moves(best: Proof, others: tuple[Move, ...]) -> list[Piece]:
    """Name the other moves that the same numbers prove."""
    if not others:
        return []
    cells = tuple(move.cell for move in others if move.cell is not None)
    source = "The same numbers also give" if best.number_cells else "The mine count also gives"
    signs = {_sign(move) for move in others}
    sign = signs.pop() if len(signs) == 1 else "marked"
    label = f" the other {sign} cell" + ("" if len(cells) == 1 else "s")
    return [f" {source}", CellRef(cells, label, (": ", *_move_list(others))), "."]


def _sign(move: Move) -> str:
    """Return what a view of the board draws on the cell of a move: a tick, or a cross on a mine."""
    return "crossed" if move.action == "flag" else "ticked"


def _move_list(moves: tuple[Move, ...]) -> list[str | int]:
    parts: list[str | int] = []
    for move in moves:
        assert move.cell is not None
        parts += [f"{', ' if parts else ''}{move.action} ", move.cell]
    return parts


def _centre(proof: Proof) -> int:
    """Return the cell to point at in the vaguest hint: a number of the proof next to its cell."""
    near = set(map(int, proof.position.board.around(proof.cell)))
    return next((number for number in proof.number_cells if number in near), proof.cell)


def _move(position: Position, proof: Proof) -> Move:
    """Return the move of a proof in the game: a flag on a safe cell must be removed first."""
    if position.marks[proof.cell] == FLAG and not proof.is_mine:
        return Move("unflag", proof.cell)
    return proof.move


def single_number_mines(position: Position) -> list[int]:
    """Return the mines that single numbers prove: numbers with only that many covered cells."""
    board, marks = position.board, position.marks
    full = (marks > 0) & (board.count_around(marks < 0) == marks)
    mines: list[int] = np.flatnonzero((marks < 0) & (board.count_around(full) > 0)).tolist()
    return mines


def _premises(position: Position, proof: Proof, prover: Prover | None) -> tuple[Premise, ...]:
    """Return the trusted flags that a proof uses: those around its numbers.

    With the mine count these are all flags. *prover* treats the flags of *position* as covered; if
    it is None, every premise must follow from a single number.
    """
    used = proof.position.flags.tolist()
    if not proof.uses_mine_count:
        near = {int(c) for number in proof.number_cells for c in position.board.around(number)}
        used = [cell for cell in used if cell in near]
    flagged = position.marks == FLAG
    return tuple(
        Premise(_prove_premise(position, cell, prover), bool(flagged[cell])) for cell in used
    )


def _prove_premise(position: Position, cell: int, prover: Prover | None) -> Proof:
    """Prove that a cell is a mine, from one number if possible."""
    for number in position.board.around(cell).tolist():
        near = position.marks[position.board.around(number)]
        if position.marks[number] >= 0 and int((near < 0).sum()) == position.marks[number]:
            return Proof(position, Move("flag", cell), (number,), uses_mine_count=False)
    assert prover is not None
    return prover.proof(cell)
