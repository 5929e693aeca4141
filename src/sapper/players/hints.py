"""Hints: the simplest certain step, or else the best guess.

A hint about a guess has four details too: where the candidates are, which cells to compare, what
each of them may show, and which one to reveal and why.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.analysis import Analysis, analyse, tied_for_least
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.tracked import TrackedPosition
from sapper.errors import IllegalMove, OutOfBudget
from sapper.kernels.ties import quantise
from sapper.players.guess import Guess, least_risk, letter
from sapper.players.reasons import (
    chance_of_progress,
    describe_facts,
    is_last_safe_cell,
)
from sapper.players.shrewd import default_guesser
from sapper.proofs.hints import Hint, HintCandidate, certain_hint, check_detail
from sapper.sentences import CellRef, Piece, Sentence, joined
from sapper.values import check_type
from sapper.wording import listed, percent

# Cells that a hint asks the user to compare, at most.
MAX_COMPARED_CELLS = 4
# Values of a candidate that are named, the most probable first.
MAX_VALUES = 3

NOTHING_CERTAIN = "Nothing is certain."


def hint(
    position: Position,
    detail: int = 1,
    *,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Hint:
    """Return a hint with a detail from 1 (where to look) to 4 (do it).

    If nothing is certain, the hint is about the guess of `shrewd` (of `thoughtful` on boards
    without a network).

    Raises Contradiction if the position has no solution, IllegalMove if every cell is revealed, and
    OutOfBudget beyond *budget*.

    >>> position = Position.parse("1 # # / 1 # # / # # #".replace(" / ", chr(10)), mines=2)
    >>> for detail in (1, 2, 3):
    ...     print(hint(position, detail).text)
    Look around r2c1.
    Look at r1c1 and r2c1.
    r1c1 needs 1, and all its covered cells, r1c2 and r2c2, touch r2c1, which needs no more. So
    r3c1 is safe. The same numbers also give: reveal r3c2.
    >>> print(hint(Position.parse("# 1 # # #", mines=2), 4).text)
    Nothing is certain. Best guess: reveal r1c3, 50% risk; wins as often as r1c4 (50%).
    """
    check_type(position, Position, "a position")
    detail = check_detail(detail)
    if not (position.marks < 0).any():
        raise IllegalMove("no hint: every cell is revealed")
    limit = start_limit(budget, cancel)
    return certain_hint(position, detail, limit) or _guess_hint(position, detail, limit)


def _guess_hint(position: Position, detail: int, limit: Limit) -> Hint:
    """Return a hint for a position in which nothing is certain but flagged or obvious mines."""
    analysis = analyse(position, budget=limit)
    is_mine = np.zeros(len(position.board), dtype=bool)
    is_mine[analysis.certain_mine_cells] = True
    candidates = (position.marks == COVERED) & ~is_mine
    if not candidates.any():
        has_unproved_flag = ((position.marks == FLAG) & ~is_mine).any()
        end = "; but a flag may be wrong." if has_unproved_flag else "."
        text = f"No covered cell is left to reveal{end}"
        return Hint(position, detail, certain=False, sentence=(text,))
    risks = np.where(candidates, analysis.probability_array, np.nan)
    if np.isnan(risks).all():
        text = f"{NOTHING_CERTAIN} Without a mine count, the probabilities are unknown."
        return Hint(position, detail, certain=False, sentence=(text,))
    guess = best_guess(analysis, limit) if position.mines is not None else None
    if guess is not None and guess.risk is not None and position.marks[guess.cell] != FLAG:
        return _hint_about_guess(position, guess, analysis, detail, limit)
    cell = int(tied_for_least(risks)[0])
    risk = float(risks[cell])
    sentence = _best_guess_text(cell, risk) if detail == 4 else _least_risk_text(risk)
    moves = (Move("reveal", cell),) if detail == 4 else ()
    return Hint(position, detail, certain=False, sentence=tuple(sentence), moves=moves, risk=risk)


def best_guess(analysis: Analysis, limit: Limit) -> Guess | None:
    """Return the guess of `shrewd`, or of `thoughtful` on boards without a network.

    None if a cell is safe or only certain mines are covered. If the limit expires, the cell of
    least risk.
    """
    position = analysis.position
    seen = position if analysis.trust_flags else position.without_flags()
    mines = dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG)
    marked = seen.with_marks(mines)
    if len(analysis.safe_cells) or not len(marked.covered):
        return None
    try:
        return default_guesser(marked.board).guess(marked, limit)
    except OutOfBudget:
        if limit.cancelled:
            raise
        return least_risk(marked, analysis.probability_array)


def _hint_about_guess(
    position: Position, guess: Guess, analysis: Analysis, detail: int, limit: Limit
) -> Hint:
    assert guess.risk is not None
    cells = _cells_to_compare(position, guess)
    near = sorted({c for cell in cells for c in (cell, *map(int, position.board.around(cell)))})
    candidates: tuple[HintCandidate, ...] = ()
    if detail >= 2:
        # Sorted, so that the order does not reveal which one is the best.
        candidates = _candidates(position, sorted(cells), analysis, detail, limit)
    reason: Sentence = ()
    if detail == 4:
        reason = describe_facts(guess.facts, [candidate.cell for candidate in candidates])
        sentence = _best_guess_text(guess.cell, guess.risk, reason)
    elif detail == 1:
        where = f"Compare cells {_places_text(position, cells)}."
        ref = CellRef(tuple(near), "Compare the cells in the ring.", (where,))
        sentence = [*_least_risk_text(guess.risk), " ", ref]
    else:
        sentence = [f"{NOTHING_CERTAIN} ", *_comparison_text(candidates, detail)]
    return Hint(
        position,
        detail,
        certain=False,
        sentence=tuple(sentence),
        look_cells=tuple(near),
        candidates=candidates,
        moves=(Move("reveal", guess.cell),) if detail == 4 else (),
        risk=guess.risk,
        reason=reason,
    )


def _least_risk_text(risk: float) -> list[Piece]:
    return [f"{NOTHING_CERTAIN} The best guess has {percent(risk)} risk."]


def _best_guess_text(cell: int, risk: float, reason: Sentence = ()) -> list[Piece]:
    ending: list[Piece] = ["; ", *reason] if reason else []
    ref = CellRef((cell,), "the marked cell")
    return [f"{NOTHING_CERTAIN} Best guess: reveal ", ref, f", {percent(risk)} risk", *ending, "."]


def _cells_to_compare(position: Position, guess: Guess) -> list[int]:
    """Return the guess, and the other candidates of the player that are not flagged."""
    cells = [guess.cell, *(candidate.cell for candidate in guess.candidates)]
    unflagged = [cell for cell in dict.fromkeys(cells) if position.marks[cell] != FLAG]
    return unflagged[:MAX_COMPARED_CELLS]


def _candidates(
    position: Position, cells: Sequence[int], analysis: Analysis, detail: int, limit: Limit
) -> tuple[HintCandidate, ...]:
    """Return the cells with their risks; from detail 3 on with the values that they may show."""
    risks = {cell: float(analysis.probability_array[cell]) for cell in cells}
    if detail < 3:
        return tuple(HintCandidate(cell, risk) for cell, risk in risks.items())
    tracked = TrackedPosition(position.without_flags(), budget=limit)
    wins = is_last_safe_cell(position)
    candidates = []
    for cell, risk in risks.items():
        values = tuple((analysis.values(cell, budget=limit) or {}).items())
        progress = chance_of_progress(analysis, tracked, cell, limit) / (1 - risk)
        candidates.append(HintCandidate(cell, risk, values, progress, wins))
    return tuple(candidates)


def _comparison_text(candidates: tuple[HintCandidate, ...], detail: int) -> list[Piece]:
    """Name the candidates with their risks; from detail 3 on with the values they may show."""
    refs = []
    for i, candidate in enumerate(candidates):
        cell, risk = candidate.cell, f" ({percent(candidate.risk)} risk)"
        refs.append(CellRef((cell,), f"{letter(i)}{risk}", (cell, risk)))
    if detail == 2:
        return ["Compare ", *joined(refs), "."]
    pieces: list[Piece] = []
    for ref, candidate in zip(refs, candidates, strict=True):
        if pieces:
            pieces.append(" ")
        pieces += [ref, f": {_value_text(candidate)}."]
    return pieces


def _value_text(candidate: HintCandidate) -> str:
    """Say what a candidate may show if it is safe, and whether that helps."""
    if candidate.wins:
        return "if safe, the game is won"
    likely = sorted(candidate.values, key=lambda row: (-quantise(row[1]), row[0]))[:MAX_VALUES]
    shares = [(value, quantise(p / (1 - candidate.risk))) for value, p in likely]
    shows = listed([f"{value} ({percent(share)})" for value, share in shares])
    progress = quantise(candidate.progress or 0.0)
    follows = {0.0: "no cell is safe", 1.0: "another cell is always safe"}.get(
        progress, f"another cell is safe in {percent(progress)} of cases"
    )
    return f"if safe it shows {shows}, and then {follows}"


def _places_text(position: Position, cells: list[int]) -> str:
    """Say where some covered cells are, without naming them."""
    frontier = set(position.frontier.tolist())
    sides = {"next to numbers" if cell in frontier else "away from numbers" for cell in cells}
    return " and ".join(sorted(sides, reverse=True))
