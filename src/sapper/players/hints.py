"""Hints with the best guess that Sapper knows, where nothing is certain.

A guess is told by degrees too: where the choice lies, which cells are worth weighing, what each of
them would tell, which one to take and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sapper.board.position import FLAG, Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.engine.tracked import TrackedPosition
from sapper.players.guess import Guess
from sapper.players.registry import advise
from sapper.players.shrewd_settings import ShrewdSettings
from sapper.players.shrewd_state import uses_networks
from sapper.proofs.hints import Hint, HintCandidate, at, risk_told
from sapper.proofs.hints import hint as prove
from sapper.sentences import CellRef, Piece, joined, named
from sapper.wording import listed, percent

# So many cells are worth weighing; more are not read.
MOST_CANDIDATES = 4
LETTERS = "ABCD"
# So many of the numbers that it may show, the likeliest first.
MAX_VALUES = 3


def hint(
    position: Position,
    detail: int = 1,
    *,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
    level: int | None = None,
) -> Hint:
    """A hint of a degree from 1 (where to look) to 4 (do it); *level* is its older name.

    What is certain is told by its proof, as `sapper.proofs.hints` does; where nothing is,
    the guess of `shrewd` (of `thoughtful` on boards without a network), at degree 4 with its cell
    and its reason.

    >>> print(hint(Position.parse("# 1 # # #", mines=2), 4).text)
    No covered cell is certainly free. The best guess is a mine with probabilities of 50.0 %: reveal r1c3,
    because perfect play wins 2 of the 4 solutions left, and begins here.
    """
    limit = start_limit(budget, cancel)
    detail = detail if level is None else level
    found = prove(position, detail, budget=limit)
    if found.certain or found.risk is None or position.mines is None:
        return found
    player = "shrewd" if uses_networks(position.board, ShrewdSettings()) else "thoughtful"
    guess = advise(position, player, budget=limit).why
    # Nobody is sent onto a cell that they have flagged themselves.
    if not isinstance(guess, Guess) or guess.risk is None or position.marks[guess.cell] == FLAG:
        return found
    return _told(position, found, guess, guess.risk, limit)


def _told(position: Position, found: Hint, guess: Guess, risk: float, limit: Limit) -> Hint:
    detail, cells = found.detail, _worth_weighing(position, guess)
    # Their order must not tell which one is the best.
    weighings = _weigh(position, sorted(cells), detail, limit) if detail >= 2 else ()
    near = sorted({c for cell in cells for c in (cell, *map(int, position.board.around(cell)))})
    sentence: list[Piece] = risk_told(risk)
    if detail == 4:
        because = f", because {guess.because}" if guess.because else ""
        sentence += [": reveal ", at(position, guess.cell), f"{because}."]
    else:
        sentence += [". ", *_choice(position, cells, near, weighings, detail)]
    move = (f"reveal {position.board.name(guess.cell)}",)
    return replace(
        found,
        text=named(sentence),
        sentence=tuple(sentence),
        look=position.names(near),
        candidates=weighings,
        moves=move if detail >= 4 else (),
        why=(guess.because or "") if detail >= 4 else "",
        play=move if detail >= 4 else (),
        risk=risk,
    )


def _worth_weighing(position: Position, guess: Guess) -> list[int]:
    """The guess, and the others that were weighed with it."""
    others = [one.cell for one in guess.candidates if position.marks[one.cell] != FLAG]
    return list(dict.fromkeys([guess.cell, *others]))[:MOST_CANDIDATES]


def _weigh(
    position: Position, cells: Sequence[int], detail: int, limit: Limit
) -> tuple[HintCandidate, ...]:
    """Each cell with its risk; from degree 3 on with what it would tell."""
    analysis = analyse(position, budget=limit)
    tracked = TrackedPosition(position.without_flags(), budget=limit) if detail >= 3 else None
    return tuple(_weighing(position, cell, analysis, tracked, limit) for cell in cells)


def _weighing(
    position: Position, cell: int, analysis: Analysis, tracked: TrackedPosition | None, limit: Limit
) -> HintCandidate:
    name, risk = position.board.name(cell), float(analysis.probability[cell])
    if tracked is None:
        return HintCandidate(name, risk)
    values = {v: p for v, p in (analysis.values(cell, budget=limit) or {}).items() if p > 0}
    helps = 0.0
    for number, p in values.items():
        with tracked.what_if(cell, number) as summary:
            helps += p if summary.safe_count else 0.0
    return HintCandidate(name, risk, tuple(values.items()), helps / (1 - risk))


def _choice(
    position: Position,
    cells: list[int],
    near: list[int],
    weighings: tuple[HintCandidate, ...],
    detail: int,
) -> list[Piece]:
    """Where the choice lies; which cells; what each would tell."""
    if detail == 1:
        named_place = f"The choice lies {_sides(position, cells)}."
        return [CellRef(tuple(near), named_place, "The choice lies in the shaded cells.")]
    points = [
        CellRef(
            (position.board.cell(one.cell),), _with_risk(one.cell, one), _with_risk(letter, one)
        )
        for letter, one in zip(LETTERS, weighings, strict=False)
    ]
    if detail == 2:
        return ["Weigh ", *joined(points), "."]
    row: list[Piece] = []
    for point, one in zip(points, weighings, strict=True):
        row += [*([" "] if row else []), point, f": {_tells(one)}."]
    return row


def _with_risk(name: str, one: HintCandidate) -> str:
    return f"{name} ({percent(one.risk)})"


def _tells(one: HintCandidate) -> str:
    """What a reveal would tell, if it is free."""
    likely = sorted(one.values, key=lambda row: (-row[1], row[0]))[:MAX_VALUES]
    shows = listed([f"{number} ({percent(p / (1 - one.risk))})" for number, p in likely])
    if not one.helps:
        return f"if free it shows {shows}, and nothing is certain then"
    return f"if free it shows {shows}, and something is certain then in {percent(one.helps)}"


def _sides(position: Position, cells: list[int]) -> str:
    """Where some covered cells lie, without naming them."""
    beside = set(position.frontier.tolist())
    sides = {"beside the numbers" if cell in beside else "away from the numbers" for cell in cells}
    return " and ".join(sorted(sides, reverse=True))
