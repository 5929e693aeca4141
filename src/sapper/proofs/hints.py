"""Help by degrees for a player who is stuck: where to look, which numbers, what follows, do it.

Each degree tells what the one before tells, and one thing more; never more than was asked for.
A hint is about the simplest step there is. Mines count as known where they are flagged and
certain, or where a single number gives them: each that the step uses is told with its own reason.
A flag that is certainly wrong comes first. Where the engine runs out of its budget, what one or
two numbers give is still told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import Analysis
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.probabilities import tied_for_least
from sapper.errors import IllegalMove, NotationError, OutOfBudget
from sapper.kernels.codes import MINE, SAFE
from sapper.proofs.argument import MAX_NUMBERS, outlined
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.premises import Premise, premises_of, single_number_mines
from sapper.proofs.prover import Proof, Prover
from sapper.proofs.simple import simple_step
from sapper.proofs.steps import StepFinder
from sapper.sentences import CellRef, Piece, Sentence, joined
from sapper.sentences import named as as_text
from sapper.values import check_int, check_type
from sapper.wording import listed, percent

HINT_DETAILS: tuple[str, ...] = ("where to look", "which numbers", "what follows", "do it")

NOTHING_CERTAIN = "No covered cell is certainly free."

# So many moves of a step are proved to find the simplest; a position seldom has more at once.
MAX_PROOFS = 24


@dataclass(frozen=True)
class HintCandidate:
    """A cell that is worth weighing where one must guess."""

    cell: str
    risk: float
    values: tuple[tuple[int, float], ...] = ()
    """The numbers that it may show, each with its probability (degree 3)."""
    helps: float | None = None
    """The chance that, if it is free, something is certain afterwards (degree 3)."""


@dataclass(frozen=True)
class Hint:
    """What a player is told; a field that stands above the degree asked for is empty.

    `look` are the cells of the place to look at, or `uses_mine_count` says to look at that (degree 1);
    `numbers` are what the proof reads, `premises` what it takes as known, `difficulty` how hard it is (2);
    `moves` and `why` what follows (3); `play` the moves to make (4). Where nothing is certain,
    `risk` are those of the best guess, `look` is where the choice lies (1), `candidates` the cells
    to weigh (2) with what each would tell (3), `moves` and `why` the guess (4).
    `wrong_flag` says that it is about a flag that is certainly wrong; `simple` that there was no
    time for more than one or two numbers.
    """

    detail: int
    text: str
    certain: bool
    difficulty: str | None = None
    look: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    uses_mine_count: bool = False
    moves: tuple[str, ...] = ()
    why: str = ""
    play: tuple[str, ...] = ()
    risk: float | None = None
    premises: tuple[Premise, ...] = ()
    candidates: tuple[HintCandidate, ...] = ()
    wrong_flag: bool = False
    simple: bool = False
    sentence: Sentence = ()
    """The text again, for eyes on a board."""

    @property
    def level(self) -> int:
        """The degree, by an older name."""
        return self.detail


def check_detail(detail: int) -> int:
    """The degree, if there is such a one."""
    detail = check_int(detail, f"a degree of help from 1 to {len(HINT_DETAILS)}")
    if not 1 <= detail <= len(HINT_DETAILS):
        raise NotationError(
            f"expected a degree of help from 1 to {len(HINT_DETAILS)}, got {detail}"
        )
    return detail


def hint(
    position: Position,
    detail: int = 1,
    *,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
    level: int | None = None,
) -> Hint:
    """A hint of a degree from 1 (where to look) to 4 (do it); *level* is its older name.

    Raises Contradiction where the numbers cannot hold together, IllegalMove where no cell is left to
    reveal, and OutOfBudget where all of it together takes longer than *budget*.

    >>> position = Position.parse("1 # # / 1 # # / # # #".replace(" / ", chr(10)), mines=2)
    >>> for detail in (1, 2, 3):
    ...     print(hint(position, detail).text)
    Look around r2c1.
    Look at r1c1 and r2c1.
    r1c1 needs 1 and shares all its covered cells, r1c2 and r2c2, with r2c1, which needs no more, so
    r3c1 is free. The same numbers also give: reveal r3c2.
    """
    check_type(position, Position, "a position")
    detail = check_detail(detail if level is None else level)
    if not (position.marks < 0).any():
        raise IllegalMove("cannot help: every cell is revealed")
    limit = start_limit(budget, cancel)
    try:
        prover = Prover(position, limit)
        if proofs := _simplest(position, prover.analysis, limit):
            return _of_proofs(position, proofs, prover, detail)
    except OutOfBudget:
        # What one or two numbers give is there in a moment, and better than no help at all.
        if limit.cancelled or not (proofs := _few(simple_step(position))):
            raise
        return replace(_of_proofs(position, proofs, None, detail), simple=True)
    return _of_guess(position, prover, detail)


def _simplest(position: Position, analysis: Analysis, limit: Limit) -> list[Proof]:
    """The simplest proof of the simplest step, and those of other moves from the same numbers.

    A flag that is certainly wrong comes before anything else.
    """
    finder = StepFinder(position.without_flags(), limit=limit)
    sure_flags = [int(cell) for cell in analysis.certain_mine_cells if position.marks[cell] == FLAG]
    finder.known[sure_flags] = MINE
    wrong = [int(cell) for cell in analysis.safe_cells if position.marks[cell] == FLAG]
    if wrong:
        finder.known[single_number_mines(position)] = MINE
        return _proved(finder, wrong, limit)
    while (found := finder.moves()) is not None:
        difficulty, moves = found
        cells = np.flatnonzero(moves == SAFE)
        if not len(cells):
            # A player sees the mines that a single number gives; harder ones are worth a word.
            cells = np.flatnonzero(moves == MINE)
            if difficulty == DIFFICULTIES.names[0]:
                finder.known[cells] = MINE
                continue
        return _proved(finder, cells.tolist(), limit)
    return []


def _proved(finder: StepFinder, cells: list[int], limit: Limit) -> list[Proof]:
    """The simplest of the proofs of some moves, given what is known, and its companions."""
    marks = finder.position.with_marks(dict.fromkeys(_mines(finder), FLAG))
    prover = Prover(marks, limit, trust_flags=True)
    return _few([prover.proof(cell) for cell in cells[:MAX_PROOFS]])


def _few(proofs: list[Proof]) -> list[Proof]:
    """The simplest proof, and those of other moves from the same numbers."""
    if not proofs:
        return []
    best = min(proofs, key=lambda p: (p.uses_mine_count, len(p.number_cells)))
    return [best] + [p for p in proofs if p is not best and p.number_cells == best.number_cells]


def _mines(finder: StepFinder) -> list[int]:
    return [int(cell) for cell in np.flatnonzero(finder.known == MINE)]


def _of_proofs(position: Position, proofs: list[Proof], prover: Prover | None, detail: int) -> Hint:
    best, board = proofs[0], position.board
    moves = [(_action(position, proof), proof.move.cell) for proof in proofs]
    named = tuple(f"{action} {board.name(cell)}" for action, cell in moves if cell is not None)
    wrong = _action(position, best) == "unflag"
    sentence = [*_opening(wrong), *_told(best, proofs, named, detail)]
    if detail >= 3 and wrong:
        sentence.append(" Its flag is wrong.")
    if detail >= 4:
        sentence.append(CellRef((), f" Do: {', '.join(named)}.", ""))
    near = () if best.uses_mine_count else (_centre(best), *map(int, board.around(_centre(best))))
    return Hint(
        detail,
        as_text(sentence),
        certain=True,
        difficulty=best.difficulty if detail >= 2 else None,
        look=position.names(sorted(near)),
        numbers=best.numbers if detail >= 2 else (),
        uses_mine_count=best.uses_mine_count,
        moves=named if detail >= 3 else (),
        why=best.text if detail >= 3 else "",
        play=named if detail >= 4 else (),
        premises=premises_of(position, best, prover) if detail >= 2 else (),
        wrong_flag=wrong,
        sentence=tuple(sentence),
    )


def _opening(wrong: bool) -> list[Piece]:
    return ["A flag is wrong. "] if wrong else []


def _told(best: Proof, proofs: list[Proof], named: tuple[str, ...], detail: int) -> list[Piece]:
    """Where to look, which numbers, or what follows."""
    board = best.position.board
    if detail == 1 and best.uses_mine_count:
        return ["Look at the mine count."]
    if detail == 1:
        centre = _centre(best)
        near = (centre, *map(int, board.around(centre)))
        return [CellRef(near, f"Look around {board.name(centre)}.", "Look at the shaded cells.")]
    if detail == 2:
        return ["Look at ", *_evidence(best), "."]
    return [*best.sentence, *_others(proofs, named)]


def _of_guess(position: Position, prover: Prover, detail: int) -> Hint:
    # Mines that single numbers give are silently known; nobody may be sent onto one.
    open_covered = (position.marks == COVERED) & (prover.certain != MINE)
    risks = np.where(open_covered, prover.analysis.probability, np.nan)
    if not open_covered.any():
        doubt = ((position.marks == FLAG) & (prover.certain != MINE)).any()
        text = "No covered cell is left to reveal" + (
            "; but a flag may be wrong." if doubt else "."
        )
        return Hint(detail, text, certain=False, sentence=(text,))
    if np.isnan(risks).all():
        text = f"{NOTHING_CERTAIN} There are no probabilities to guess by."
        return Hint(detail, text, certain=False, sentence=(text,))
    cell = int(tied_for_least(risks)[0])
    risk, move = float(risks[cell]), (f"reveal {position.board.name(cell)}",)
    named: list[Piece] = [": reveal ", at(position, cell)] if detail >= 4 else []
    sentence = (*risk_told(risk), *named, ".")
    return Hint(
        detail,
        as_text(sentence),
        certain=False,
        moves=move if detail >= 4 else (),
        play=move if detail >= 4 else (),
        risk=risk,
        sentence=sentence,
    )


def risk_told(risk: float) -> list[Piece]:
    """How a guess begins, whatever the degree."""
    return [f"{NOTHING_CERTAIN} The best guess is a mine with probabilities of {percent(risk)}"]


def at(position: Position, cell: int) -> CellRef:
    """The cell of a guess."""
    return CellRef((cell,), position.board.name(cell), "the marked cell")


def _centre(proof: Proof) -> int:
    """Where to point somebody who should find the rest alone: a number of the proof at the cell."""
    near = set(map(int, proof.position.board.around(proof.move.cell or 0)))
    return next((number for number in proof.number_cells if number in near), proof.move.cell or 0)


def _evidence(proof: Proof) -> list[Piece]:
    if len(proof.numbers) > MAX_NUMBERS:
        names = listed(proof.numbers, MAX_NUMBERS)
        row: list[Piece] = [CellRef(proof.number_cells, names, "the outlined numbers")]
    else:
        position, numbers = proof.position, proof.number_cells
        row = joined(
            [CellRef((h,), position.board.name(h), outlined(position, numbers, h)) for h in numbers]
        )
    if proof.uses_mine_count:
        row += [*([" and "] if row else []), "the mine count"]
    return row


def _action(position: Position, proof: Proof) -> str:
    """The move of a proof in the game: a flag on a free cell comes off first."""
    assert proof.move.cell is not None
    flagged = position.marks[proof.move.cell] == FLAG
    return "unflag" if flagged and proof.move.action == "reveal" else proof.move.action


def _others(proofs: list[Proof], named: tuple[str, ...]) -> list[Piece]:
    if len(proofs) == 1:
        return []
    cells = tuple(proof.move.cell for proof in proofs[1:] if proof.move.cell is not None)
    source = "same numbers" if proofs[0].numbers else "mine count"
    verb = "give" if proofs[0].numbers else "gives"
    other = "the other marked cell" + ("" if len(cells) == 1 else "s")
    marked = CellRef(cells, f": {', '.join(named[1:])}", f" {other}")
    return [f" The {source} also {verb}", marked, "."]
