"""Help by degrees for a player who is stuck: where to look, which hints, what follows, do it.

Each degree tells what the one before tells, and one thing more; never more than was asked for.
A nudge is about the simplest step there is. Mines count as known where they are flagged and
certain, or where a single hint gives them: each that the step uses is told with its own reason.
A flag that is certainly wrong comes first. Where the engine runs out of its budget, what one or
two hints give is still told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sapper.errors import IllegalMove, NotationError, OutOfBudget
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.analysis import Analysis
from sapper.infer.odds.ties import tied_for_least
from sapper.infer.proofs.argument import MOST_HINTS, outlined
from sapper.infer.proofs.follows import Follow, follows_of, mines_of_one
from sapper.infer.proofs.looking import simple_step
from sapper.infer.proofs.prove import Proof, Prover
from sapper.infer.proofs.sentences import Piece, Point, Sentence, joined
from sapper.infer.proofs.sentences import named as as_text
from sapper.kernels.codes import FREE, MINE
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.percent import percent
from sapper.values import need, whole
from sapper.wording import listed

DEGREES: tuple[str, ...] = ("where to look", "which hints", "what follows", "do it")

NOTHING_CERTAIN = "No blank is certainly free."

# So many moves of a step are proved to find the simplest; a frame seldom has more at once.
MOST_PROOFS = 24


@dataclass(frozen=True)
class Weighing:
    """A cell that is worth weighing where one must guess."""

    cell: str
    risk: float
    numbers: tuple[tuple[int, float], ...] = ()
    """The numbers that it may show, each with its probability (degree 3)."""
    helps: float | None = None
    """The chance that, if it is free, something is certain afterwards (degree 3)."""


@dataclass(frozen=True)
class Nudge:
    """What a player is told; a field that stands above the degree asked for is empty.

    `look` are the cells of the place to look at, or `mine_count` says to look at that (degree 1);
    `hints` are what the proof reads, `follows` what it takes as known, `rung` how hard it is (2);
    `moves` and `why` what follows (3); `play` the moves to make (4). Where nothing is certain,
    `odds` are those of the best guess, `look` is where the choice lies (1), `candidates` the cells
    to weigh (2) with what each would tell (3), `moves` and `why` the guess (4).
    `wrong_flag` says that it is about a flag that is certainly wrong; `simple` that there was no
    time for more than one or two hints.
    """

    degree: int
    text: str
    certain: bool
    rung: str | None = None
    look: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    mine_count: bool = False
    moves: tuple[str, ...] = ()
    why: str = ""
    play: tuple[str, ...] = ()
    odds: float | None = None
    follows: tuple[Follow, ...] = ()
    candidates: tuple[Weighing, ...] = ()
    wrong_flag: bool = False
    simple: bool = False
    sentence: Sentence = ()
    """The text again, for eyes on a board."""

    @property
    def level(self) -> int:
        """The degree, by an older name."""
        return self.degree


def check_degree(degree: int) -> int:
    """The degree, if there is such a one."""
    degree = whole(degree, f"a degree of help from 1 to {len(DEGREES)}")
    if not 1 <= degree <= len(DEGREES):
        raise NotationError(f"expected a degree of help from 1 to {len(DEGREES)}, got {degree}")
    return degree


def nudge(
    frame: Frame,
    degree: int = 1,
    *,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
    level: int | None = None,
) -> Nudge:
    """A nudge of a degree from 1 (where to look) to 4 (do it); *level* is its older name.

    Raises Contradiction where the hints cannot hold together, IllegalMove where no cell is left to
    reveal, and OutOfBudget where all of it together takes longer than *budget*.

    >>> frame = Frame.parse("1 # # / 1 # # / # # #".replace(" / ", chr(10)), mines=2)
    >>> for degree in (1, 2, 3):
    ...     print(nudge(frame, degree).text)
    Look around r2c1.
    Look at r1c1 and r2c1.
    r1c1 needs 1 and shares all its blanks, r1c2 and r2c2, with r2c1, which needs no more, so
    r3c1 is free. The same hints also give: reveal r3c2.
    """
    need(frame, Frame, "a frame")
    degree = check_degree(degree if level is None else level)
    if not (frame.marks < 0).any():
        raise IllegalMove("cannot help: every cell is revealed")
    limit = started(budget, cancel)
    try:
        prover = Prover(frame, limit)
        if proofs := _simplest(frame, prover.analysis, limit):
            return _of_proofs(frame, proofs, prover, degree)
    except OutOfBudget:
        # What one or two hints give is there in a moment, and better than no help at all.
        if limit.cancelled or not (proofs := _few(simple_step(frame))):
            raise
        return replace(_of_proofs(frame, proofs, None, degree), simple=True)
    return _of_guess(frame, prover, degree)


def _simplest(frame: Frame, analysis: Analysis, limit: Limit) -> list[Proof]:
    """The simplest proof of the simplest step, and those of other moves from the same hints.

    A flag that is certainly wrong comes before anything else.
    """
    climb = Climb(frame.without_flags(), limit=limit)
    sure_flags = [int(cell) for cell in analysis.flag_cells if frame.marks[cell] == FLAG]
    climb.known[sure_flags] = MINE
    wrong = [int(cell) for cell in analysis.reveal_cells if frame.marks[cell] == FLAG]
    if wrong:
        climb.known[mines_of_one(frame)] = MINE
        return _proved(climb, wrong, limit)
    while (found := climb.moves()) is not None:
        rung, moves = found
        cells = np.flatnonzero(moves == FREE)
        if not len(cells):
            # A player sees the mines that a single hint gives; harder ones are worth a word.
            cells = np.flatnonzero(moves == MINE)
            if rung == RUNGS[0].name:
                climb.known[cells] = MINE
                continue
        return _proved(climb, cells.tolist(), limit)
    return []


def _proved(climb: Climb, cells: list[int], limit: Limit) -> list[Proof]:
    """The simplest of the proofs of some moves, given what is known, and its companions."""
    marks = climb.frame.with_marks(dict.fromkeys(_mines(climb), FLAG))
    prover = Prover(marks, limit, trust_flags=True)
    return _few([prover.proof(cell) for cell in cells[:MOST_PROOFS]])


def _few(proofs: list[Proof]) -> list[Proof]:
    """The simplest proof, and those of other moves from the same hints."""
    if not proofs:
        return []
    best = min(proofs, key=lambda p: (p.mine_count, len(p.hint_cells)))
    return [best] + [p for p in proofs if p is not best and p.hint_cells == best.hint_cells]


def _mines(climb: Climb) -> list[int]:
    return [int(cell) for cell in np.flatnonzero(climb.known == MINE)]


def _of_proofs(frame: Frame, proofs: list[Proof], prover: Prover | None, degree: int) -> Nudge:
    best, board = proofs[0], frame.board
    moves = [(_action(frame, proof), proof.move.cell) for proof in proofs]
    named = tuple(f"{action} {board.name(cell)}" for action, cell in moves if cell is not None)
    wrong = _action(frame, best) == "unflag"
    sentence = [*_opening(wrong), *_told(best, proofs, named, degree)]
    if degree >= 3 and wrong:
        sentence.append(" Its flag is wrong.")
    if degree >= 4:
        sentence.append(Point((), f" Do: {', '.join(named)}.", ""))
    near = () if best.mine_count else (_centre(best), *map(int, board.around(_centre(best))))
    return Nudge(
        degree,
        as_text(sentence),
        certain=True,
        rung=best.rung if degree >= 2 else None,
        look=frame.names(sorted(near)),
        hints=best.hints if degree >= 2 else (),
        mine_count=best.mine_count,
        moves=named if degree >= 3 else (),
        why=best.text if degree >= 3 else "",
        play=named if degree >= 4 else (),
        follows=follows_of(frame, best, prover) if degree >= 2 else (),
        wrong_flag=wrong,
        sentence=tuple(sentence),
    )


def _opening(wrong: bool) -> list[Piece]:
    return ["A flag is wrong. "] if wrong else []


def _told(best: Proof, proofs: list[Proof], named: tuple[str, ...], degree: int) -> list[Piece]:
    """Where to look, which hints, or what follows."""
    board = best.frame.board
    if degree == 1 and best.mine_count:
        return ["Look at the mine count."]
    if degree == 1:
        centre = _centre(best)
        near = (centre, *map(int, board.around(centre)))
        return [Point(near, f"Look around {board.name(centre)}.", "Look at the shaded cells.")]
    if degree == 2:
        return ["Look at ", *_evidence(best), "."]
    return [*best.sentence, *_others(proofs, named)]


def _of_guess(frame: Frame, prover: Prover, degree: int) -> Nudge:
    # Mines that single hints give are silently known; nobody may be sent onto one.
    open_blanks = (frame.marks == BLANK) & (prover.certain != MINE)
    odds = np.where(open_blanks, prover.analysis.probability, np.nan)
    if not open_blanks.any():
        doubt = ((frame.marks == FLAG) & (prover.certain != MINE)).any()
        text = "No blank is left to reveal" + ("; but a flag may be wrong." if doubt else ".")
        return Nudge(degree, text, certain=False, sentence=(text,))
    if np.isnan(odds).all():
        text = f"{NOTHING_CERTAIN} There are no odds to guess by."
        return Nudge(degree, text, certain=False, sentence=(text,))
    cell = int(tied_for_least(odds)[0])
    risk, move = float(odds[cell]), (f"reveal {frame.board.name(cell)}",)
    named: list[Piece] = [": reveal ", at(frame, cell)] if degree >= 4 else []
    sentence = (*risk_told(risk), *named, ".")
    return Nudge(
        degree,
        as_text(sentence),
        certain=False,
        moves=move if degree >= 4 else (),
        play=move if degree >= 4 else (),
        odds=risk,
        sentence=sentence,
    )


def risk_told(risk: float) -> list[Piece]:
    """How a guess begins, whatever the degree."""
    return [f"{NOTHING_CERTAIN} The best guess is a mine with odds of {percent(risk)}"]


def at(frame: Frame, cell: int) -> Point:
    """The cell of a guess."""
    return Point((cell,), frame.board.name(cell), "the marked cell")


def _centre(proof: Proof) -> int:
    """Where to point somebody who should find the rest alone: a hint of the proof at the cell."""
    near = set(map(int, proof.frame.board.around(proof.move.cell or 0)))
    return next((hint for hint in proof.hint_cells if hint in near), proof.move.cell or 0)


def _evidence(proof: Proof) -> list[Piece]:
    if len(proof.hints) > MOST_HINTS:
        names = listed(proof.hints, MOST_HINTS)
        row: list[Piece] = [Point(proof.hint_cells, names, "the outlined hints")]
    else:
        frame, hints = proof.frame, proof.hint_cells
        row = joined([Point((h,), frame.board.name(h), outlined(frame, hints, h)) for h in hints])
    if proof.mine_count:
        row += [*([" and "] if row else []), "the mine count"]
    return row


def _action(frame: Frame, proof: Proof) -> str:
    """The move of a proof in the game: a flag on a free cell comes off first."""
    assert proof.move.cell is not None
    flagged = frame.marks[proof.move.cell] == FLAG
    return "unflag" if flagged and proof.move.action == "reveal" else proof.move.action


def _others(proofs: list[Proof], named: tuple[str, ...]) -> list[Piece]:
    if len(proofs) == 1:
        return []
    cells = tuple(proof.move.cell for proof in proofs[1:] if proof.move.cell is not None)
    source = "same hints" if proofs[0].hints else "mine count"
    verb = "give" if proofs[0].hints else "gives"
    other = "the other marked cell" + ("" if len(cells) == 1 else "s")
    marked = Point(cells, f": {', '.join(named[1:])}", f" {other}")
    return [f" The {source} also {verb}", marked, "."]
