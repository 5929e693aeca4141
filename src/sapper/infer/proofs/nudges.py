"""Help by degrees for a player who is stuck: where to look, which hints, what follows, do it.

Each degree tells what the one before tells, and one thing more; never more than was asked for.
A nudge is about the simplest step there is. Mines count as known where they are flagged and
certain, or where a single hint gives them; a flag that is certainly wrong is a step of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.errors import IllegalMove, NotationError
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.analysis import Analysis
from sapper.infer.odds.ties import tied_for_least
from sapper.infer.proofs import words
from sapper.infer.proofs.prove import Proof, Prover
from sapper.kernels.codes import FREE, MINE
from sapper.model.frame import BLANK, FLAG, Frame
from sapper.percent import percent
from sapper.values import need, whole

DEGREES: tuple[str, ...] = ("where to look", "which hints", "what follows", "do it")

# So many moves of a step are proved to find the simplest; a frame seldom has more at once.
MOST_PROOFS = 24


@dataclass(frozen=True)
class Nudge:
    """What a player is told; a field that stands above the degree asked for is empty.

    `look` are the cells of the place to look at, or `mine_count` says to look at that (degree 1);
    `hints` are what the proof reads, `rung` how hard it is (2); `moves` and `why` what follows (3);
    `play` the moves to make (4). Where nothing is certain, `odds` are those of the best guess.
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
    prover = Prover(frame, limit)
    proofs = _simplest(frame, prover.analysis, limit)
    return _of_proofs(frame, proofs, degree) if proofs else _of_guess(frame, prover, degree)


def _simplest(frame: Frame, analysis: Analysis, limit: Limit) -> list[Proof]:
    """The simplest proof of the simplest step, and those of other moves from the same hints."""
    climb = Climb(frame.without_flags(), limit=limit)
    sure_flags = [int(cell) for cell in analysis.flag_cells if frame.marks[cell] == FLAG]
    climb.known[sure_flags] = MINE
    while (found := climb.moves()) is not None:
        rung, moves = found
        cells = np.flatnonzero(moves == FREE)
        if not len(cells):
            # A player sees the mines that a single hint gives; harder ones are worth a word.
            cells = np.flatnonzero(moves == MINE)
            if rung == RUNGS[0].name:
                climb.known[cells] = MINE
                continue
        marks = climb.frame.with_marks(dict.fromkeys(_mines(climb), FLAG))
        prover = Prover(marks, limit, trust_flags=True)
        proofs = [prover.proof(int(cell)) for cell in cells[:MOST_PROOFS]]
        best = min(proofs, key=lambda p: (p.mine_count, len(p.hint_cells)))
        return [best] + [p for p in proofs if p is not best and p.hint_cells == best.hint_cells]
    return []


def _mines(climb: Climb) -> list[int]:
    return [int(cell) for cell in np.flatnonzero(climb.known == MINE)]


def _of_proofs(frame: Frame, proofs: list[Proof], degree: int) -> Nudge:
    best, board = proofs[0], frame.board
    moves = [(_action(frame, proof), proof.move.cell) for proof in proofs]
    named = tuple(f"{action} {board.name(cell)}" for action, cell in moves if cell is not None)
    assert best.move.cell is not None
    centre = _centre(best)
    texts = {
        1: "Look at the mine count." if best.mine_count else f"Look around {board.name(centre)}.",
        2: f"Look at {_evidence(best)}.",
        3: best.text + _others(proofs, named) + _wrong_flag(frame, best),
    }
    texts[4] = f"{texts[3]} Do: {', '.join(named)}."
    near = () if best.mine_count else (centre, *map(int, board.around(centre)))
    return Nudge(
        degree,
        texts[degree],
        certain=True,
        rung=best.rung if degree >= 2 else None,
        look=frame.names(sorted(near)),
        hints=best.hints if degree >= 2 else (),
        mine_count=best.mine_count,
        moves=named if degree >= 3 else (),
        why=best.text if degree >= 3 else "",
        play=named if degree >= 4 else (),
    )


def _of_guess(frame: Frame, prover: Prover, degree: int) -> Nudge:
    # Mines that single hints give are silently known; nobody may be sent onto one.
    open_blanks = (frame.marks == BLANK) & (prover.certain != MINE)
    odds = np.where(open_blanks, prover.analysis.probability, np.nan)
    nothing = "No blank is certainly free."
    if not open_blanks.any():
        doubt = ((frame.marks == FLAG) & (prover.certain != MINE)).any()
        text = "No blank is left to reveal" + ("; but a flag may be wrong." if doubt else ".")
        return Nudge(degree, text, certain=False)
    if np.isnan(odds).all():
        return Nudge(degree, f"{nothing} There are no odds to guess by.", certain=False)
    cell = int(tied_for_least(odds)[0])
    risk, name = float(odds[cell]), frame.board.name(cell)
    text = f"{nothing} The best guess is a mine with odds of {percent(risk)}"
    text += f": reveal {name}." if degree >= 3 else "."
    move = (f"reveal {name}",)
    return Nudge(
        degree,
        text,
        certain=False,
        moves=move if degree >= 3 else (),
        play=move if degree >= 4 else (),
        odds=risk,
    )


def _centre(proof: Proof) -> int:
    """Where to point somebody who should find the rest alone: a hint of the proof at the cell."""
    near = set(map(int, proof.frame.board.around(proof.move.cell or 0)))
    return next((hint for hint in proof.hint_cells if hint in near), proof.move.cell or 0)


def _evidence(proof: Proof) -> str:
    hints = words.listed(proof.hints, 12) if proof.hints else ""
    count = "the mine count" if proof.mine_count else ""
    return " and ".join(filter(None, [hints, count]))


def _action(frame: Frame, proof: Proof) -> str:
    """The move of a proof in the game: a flag on a free cell comes off first."""
    assert proof.move.cell is not None
    flagged = frame.marks[proof.move.cell] == FLAG
    return "unflag" if flagged and proof.move.action == "reveal" else proof.move.action


def _others(proofs: list[Proof], named: tuple[str, ...]) -> str:
    if len(proofs) == 1:
        return ""
    source = "same hints" if proofs[0].hints else "mine count"
    verb = "give" if proofs[0].hints else "gives"
    return f" The {source} also {verb}: {', '.join(named[1:])}."


def _wrong_flag(frame: Frame, proof: Proof) -> str:
    return " Its flag is wrong." if _action(frame, proof) == "unflag" else ""
