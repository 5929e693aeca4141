"""The review of a game: every reveal classed by what could be known when it was made.

A reveal is judged by the exact odds of the frame that the player saw, never by where the mines
were: a good guess that hits a mine is bad luck, and a bad one that hits none is still a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sapper.errors import Contradiction
from sapper.infer.budget import DEFAULT, Budget, Cancel
from sapper.infer.odds.analysis import Analysis, analyse, analyse_many
from sapper.infer.odds.ties import tied_for_least
from sapper.model.frame import FLAG, Frame
from sapper.model.game import Game, Outcome
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.play.session import LEARNS, UNDO, Moment, Session
from sapper.play.start import Start
from sapper.values import need
from sapper.wording import counted

Class = Literal["certain", "only-guess", "best-guess", "mistake"]

# A guess is a mistake where another one was safer by so much; closer ones are a matter of taste.
CLEARLY = 0.02
# Odds closer than this are equal: they are sums of floats.
EQUAL = 1e-9
# A certain reveal is missed when it stood through so many others, or through a guess.
LONG = 30


@dataclass(frozen=True, slots=True)
class Judged:
    """One reveal or chord, the frame that it was made in, and what it risked."""

    number: int
    """Its place among the reveals and chords of the game, from 1."""
    move: Move
    frame: Frame
    kind: Class
    risk: float
    """The probability that it would hit a mine."""
    least_risk: float
    """The risk of the safest reveal that there was."""
    seconds: float
    survived: bool
    counts: bool
    """Whether its luck counts: not after the end of the game, nor once a move was undone."""

    @property
    def cost(self) -> float:
        """How much of the odds of survival a mistake gave away."""
        return self.risk - self.least_risk if self.kind == "mistake" else 0.0

    @property
    def luck(self) -> float:
        """-log10 of a survived risk, less its expectation: above 0 for a risk survived."""
        return (self.survived - (1 - self.risk)) * self.stake

    @property
    def stake(self) -> float:
        """-log10 of the odds of survival: what surviving adds to luck before its expectation.

        0 where there was nothing to be lucky about: no risk, no way out, or no longer counted.
        """
        odds = 1 - self.risk
        return -math.log10(odds) if self.counts and 0 < odds < 1 else 0.0


@dataclass(frozen=True, slots=True)
class Missed:
    """A certain reveal that stood for long: from which move on, and how many passed it by."""

    cell: int
    since: int
    moves: int
    seconds: float
    guessed: bool
    """Whether the player guessed while it stood."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of games together: what was survived, what was to be expected, and the error.

    >>> Luck.of([])
    <Luck +0.00 +- 0.00 of 0 games>
    """

    games: int = 0
    survived: float = 0.0
    """The sum of -log10 of the odds of survival over the risks that were survived."""
    expected: float = 0.0
    """The mean of that sum over all ways in which the same risks could have ended."""
    variance: float = 0.0
    """The variance of that sum, each risk by itself: no risk tells how the next one ends."""

    @classmethod
    def of(cls, reviews: Iterable[Review]) -> Luck:
        """The luck of games by their reviews: a score book, a campaign, or one game."""
        return sum((one.tally for one in reviews), cls())

    @property
    def luck(self) -> float:
        """What was survived beyond expectation; its mean is 0, however the games are played."""
        return self.survived - self.expected

    @property
    def error(self) -> float:
        """The standard deviation of the luck: two thirds of all books lie within it."""
        return math.sqrt(self.variance)

    def __add__(self, other: Luck) -> Luck:
        if not isinstance(other, Luck):
            return NotImplemented
        return Luck(
            self.games + other.games,
            self.survived + other.survived,
            self.expected + other.expected,
            self.variance + other.variance,
        )

    def __repr__(self) -> str:
        return f"<Luck {self.luck:+.2f} +- {self.error:.2f} of {counted(self.games, 'game')}>"


@dataclass(frozen=True)
class Review:
    """What a game was like: its reveals, the certain ones that stood unseen, and its luck."""

    moves: tuple[Judged, ...]
    missed: tuple[Missed, ...]
    outcome: Outcome

    @property
    def mistakes(self) -> tuple[Judged, ...]:
        """The reveals that were mistakes."""
        return tuple(move for move in self.moves if move.kind == "mistake")

    @property
    def luck(self) -> float:
        """The luck of all reveals together; over many games its mean is 0."""
        return self.tally.luck

    @property
    def tally(self) -> Luck:
        """Its luck with expectation and error, to be added to that of other games."""
        stakes = [(move.stake, 1 - move.risk, move.survived) for move in self.moves]
        return Luck(
            1,
            math.fsum(stake for stake, _, survived in stakes if survived),
            math.fsum(odds * stake for stake, odds, _ in stakes),
            math.fsum(odds * (1 - odds) * stake**2 for stake, odds, _ in stakes),
        )

    @property
    def accuracy(self) -> float | None:
        """The share of reveals that were no mistakes; None for a game without any."""
        return 1 - len(self.mistakes) / len(self.moves) if self.moves else None

    def __repr__(self) -> str:
        return (
            f"<Review {self.outcome}, {len(self.moves)} reveals, "
            f"{len(self.mistakes)} mistakes, luck {self.luck:+.2f}>"
        )


def review(
    game: Session | Game, *, budget: Budget = DEFAULT, cancel: Cancel | None = None
) -> Review:
    """The review of a game or of a session; *budget* holds for each of its frames.

    >>> game = Game.deal("beginner", seed=1, first="r5c5")
    >>> _ = game.play("reveal r1c1")
    >>> review(game).moves[0].kind
    'certain'
    """
    need(game, (Session, Game), "a game or a session")
    session = game if isinstance(game, Session) else _as_session(game)
    asked = list(_asked(session))
    frames = [moment.frame.without_flags() for moment, _ in asked]
    analyses = analyse_many(frames, budget=budget, cancel=cancel)
    promised = session.start.rules.rule != "any"
    judged = [
        _judge(number, moment, counts, *_weigh(moment, analysis, promised, budget, cancel))
        for number, ((moment, counts), analysis) in enumerate(zip(asked, analyses, strict=True), 1)
    ]
    outcome = session.result.outcome if session.result is not None else session.game.outcome
    return Review(tuple(judged), _missed(judged, analyses), outcome)


@dataclass(frozen=True, slots=True)
class Fatal:
    """The reveal that lost a game, and the cells that were safest then."""

    judged: Judged
    best: tuple[int, ...]


def fatal(
    session: Session, *, budget: Budget = DEFAULT, cancel: Cancel | None = None
) -> Fatal | None:
    """The last reveal of a session that lost it, judged as `review` does; None where none has."""
    asked = [(k, *found) for k, found in enumerate(_asked(session), 1) if found[0].lost]
    if not asked:
        return None
    number, moment, counts = asked[-1]
    analysis = analyse(moment.frame.without_flags(), budget=budget, cancel=cancel)
    weighed = _weigh(moment, analysis, session.start.rules.rule != "any", budget, cancel)
    best = tied_for_least(analysis.probability)
    return Fatal(_judge(number, moment, counts, *weighed), tuple(best.tolist()))


def _as_session(game: Game) -> Session:
    """The moves of a game as a session without a clock, on the layout that was dealt."""
    rules, layout = Rules(game.board, game.mines, "any"), game.layout
    if layout is None:
        return Session(Start(rules, 0))
    first = next(move for move in game.moves if move.startswith(LEARNS))
    if game.seed is not None and not layout.mine_mask[Move.parse(first, game.board).cell]:
        # Which rule a seed was dealt by, a game does not tell; all but one promise the first click.
        rules = Rules(game.board, game.mines, "safe")
    session = Session(Start(rules, layout=layout), clock=lambda: 0.0)
    for move in game.moves:
        session.act(move)
    return session


def _asked(session: Session) -> Iterator[tuple[Moment, bool]]:
    """The reveals and chords of a session, and whether their luck counts."""
    counts = True
    for moment in session.history():
        counts &= moment.event.what != UNDO
        if moment.move is not None and moment.move.action in LEARNS:
            yield moment, counts
            counts &= not moment.lost


def _judge(
    number: int, moment: Moment, counts: bool, risk: float, least: float, kind: Class
) -> Judged:
    return Judged(
        number=number,
        move=_made(moment),
        frame=moment.frame,
        kind=kind,
        risk=risk,
        least_risk=least,
        seconds=moment.seconds,
        survived=not moment.lost,
        counts=counts,
    )


def _made(moment: Moment) -> Move:
    assert moment.move is not None
    return moment.move


def _weigh(
    moment: Moment, analysis: Analysis, promised: bool, budget: Budget, cancel: Cancel | None
) -> tuple[float, float, Class]:
    """The risk of a move, the least risk that there was, and its class."""
    move, frame = _made(moment), moment.frame
    assert move.cell is not None
    if promised and not len(frame.revealed):
        return 0.0, 0.0, "certain"
    odds = analysis.probability[frame.marks < 0]
    least, most = float(odds.min()), float(odds.max())
    if move.action == "reveal":
        risk = float(analysis.probability[move.cell])
    else:
        risk = _risk_of_chord(frame, move.cell, analysis, budget, cancel)
    if risk <= EQUAL:
        return 0.0, 0.0, "certain"
    if least <= EQUAL or risk - least > CLEARLY:
        return risk, least, "mistake"
    return risk, min(least, risk), "only-guess" if most - least <= EQUAL else "best-guess"


def _risk_of_chord(
    frame: Frame, cell: int, analysis: Analysis, budget: Budget, cancel: Cancel | None
) -> float:
    """The probability that a chord hits a mine: as many flags as its hint, are they all mines?

    Counted, not multiplied: the placements that have all these flags, among all placements.
    """
    around = frame.board.around(cell)
    flags = around[frame.marks[around] == FLAG]
    known = analysis.probability[flags]
    if (known >= 1 - EQUAL).all():
        return 0.0
    if (known <= EQUAL).any():
        return 1.0
    trusted = frame.without_flags().with_marks(dict.fromkeys(flags.tolist(), FLAG))
    try:
        after = analyse(trusted, trust_flags=True, budget=budget, cancel=cancel)
    except Contradiction:
        return 1.0
    return min(1.0, max(0.0, -math.expm1(after.ln_placements - analysis.ln_placements)))


def _missed(judged: Sequence[Judged], analyses: Sequence[Analysis]) -> tuple[Missed, ...]:
    """The certain reveals that stood through a guess or through LONG other moves."""
    found: list[Missed] = []
    since: dict[int, int] = {}
    guesses = np.cumsum([0, *(move.kind != "certain" for move in judged)])
    for i, analysis in enumerate([*analyses, None]):
        now = set() if analysis is None else set(analysis.reveal_cells.tolist())
        for cell in [cell for cell in since if cell not in now]:
            first = since.pop(cell)
            guessed = bool(guesses[i] > guesses[first])
            if i - 1 - first >= LONG or guessed:
                passed = judged[i - 1].seconds - judged[first].seconds
                found.append(Missed(cell, first + 1, i - first, round(passed, 3), guessed))
        for cell in now - since.keys():
            since[cell] = i
    return tuple(sorted(found, key=lambda missed: (missed.since, missed.cell)))
