"""Reviews: every reveal of a game classified by what could be known when it was made.

A reveal is judged by the exact probabilities of the position that the player saw, not by where
the mines were: a good guess that hits a mine is bad luck, and a bad guess that hits none is still
a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.rules import Rules
from sapper.engine.analysis import Analysis, analyse, analyse_many
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel
from sapper.engine.probabilities import tied_for_least
from sapper.errors import Contradiction
from sapper.games.game import Game, Outcome
from sapper.games.session import REVEALING_ACTIONS, UNDO, HistoryEntry, Session
from sapper.games.setup import GameSetup
from sapper.values import check_type
from sapper.wording import counted

Class = Literal["certain", "only-guess", "best-guess", "mistake"]

# A guess is a mistake if another one had a risk lower by more than this.
MISTAKE_MARGIN = 0.02
# Probabilities closer than this are equal: they are sums of floats.
TOLERANCE = 1e-9
# A safe cell counts as missed after this many other moves, or after a guess.
MISSED_AFTER_MOVES = 30


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One reveal or chord, the position that it was made in, and what it risked."""

    number: int
    """Its place among the reveals and chords of the game, from 1."""
    move: Move
    position: Position
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
        """How much of the probabilities of survival a mistake gave away."""
        return self.risk - self.least_risk if self.kind == "mistake" else 0.0

    @property
    def luck(self) -> float:
        """-log10 of a survived risk, less its expectation: above 0 for a risk survived."""
        return (self.survived - (1 - self.risk)) * self.stake

    @property
    def stake(self) -> float:
        """-log10 of the probabilities of survival: what surviving adds to luck before its expectation.

        0 where there was nothing to be lucky about: no risk, no way out, or no longer counted.
        """
        probabilities = 1 - self.risk
        return -math.log10(probabilities) if self.counts and 0 < probabilities < 1 else 0.0


@dataclass(frozen=True, slots=True)
class MissedCell:
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
    """The sum of -log10 of the probabilities of survival over the risks that were survived."""
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

    moves: tuple[ReviewedMove, ...]
    missed: tuple[MissedCell, ...]
    outcome: Outcome

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
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
            math.fsum(probabilities * stake for stake, probabilities, _ in stakes),
            math.fsum(
                probabilities * (1 - probabilities) * stake**2 for stake, probabilities, _ in stakes
            ),
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
    game: Session | Game, *, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> Review:
    """The review of a game or of a session; *budget* holds for each of its positions.

    >>> game = Game.new("beginner", seed=1, first="r5c5")
    >>> _ = game.play("reveal r1c1")
    >>> review(game).moves[0].kind
    'certain'
    """
    check_type(game, (Session, Game), "a game or a session")
    session = game if isinstance(game, Session) else _as_session(game)
    asked = list(_asked(session))
    positions = [moment.position.without_flags() for moment, _ in asked]
    analyses = analyse_many(positions, budget=budget, cancel=cancel)
    promised = session.start.rules.rule != "any"
    judged = [
        _judge(number, moment, counts, *_weigh(moment, analysis, promised, budget, cancel))
        for number, ((moment, counts), analysis) in enumerate(zip(asked, analyses, strict=True), 1)
    ]
    outcome = session.result.outcome if session.result is not None else session.game.outcome
    return Review(tuple(judged), _missed(judged, analyses), outcome)


@dataclass(frozen=True, slots=True)
class FatalMove:
    """The reveal that lost a game, and the cells that were safest then."""

    judged: ReviewedMove
    best: tuple[int, ...]


def fatal_move(
    session: Session, *, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> FatalMove | None:
    """The last reveal of a session that lost it, judged as `review` does; None where none has."""
    asked = [(k, *found) for k, found in enumerate(_asked(session), 1) if found[0].lost]
    if not asked:
        return None
    number, moment, counts = asked[-1]
    analysis = analyse(moment.position.without_flags(), budget=budget, cancel=cancel)
    weighed = _weigh(moment, analysis, session.start.rules.rule != "any", budget, cancel)
    best = tied_for_least(analysis.probability)
    return FatalMove(_judge(number, moment, counts, *weighed), tuple(best.tolist()))


def _as_session(game: Game) -> Session:
    """The moves of a game as a session without a clock, on the layout that was dealt."""
    rules, layout = Rules(game.board, game.mines, "any"), game.layout
    if layout is None:
        return Session(GameSetup(rules, 0))
    first = next(move for move in game.moves if move.startswith(REVEALING_ACTIONS))
    if game.seed is not None and not layout.mine_mask[Move.parse(first, game.board).cell]:
        # Which rule a seed was dealt by, a game does not tell; all but one promise the first click.
        rules = Rules(game.board, game.mines, "safe")
    session = Session(GameSetup(rules, layout=layout), clock=lambda: 0.0)
    for move in game.moves:
        session.act(move)
    return session


def _asked(session: Session) -> Iterator[tuple[HistoryEntry, bool]]:
    """The reveals and chords of a session, and whether their luck counts."""
    counts = True
    for moment in session.history():
        counts &= moment.event.what != UNDO
        if moment.move is not None and moment.move.action in REVEALING_ACTIONS:
            yield moment, counts
            counts &= not moment.lost


def _judge(
    number: int, moment: HistoryEntry, counts: bool, risk: float, least: float, kind: Class
) -> ReviewedMove:
    return ReviewedMove(
        number=number,
        move=_made(moment),
        position=moment.position,
        kind=kind,
        risk=risk,
        least_risk=least,
        seconds=moment.seconds,
        survived=not moment.lost,
        counts=counts,
    )


def _made(moment: HistoryEntry) -> Move:
    assert moment.move is not None
    return moment.move


def _weigh(
    moment: HistoryEntry, analysis: Analysis, promised: bool, budget: Budget, cancel: Cancel | None
) -> tuple[float, float, Class]:
    """The risk of a move, the least risk that there was, and its class."""
    move, position = _made(moment), moment.position
    assert move.cell is not None
    if promised and not len(position.revealed):
        return 0.0, 0.0, "certain"
    probabilities = analysis.probability[position.marks < 0]
    least, most = float(probabilities.min()), float(probabilities.max())
    if move.action == "reveal":
        risk = float(analysis.probability[move.cell])
    else:
        risk = _risk_of_chord(position, move.cell, analysis, budget, cancel)
    if risk <= EQUAL:
        return 0.0, 0.0, "certain"
    if least <= EQUAL or risk - least > CLEARLY:
        return risk, least, "mistake"
    return risk, min(least, risk), "only-guess" if most - least <= EQUAL else "best-guess"


def _risk_of_chord(
    position: Position, cell: int, analysis: Analysis, budget: Budget, cancel: Cancel | None
) -> float:
    """The probability that a chord hits a mine: as many flags as its number, are they all mines?

    Counted, not multiplied: the solutions that have all these flags, among all solutions.
    """
    around = position.board.around(cell)
    flags = around[position.marks[around] == FLAG]
    known = analysis.probability[flags]
    if (known >= 1 - EQUAL).all():
        return 0.0
    if (known <= EQUAL).any():
        return 1.0
    trusted = position.without_flags().with_marks(dict.fromkeys(flags.tolist(), FLAG))
    try:
        after = analyse(trusted, trust_flags=True, budget=budget, cancel=cancel)
    except Contradiction:
        return 1.0
    return min(1.0, max(0.0, -math.expm1(after.ln_solutions - analysis.ln_solutions)))


def _missed(judged: Sequence[ReviewedMove], analyses: Sequence[Analysis]) -> tuple[MissedCell, ...]:
    """The certain reveals that stood through a guess or through LONG other moves."""
    found: list[MissedCell] = []
    since: dict[int, int] = {}
    guesses = np.cumsum([0, *(move.kind != "certain" for move in judged)])
    for i, analysis in enumerate([*analyses, None]):
        now = set() if analysis is None else set(analysis.safe_cells.tolist())
        for cell in [cell for cell in since if cell not in now]:
            first = since.pop(cell)
            guessed = bool(guesses[i] > guesses[first])
            if i - 1 - first >= LONG or guessed:
                passed = judged[i - 1].seconds - judged[first].seconds
                found.append(MissedCell(cell, first + 1, i - first, round(passed, 3), guessed))
        for cell in now - since.keys():
            since[cell] = i
    return tuple(sorted(found, key=lambda missed: (missed.since, missed.cell)))
