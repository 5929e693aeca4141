"""Why a guess is good: facts that can be checked, and the sentence that states them.

A fact compares the guess with other cells by exact risks, by exact chances of what it shows, or by
win chances. These are exact where the end game was searched and have an error where they come from
samples. If none of these favours the guess, the fact is the player's own estimate. A superlative
is about all covered cells, or says how many cells were compared.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isnan

import numpy as np

from sapper.board.position import COVERED, Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Limit
from sapper.engine.tracked import TrackedPosition
from sapper.errors import OutOfBudget
from sapper.kernels.ties import quantise
from sapper.players.endgame import endgame
from sapper.players.guess import (
    MAX_CANDIDATES,
    Candidate,
    Guess,
    GuessFact,
    candidate_ref,
)
from sapper.sentences import Piece, Sentence, joined
from sapper.wording import percent

# Sets of solutions that the search for exact win chances may visit.
MAX_NODES = 20_000
CLEAR_STANDARD_ERRORS = 2.0
"""Standard errors beyond which a difference between two win chances is clear."""
SMALL_RISK_DIFFERENCE = 0.05
"""A risk that is higher by less than this is a little higher."""


@dataclass(frozen=True)
class ComparedMove:
    """A candidate with its win chance."""

    cell: int
    risk: float
    win_chance: float
    behind: float
    """The win chance of the best candidate minus this one."""
    error: float
    """The standard error of `behind`."""
    exact: bool = False

    @property
    def is_tied(self) -> bool:
        """Whether it is not clearly behind the best candidate."""
        return quantise(self.behind - CLEAR_STANDARD_ERRORS * self.error) <= 0


def with_reason(guess: Guess, *facts: GuessFact) -> Guess:
    """Return a guess with the facts that are its reason, and the sentence that states them."""
    cells = [candidate.cell for candidate in guess.candidates]
    return replace(guess, facts=facts, explanation=describe_facts(facts, cells))


def explain_solved(position: Position, guess: Guess, limit: Limit) -> Guess:
    """Return a guess of perfect play with the exact win chances of all candidates, and its reason.

    If these take too long, only that of the guess is known.
    """
    try:
        analysis = analyse(position, trust_flags=True, budget=limit)
        solved = endgame(position, trust_flags=True, nodes=MAX_NODES, budget=limit)
        chances = solved.win_chances(limit)
    except OutOfBudget:
        if limit.cancelled:
            raise
        assert guess.value is not None
        return with_reason(guess, GuessFact("perfect", own=float(guess.value)))
    order = sorted(chances, key=lambda cell: (-chances[cell], analysis.probabilities[cell], cell))
    cells = [guess.cell, *(cell for cell in order if cell != guess.cell)]
    guess = replace(guess, candidates=_solved_candidates(cells, chances, analysis))
    partner = fifty_fifty_with(analysis, guess.cell, limit)
    if partner is not None:
        return with_reason(guess, GuessFact("fifty_fifty", (partner,)))
    best = max(chances.values())
    rows = [
        ComparedMove(cell, _risk(analysis, cell), float(chance), float(best - chance), 0.0, True)
        for cell in order
        for chance in (chances[cell],)
    ]
    return with_reason(guess, *win_facts(guess.cell, rows, are_all=True))


def _solved_candidates(
    cells: list[int], chances: Mapping[int, Fraction], analysis: Analysis
) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(cell, _risk(analysis, cell), value=chances[cell])
        for cell in cells[:MAX_CANDIDATES]
    )


def win_facts(cell: int, rows: Sequence[ComparedMove], *, are_all: bool) -> tuple[GuessFact, ...]:
    """Return what win chances say about a cell among several compared ones, the best first.

    A fact about all of them says how many they are, unless they are all cells that may be safe.
    """
    best, own = rows[0], next(row for row in rows if row.cell == cell)
    compared = 0 if are_all else len(rows)
    if not own.is_tied:
        return (GuessFact("behind", (best.cell,), own.win_chance, best.win_chance),)
    others = [row for row in rows if row is not own]
    tied = tuple(row.cell for row in others if row.is_tied)
    safest = min(rows, key=lambda row: (quantise(row.risk), row is not own))
    is_safer = all(quantise(own.risk) < quantise(row.risk) for row in others)
    kind = "equal" if best.exact else "about_equal"
    if tied and (safest is own or safest.cell in tied):
        kind = f"all_{kind}" if len(tied) == len(others) else kind
        safety = (GuessFact("is_safest", compared=compared),) if is_safer else ()
        return GuessFact(kind, tied, own.win_chance, compared=compared), *safety
    if safest is own:
        wins_most = GuessFact("wins_most", own=own.win_chance, compared=compared)
        return GuessFact("safest", compared=compared), wins_most
    riskier = GuessFact("riskier", (safest.cell,), own.risk, safest.risk)
    wins_more = GuessFact("wins_more", (safest.cell,), own.win_chance, safest.win_chance)
    return riskier, wins_more, *((GuessFact("as_good", tied),) if tied else ())


def are_all_cells(analysis: Analysis, cells: Collection[int]) -> bool:
    """Return whether no other covered cell may be safe."""
    may_be_safe = (analysis.position.marks == COVERED) & ~(analysis.probability_array == 1.0)
    may_be_safe[list(cells)] = False
    return not may_be_safe.any()


def explain_least_risk(guess: Guess, analysis: Analysis, limit: Limit) -> Guess:
    """Return a guess of least risk, with its reason if nothing can tell two cells apart."""
    try:
        partner = fifty_fifty_with(analysis, guess.cell, limit)
    except OutOfBudget:
        if limit.cancelled:
            raise
        return guess
    return guess if partner is None else with_reason(guess, GuessFact("fifty_fifty", (partner,)))


def explain_choice_by_facts(
    position: Position, guess: Guess, own_estimate: GuessFact, limit: Limit
) -> Guess:
    """Return a guess with the exact facts that favour it, else with the player's own estimate."""
    try:
        analysis = analyse(position, trust_flags=True, budget=limit)
        partner = fifty_fifty_with(analysis, guess.cell, limit)
        if partner is not None:
            return with_reason(guess, GuessFact("fifty_fifty", (partner,)))
        facts = _exact_facts(analysis, guess, limit)
    except OutOfBudget:
        if limit.cancelled:
            raise
        return with_reason(guess, own_estimate)
    if facts[-1].kind == "riskier":
        facts = (*facts, own_estimate)
    return with_reason(guess, *facts)


def _exact_facts(analysis: Analysis, guess: Guess, limit: Limit) -> tuple[GuessFact, ...]:
    """Return how the guess compares with the safest cell; "riskier" alone if nothing favours it."""
    position = analysis.position
    risks = np.where(position.marks == COVERED, analysis.probability_array, np.nan)
    risks[analysis.certain_mine_cells] = np.nan
    own = float(risks[guess.cell])
    known = np.flatnonzero(~np.isnan(risks)).tolist()
    safest = min(known, key=lambda cell: quantise(float(risks[cell])))
    if quantise(own) <= quantise(float(risks[safest])):
        return GuessFact("safest"), *_opening_facts(analysis, guess, limit)
    riskier = GuessFact("riskier", (safest,), own, float(risks[safest]))
    tracked = TrackedPosition(position, trust_flags=True, budget=limit)
    after_own, after_safest = (
        chance_of_progress(analysis, tracked, cell, limit) for cell in (guess.cell, safest)
    )
    if quantise(after_own) > quantise(after_safest):
        return riskier, GuessFact("leads_on", (safest,), after_own, after_safest)
    return (riskier,)


def _opening_facts(analysis: Analysis, guess: Guess, limit: Limit) -> tuple[GuessFact, ...]:
    """Return the fact that no other candidate shows a zero as often, if that is so."""
    chances = {
        candidate.cell: _chance_of_zero(analysis, candidate.cell, limit)
        for candidate in guess.candidates
    }
    own = chances.pop(guess.cell)
    if chances and quantise(own) > max(map(quantise, chances.values())):
        cells = guess.cell, *chances
        compared = 0 if are_all_cells(analysis, cells) else len(cells)
        return (GuessFact("opens_most", tuple(chances), own, compared=compared),)
    return ()


def _chance_of_zero(analysis: Analysis, cell: int, limit: Limit) -> float:
    return (analysis.values(cell, budget=limit) or {}).get(0, 0.0)


def chance_of_progress(
    analysis: Analysis, tracked: TrackedPosition, cell: int, limit: Limit
) -> float:
    """Return the probability that a cell is safe and then the game is won or another cell is safe.

    *tracked* is the position of the analysis.
    """
    values = analysis.values(cell, budget=limit) or {}
    if is_last_safe_cell(analysis.position):
        return 1.0 - _risk(analysis, cell)
    total = 0.0
    for value, p in values.items():
        if p > 0:
            with tracked.what_if(cell, value) as summary:
                total += p if summary.safe_count else 0.0
    return total


def is_last_safe_cell(position: Position) -> bool:
    """Return whether one more safe reveal wins the game."""
    return position.mines is not None and int((position.marks < 0).sum()) == position.mines + 1


def fifty_fifty_with(analysis: Analysis, cell: int, limit: Limit) -> int | None:
    """Return the cell that no number can ever tell apart from a cell, if there is one.

    Exactly one of the two is a mine, and every other cell that is not a certain mine touches both
    or neither.
    """
    position, around = analysis.position, analysis.position.board.around
    if not _is_mine_half_the_time(analysis, cell):
        return None
    mines = set(analysis.certain_mine_cells.tolist()) | set(position.flags.tolist())
    own = set(around(cell).tolist())
    near = {cell, *own}.union(*(around(other).tolist() for other in own))
    for other in sorted(map(int, near - {cell})):
        if position.marks[other] != COVERED or not _is_mine_half_the_time(analysis, other):
            continue
        if (own ^ set(around(other).tolist())) - mines - {cell, other}:
            continue
        tracked = TrackedPosition(position, trust_flags=True, budget=limit)
        shown = [v for v, p in (analysis.values(cell, budget=limit) or {}).items() if p > 0]
        if shown and all(_is_mine_after(tracked, cell, value, other) for value in shown):
            return other
    return None


def _is_mine_after(tracked: TrackedPosition, cell: int, value: int, other: int) -> bool:
    with tracked.what_if(cell, value):
        return tracked.probability(other) == 1.0


def _is_mine_half_the_time(analysis: Analysis, cell: int) -> bool:
    risk = _risk(analysis, cell)
    # Without a mine count, cells of the interior have no probability.
    return not isnan(risk) and quantise(risk) == quantise(0.5)


def _risk(analysis: Analysis, cell: int) -> float:
    return float(analysis.probability_array[cell])


def describe_facts(facts: Sequence[GuessFact], candidates: Sequence[int]) -> Sentence:
    """Return facts as the end of a sentence; in a view of the board, *candidates* carry letters."""
    pieces: list[Piece] = []
    for fact in facts:
        if pieces:
            pieces.append(_CONNECTIONS.get(fact.kind, _CONNECTIONS.get(facts[0].kind, ", and ")))
        pieces += _describe_fact(fact, candidates, alone=len(facts) == 1)
    return tuple(pieces)


# What connects a fact, or those after it, with the facts before.
_CONNECTIONS = {"as_good": "; as good: ", "riskier": ", but ", "small_lead": ", but "}


def _describe_fact(fact: GuessFact, candidates: Sequence[int], *, alone: bool) -> list[Piece]:
    own, other = (None if p is None else percent(p) for p in (fact.own, fact.other))
    refs = (
        joined([candidate_ref(cell, candidates) for cell in fact.cells])
        if len(fact.cells) <= 4
        else []
    )
    others: list[Piece] = refs or [f"{len(fact.cells)} others"]
    of_compared = f" of {fact.compared} compared cells" if fact.compared else ""
    little = "a little " if (fact.own or 0.0) - (fact.other or 0.0) < SMALL_RISK_DIFFERENCE else ""
    texts: dict[str, list[Piece]] = {
        "safest": [
            "no covered cell is safer"
            if alone
            else f"the safest{of_compared}"
            if of_compared
            else "safest"
        ],
        "is_safest": [f"it is the safest{of_compared}"],
        "riskier": [f"{little}riskier than ", *others],
        "opens_most": [f"opens most often{of_compared} ({own})"],
        "leads_on": [f"leads on to a safe cell more often: {own} against {other}"],
        "wins_most": [f"wins most often{' of them' if fact.compared else ''} ({own})"],
        "wins_more": [f"wins more often: {own} against {other}"],
        "behind": [f"wins {own}, less often than ", *others, f" ({other})"],
        "small_lead": ["the lead is too small to change the first choice"],
        "as_good": others,
        "equal": ["wins as often as ", *others, f" ({own})"],
        "about_equal": ["wins as often as ", *others, ", within the error"],
        "all_equal": [f"{_all_text(fact)} win equally often ({own})"],
        "all_about_equal": [f"{_all_text(fact)} win equally often, within the error"],
        "fifty_fifty": ["pure 50/50 with ", *others, ": nothing can tell these two apart"],
        "forced": ["safe, or half of a 50/50 with ", *others, " that nothing can avoid"],
        "decides": ["may decide a 50/50 with ", *others, f" ({own})"],
        "next_anyway": ["safer than ", *others, ", and a search would reveal it next anyway"],
        "part": [f"this part is independent of the rest, and perfect play solves it in {own}"],
        "perfect": [f"perfect play begins here, and wins {own}"],
        "simulated": [
            f"in {fact.samples:,} simulated games from here it won more often than ",
            *others,
            f", by {100 * ((fact.own or 0.0) - (fact.other or 0.0)):.2f} points",
        ],
        "networks": ["the networks expect it to win more often"],
        "look_ahead": ["a search two moves ahead prefers it"],
        "unfinished": ["the best of an unfinished search for perfect play"],
    }
    return texts[fact.kind]


def _all_text(fact: GuessFact) -> str:
    count = "both" if len(fact.cells) == 1 else f"all {len(fact.cells) + 1}"
    return f"{count} compared cells" if fact.compared else count
