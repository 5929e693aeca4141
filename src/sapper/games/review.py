"""Review a game: classify every reveal by what the player could know when making it.

A reveal is judged by the exact probabilities of the position that the player saw, not by where
the mines were: a good guess that hits a mine is bad luck, and a bad guess that hits none is still
a mistake. The probabilities count all layouts as equally likely. Those of a no-guess generator are
not, so on them the mean of luck is not exactly 0; `Review.uniform` says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.engine.analysis import Analysis, analyse, tied_for_least
from sapper.engine.batch import analyse_many
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel
from sapper.errors import Contradiction
from sapper.games.game import Game, Outcome
from sapper.games.session import REVEALING_ACTIONS, UNDO, HistoryEntry, Session
from sapper.kernels.ties import quantise
from sapper.values import check_type
from sapper.wording import count_text

MoveClass = Literal["certain", "only-guess", "best-guess", "mistake"]

# A guess is a mistake if another one had a risk lower by more than this.
MISTAKE_MARGIN = 0.02
# Probabilities closer than this are equal: they are sums of floats.
TOLERANCE = 1e-9
# A safe cell counts as missed after this many other moves, or after a guess.
MISSED_AFTER_MOVES = 30


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A reveal or chord, the position that it was made in, and its risk."""

    number: int
    """The index among the reveals and chords of the game, from 1."""
    move: Move
    position: Position
    move_class: MoveClass
    risk: float
    """The probability that the move hits a mine."""
    least_risk: float
    """The lowest risk of any reveal in that position."""
    seconds: float
    survived: bool
    counts: bool
    """Whether the move counts for luck and win chance: not after a loss, nor after an undo."""

    @property
    def cost(self) -> float:
        """The additional risk that a mistake took; 0 for other moves."""
        return self.risk - self.least_risk if self.move_class == "mistake" else 0.0

    @property
    def luck(self) -> float:
        """The stake if the move survived, minus its expected value."""
        return (self.survived - (1 - self.risk)) * self.stake

    @property
    def stake(self) -> float:
        """-log10 of the probability of survival: what survival adds to luck.

        0 for a move without risk, one that was sure to lose, or one that does not count.
        """
        survival = 1 - self.risk
        return -math.log10(survival) if self.counts and 0 < survival < 1 else 0.0


@dataclass(frozen=True, slots=True)
class MissedCell:
    """A safe cell that the player left covered for many moves or through a guess."""

    cell: int
    since: int
    """The number of the first move that was made while it was certain."""
    moves: int
    """The number of moves made while it was certain and covered."""
    seconds: float
    guessed: bool
    """Whether one of those moves was a guess."""


@dataclass(frozen=True, slots=True)
class LuckStatistics:
    """The luck of one or more games, with its expected value and variance.

    >>> LuckStatistics.of([])
    <LuckStatistics +0.00 +- 0.00 of 0 games>
    """

    games: int = 0
    survived: float = 0.0
    """The sum of the stakes of the risks that were survived."""
    expected: float = 0.0
    """The expected value of that sum."""
    variance: float = 0.0
    """The variance of that sum; the risks are independent."""

    @classmethod
    def of(cls, reviews: Iterable[Review]) -> LuckStatistics:
        """Add up the luck of several reviews."""
        return sum((review.luck_statistics for review in reviews), cls())

    @property
    def luck(self) -> float:
        """What was survived minus what was expected; its mean is 0 for any player."""
        return self.survived - self.expected

    @property
    def error(self) -> float:
        """The standard deviation of the luck."""
        return math.sqrt(self.variance)

    def __add__(self, other: LuckStatistics) -> LuckStatistics:
        return LuckStatistics(
            self.games + other.games,
            self.survived + other.survived,
            self.expected + other.expected,
            self.variance + other.variance,
        )

    def __repr__(self) -> str:
        games = count_text(self.games, "game")
        return f"<LuckStatistics {self.luck:+.2f} +- {self.error:.2f} of {games}>"


@dataclass(frozen=True)
class Review:
    """The reveals of a game, classified, and the safe cells that were missed."""

    moves: tuple[ReviewedMove, ...]
    missed: tuple[MissedCell, ...]
    outcome: Outcome
    end: Position
    """The position after the last move that counts."""
    uniform: bool = True
    """Whether the generator of the layout makes all layouts equally likely."""

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
        """The moves that were mistakes."""
        return tuple(move for move in self.moves if move.move_class == "mistake")

    @property
    def luck(self) -> float:
        """The luck of all moves together, relative to a layout drawn uniformly at random."""
        return self.luck_statistics.luck

    @property
    def luck_statistics(self) -> LuckStatistics:
        """The luck with its expected value and variance, to add to that of other games."""
        stakes = [(move.stake, 1 - move.risk, move.survived) for move in self.moves]
        return LuckStatistics(
            1,
            math.fsum(stake for stake, _, survived in stakes if survived),
            math.fsum(survival * stake for stake, survival, _ in stakes),
            math.fsum(survival * (1 - survival) * stake**2 for stake, survival, _ in stakes),
        )

    @property
    def accuracy(self) -> float | None:
        """The share of the moves that were not mistakes; None for a game without moves."""
        return 1 - len(self.mistakes) / len(self.moves) if self.moves else None

    def __repr__(self) -> str:
        return (
            f"<Review {self.outcome}, {count_text(len(self.moves), 'reveal')}, "
            f"{count_text(len(self.mistakes), 'mistake')}, luck {self.luck:+.2f}>"
        )


@dataclass(frozen=True, slots=True)
class FatalMove:
    """The move that lost a game, and the cells of least risk in its position."""

    reviewed: ReviewedMove
    safest_cells: tuple[int, ...]


def review(
    game: Session | Game, *, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> Review:
    """Review a game or a session move by move; *budget* applies to each position.

    >>> game = Game.new("beginner", seed=1, first="r5c5")
    >>> _ = game.play("reveal r1c1")
    >>> review(game).moves[0].move_class
    'certain'
    """
    check_type(game, (Session, Game), "a game or a session")
    session = game if isinstance(game, Session) else _as_session(game)
    reveals = list(_reveals(session))
    analyses = analyse_many(
        [reveal.entry.position.without_flags() for reveal in reveals], budget=budget, cancel=cancel
    )
    moves = [
        _review_move(reveal, analysis, budget, cancel)
        for reveal, analysis in zip(reveals, analyses, strict=True)
    ]
    outcome = session.result.outcome if session.result is not None else session.game.outcome
    uniform = session.setup.generator == "plain"
    ends = [reveal.entry.after for reveal in reveals if reveal.counts]
    end = ends[-1] if ends else session.position
    return Review(tuple(moves), _missed_cells(moves, analyses), outcome, end, uniform)


def fatal_move(
    session: Session, *, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> FatalMove | None:
    """Review the last move of a session that lost the game; None if it was never lost."""
    losses = [reveal for reveal in _reveals(session) if reveal.entry.lost]
    if not losses:
        return None
    position = losses[-1].entry.position
    # After a loss the player may continue; the mines that have exploded are then known.
    exploded = [cell for cell in position.flags.tolist() if cell in session.game.exploded]
    known = position.without_flags().with_marks(dict.fromkeys(exploded, FLAG))
    analysis = analyse(known, trust_flags=True, budget=budget, cancel=cancel)
    safest_cells = tied_for_least(analysis.probability_array)
    reviewed = _review_move(losses[-1], analysis, budget, cancel)
    return FatalMove(reviewed, tuple(safest_cells.tolist()))


def _as_session(game: Game) -> Session:
    """Return the moves of a game as a session without a clock, on the same layout."""
    session = Session(replace(game.setup, layout=game.layout), clock=lambda: 0.0)
    for move in game.moves:
        session.act(move)
    return session


@dataclass(frozen=True, slots=True)
class _Reveal:
    """A reveal or chord of a session, before its review."""

    number: int
    entry: HistoryEntry
    move: Move
    cell: int
    counts: bool
    safe_by_rule: bool
    """Whether it is a first click that the rules or a no-guess generator guarantee to be safe."""


def _reveals(session: Session) -> Iterator[_Reveal]:
    """Yield the reveals and chords of a session, in order."""
    counts, number = True, 0
    setup = session.setup
    for entry in session.history():
        counts &= entry.event.text != UNDO
        move = entry.move
        if move is None or move.cell is None or move.action not in REVEALING_ACTIONS:
            continue
        number += 1
        first_is_safe = setup.rules.rule != "any" or setup.generator != "plain"
        # On a given layout that holds only for the first click of the original game,
        # not after an undo or a loss.
        first_is_safe &= setup.layout is None or counts
        safe_by_rule = first_is_safe and not len(entry.position.revealed)
        yield _Reveal(number, entry, move, move.cell, counts, safe_by_rule)
        counts &= not entry.lost


def _review_move(
    reveal: _Reveal, analysis: Analysis, budget: Budget, cancel: Cancel | None
) -> ReviewedMove:
    entry = reveal.entry
    risk, least_risk, move_class = _classify(reveal, analysis, budget, cancel)
    return ReviewedMove(
        number=reveal.number,
        move=reveal.move,
        position=entry.position,
        move_class=move_class,
        risk=risk,
        least_risk=least_risk,
        seconds=entry.seconds,
        survived=not entry.lost,
        counts=reveal.counts,
    )


def _classify(
    reveal: _Reveal, analysis: Analysis, budget: Budget, cancel: Cancel | None
) -> tuple[float, float, MoveClass]:
    """Return the risk of a move, the least risk in its position, and its class."""
    if reveal.safe_by_rule:
        return 0.0, 0.0, "certain"
    position = reveal.entry.position
    probabilities = analysis.probability_array[position.marks < 0]
    least_risk, max_risk = float(probabilities.min()), float(probabilities.max())
    if reveal.move.action == "reveal":
        risk = float(analysis.probability_array[reveal.cell])
    else:
        risk = _chord_risk(position, reveal.cell, analysis, budget, cancel)
    if risk <= TOLERANCE:
        return 0.0, 0.0, "certain"
    if least_risk <= TOLERANCE or quantise(risk - least_risk) > quantise(MISTAKE_MARGIN):
        return risk, least_risk, "mistake"
    move_class: MoveClass = "only-guess" if max_risk - least_risk <= TOLERANCE else "best-guess"
    return risk, min(least_risk, risk), move_class


def _chord_risk(
    position: Position, cell: int, analysis: Analysis, budget: Budget, cancel: Cancel | None
) -> float:
    """Return the probability that a chord hits a mine, that is, that one of its flags is wrong.

    Computed from the number of solutions with all these flags: they are not independent.
    """
    around = position.board.around(cell)
    flags = around[position.marks[around] == FLAG]
    flag_probabilities = analysis.probability_array[flags]
    if (flag_probabilities >= 1 - TOLERANCE).all():
        return 0.0
    if (flag_probabilities <= TOLERANCE).any():
        return 1.0
    with_flags = position.without_flags().with_marks(dict.fromkeys(flags.tolist(), FLAG))
    try:
        analysis_with_flags = analyse(with_flags, trust_flags=True, budget=budget, cancel=cancel)
    except Contradiction:
        return 1.0
    return min(1.0, max(0.0, -math.expm1(analysis_with_flags.ln_solutions - analysis.ln_solutions)))


def _missed_cells(
    moves: Sequence[ReviewedMove], analyses: Sequence[Analysis]
) -> tuple[MissedCell, ...]:
    """Find the safe cells that were left covered through a guess or MISSED_AFTER_MOVES moves."""
    missed: list[MissedCell] = []
    since: dict[int, int] = {}
    guesses = np.cumsum([0, *(move.move_class != "certain" for move in moves)])
    for i, analysis in enumerate([*analyses, None]):
        safe = set() if analysis is None else set(analysis.safe_cells.tolist())
        for cell in [cell for cell in since if cell not in safe]:
            first = since.pop(cell)
            guessed = bool(guesses[i] > guesses[first])
            if i - 1 - first >= MISSED_AFTER_MOVES or guessed:
                seconds = moves[i - 1].seconds - moves[first].seconds
                missed.append(MissedCell(cell, first + 1, i - first, round(seconds, 3), guessed))
        for cell in safe - since.keys():
            since[cell] = i
    return tuple(sorted(missed, key=lambda missed_cell: (missed_cell.since, missed_cell.cell)))
