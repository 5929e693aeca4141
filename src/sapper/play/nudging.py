"""Nudges with the best guess that Sapper knows, where nothing is certain.

A guess is told by degrees too: where the choice lies, which cells are worth weighing, what each of
them would tell, which one to take and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.odds.position import Position
from sapper.infer.proofs.nudges import Nudge, Weighing, at, risk_told
from sapper.infer.proofs.nudges import nudge as prove
from sapper.infer.proofs.sentences import Piece, Point, joined, named
from sapper.model.frame import FLAG, Frame
from sapper.percent import percent
from sapper.play.guess import Guess
from sapper.play.players import advise
from sapper.play.shrewd.memory import asks_networks
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.wording import listed

# So many cells are worth weighing; more are not read.
MOST_CANDIDATES = 4
LETTERS = "ABCD"
# So many of the numbers that it may show, the likeliest first.
MOST_NUMBERS = 3


def nudge(
    frame: Frame,
    degree: int = 1,
    *,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
    level: int | None = None,
) -> Nudge:
    """A nudge of a degree from 1 (where to look) to 4 (do it); *level* is its older name.

    What is certain is told by its proof, as `sapper.infer.proofs.nudges` does; where nothing is,
    the guess of `shrewd` (of `thoughtful` on boards without a network), at degree 4 with its cell
    and its reason.

    >>> print(nudge(Frame.parse("# 1 # # #", mines=2), 4).text)
    No blank is certainly free. The best guess is a mine with odds of 50.0 %: reveal r1c3,
    because perfect play wins 2 of the 4 placements left, and begins here.
    """
    limit = started(budget, cancel)
    degree = degree if level is None else level
    found = prove(frame, degree, budget=limit)
    if found.certain or found.odds is None or frame.mines is None:
        return found
    player = "shrewd" if asks_networks(frame.board, ShrewdSettings()) else "thoughtful"
    guess = advise(frame, player, budget=limit).why
    # Nobody is sent onto a cell that they have flagged themselves.
    if not isinstance(guess, Guess) or guess.risk is None or frame.marks[guess.cell] == FLAG:
        return found
    return _told(frame, found, guess, guess.risk, limit)


def _told(frame: Frame, found: Nudge, guess: Guess, risk: float, limit: Limit) -> Nudge:
    degree, cells = found.degree, _worth_weighing(frame, guess)
    # Their order must not tell which one is the best.
    weighings = _weigh(frame, sorted(cells), degree, limit) if degree >= 2 else ()
    near = sorted({c for cell in cells for c in (cell, *map(int, frame.board.around(cell)))})
    sentence: list[Piece] = risk_told(risk)
    if degree == 4:
        because = f", because {guess.because}" if guess.because else ""
        sentence += [": reveal ", at(frame, guess.cell), f"{because}."]
    else:
        sentence += [". ", *_choice(frame, cells, near, weighings, degree)]
    move = (f"reveal {frame.board.name(guess.cell)}",)
    return replace(
        found,
        text=named(sentence),
        sentence=tuple(sentence),
        look=frame.names(near),
        candidates=weighings,
        moves=move if degree >= 4 else (),
        why=(guess.because or "") if degree >= 4 else "",
        play=move if degree >= 4 else (),
        odds=risk,
    )


def _worth_weighing(frame: Frame, guess: Guess) -> list[int]:
    """The guess, and the others that were weighed with it."""
    others = [one.cell for one in guess.weighed if frame.marks[one.cell] != FLAG]
    return list(dict.fromkeys([guess.cell, *others]))[:MOST_CANDIDATES]


def _weigh(frame: Frame, cells: Sequence[int], degree: int, limit: Limit) -> tuple[Weighing, ...]:
    """Each cell with its risk; from degree 3 on with what it would tell."""
    analysis = analyse(frame, budget=limit)
    position = Position(frame.without_flags(), budget=limit) if degree >= 3 else None
    return tuple(_weighing(frame, cell, analysis, position, limit) for cell in cells)


def _weighing(
    frame: Frame, cell: int, analysis: Analysis, position: Position | None, limit: Limit
) -> Weighing:
    name, risk = frame.board.name(cell), float(analysis.probability[cell])
    if position is None:
        return Weighing(name, risk)
    numbers = {v: p for v, p in (analysis.numbers(cell, budget=limit) or {}).items() if p > 0}
    helps = 0.0
    for number, p in numbers.items():
        with position.what_if(cell, number) as outlook:
            helps += p if outlook.free_cells else 0.0
    return Weighing(name, risk, tuple(numbers.items()), helps / (1 - risk))


def _choice(
    frame: Frame, cells: list[int], near: list[int], weighings: tuple[Weighing, ...], degree: int
) -> list[Piece]:
    """Where the choice lies; which cells; what each would tell."""
    if degree == 1:
        named_place = f"The choice lies {_sides(frame, cells)}."
        return [Point(tuple(near), named_place, "The choice lies in the shaded cells.")]
    points = [
        Point((frame.board.cell(one.cell),), _with_risk(one.cell, one), _with_risk(letter, one))
        for letter, one in zip(LETTERS, weighings, strict=False)
    ]
    if degree == 2:
        return ["Weigh ", *joined(points), "."]
    row: list[Piece] = []
    for point, one in zip(points, weighings, strict=True):
        row += [*([" "] if row else []), point, f": {_tells(one)}."]
    return row


def _with_risk(name: str, one: Weighing) -> str:
    return f"{name} ({percent(one.risk)})"


def _tells(one: Weighing) -> str:
    """What a reveal would tell, if it is free."""
    likely = sorted(one.numbers, key=lambda row: (-row[1], row[0]))[:MOST_NUMBERS]
    shows = listed([f"{number} ({percent(p / (1 - one.risk))})" for number, p in likely])
    if not one.helps:
        return f"if free it shows {shows}, and nothing is certain then"
    return f"if free it shows {shows}, and something is certain then in {percent(one.helps)}"


def _sides(frame: Frame, cells: list[int]) -> str:
    """Where some blanks lie, without naming them."""
    beside = set(frame.perimeter.tolist())
    sides = {"beside the hints" if cell in beside else "away from the hints" for cell in cells}
    return " and ".join(sorted(sides, reverse=True))
