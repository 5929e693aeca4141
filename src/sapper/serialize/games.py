"""Games: saved games, replays and exported profiles loaded from text, and reviews written."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sapper.board.board import MAX_CELLS
from sapper.errors import NotationError, SapperError
from sapper.formats.binary import is_replay
from sapper.formats.json_format import is_json, read_json
from sapper.formats.registry import is_saved_game, refuse_binary
from sapper.games.replays import read_replay
from sapper.games.review import LuckStatistics, Review, ReviewedMove
from sapper.games.session import Clock, Session
from sapper.games.setup import LayoutGenerators
from sapper.games.win_review import MoveWinReview, WinReview
from sapper.serialize.cells import Json
from sapper.wording import count_text, listed, percent

PROFILE_FORMAT = "sapper profile 1"
"""The format of an exported profile."""


def load_session(
    text: str,
    *,
    layout_generators: LayoutGenerators | None = None,
    max_cells: int = MAX_CELLS,
    max_events: int | None = None,
    clock: Clock = time.monotonic,
) -> Session:
    """Load a saved game, or a replay given by the hex digits of its file."""
    if is_replay(text):
        return read_replay(text, max_cells=max_cells)
    if not is_saved_game(text):
        refuse_binary(text, "a saved game or a replay")
    return Session.load(
        text,
        layout_generators=layout_generators,
        max_cells=max_cells,
        max_events=max_events,
        clock=clock,
    )


def load_sessions(text: str) -> Iterator[tuple[str, Session]]:
    """Load all games of a text, each with a name, which is empty for a single game.

    From an exported profile, load only the games that count in its statistics: finished games that
    do not repeat an earlier layout.
    """
    if not is_json(text):
        yield "", load_session(text)
        return
    for number, game in enumerate(_exported_games(text), 1):
        if not isinstance(game, dict):
            raise NotationError(f"game {number}: expected an object, got {game!r:.60}")
        if game.get("finished") is True and game.get("repeated") is False:
            yield f"game {number}", _load_exported(number, game)


def _exported_games(text: str) -> list[Any]:
    """Return the games of an exported profile."""
    header = read_json(text.partition("\n")[0])
    if header != {"format": PROFILE_FORMAT}:
        kind = f"{header['format']!r:.60}" if "format" in header else "other JSON"
        raise NotationError(f"expected saved games or an exported profile, got {kind}")
    lines = [read_json(line) for line in text.splitlines() if line]
    return [line["game"] for line in lines if "game" in line]


def _load_exported(number: int, game: dict[str, Any]) -> Session:
    try:
        session = Session.load(game["setup"])
        for milliseconds, text in game["events"]:
            session.replay(milliseconds, text)
    except SapperError as error:
        raise NotationError(f"game {number}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise NotationError(f"game {number}: expected the keys 'setup' and 'events'") from None
    return session


def review_json(review: Review, win: WinReview | None = None) -> Json:
    """Return a review as JSON; the keys of win chances are null without *win*."""
    wins = win.moves if win is not None else [MoveWinReview() for _ in review.moves]
    return {
        "moves": [
            {**_reviewed_move_json(move), **move_win_json(move_win)}
            for move, move_win in zip(review.moves, wins, strict=True)
        ],
        "mistakes": len(review.mistakes),
        "missed": [
            {**asdict(missed), "cell": review.end.board.name(missed.cell)}
            for missed in review.missed
        ],
        **luck_json(review.luck_statistics),
        "accuracy": review.accuracy,
        **win_json(win),
        "outcome": review.outcome,
        "uniform": review.uniform,
    }


def luck_json(luck: LuckStatistics) -> Json:
    """Return luck, which is `survived` minus `expected`, with its standard deviation `error`."""
    return {
        "luck": luck.luck,
        "survived": luck.survived,
        "expected": luck.expected,
        "error": luck.error,
    }


def win_json(win: WinReview | None) -> Json:
    """Return the sums of a review by win chance; null where they are not known."""
    if win is None:
        return dict.fromkeys(("win_cost", "win_luck", "win_error", "win_player", "win_samples"))
    return {
        "win_cost": win.cost,
        "win_luck": win.luck,
        "win_error": None if win.cost is None else win.error,
        "win_player": win.player,
        "win_samples": win.samples,
    }


def move_win_json(win: MoveWinReview) -> Json:
    """Return the win chances of a move; null where they are not known."""
    return {
        "win_before": win.before,
        "win_after": win.after,
        "win_cost": win.cost,
        "win_luck": win.luck,
        "severity": win.severity,
    }


def _reviewed_move_json(move: ReviewedMove) -> Json:
    return {
        "move": move.move.format(move.position.board),
        "class": move.move_class,
        "risk": move.risk,
        "least_risk": move.least_risk,
        "seconds": move.seconds,
        "cost": move.cost,
        "survived": move.survived,
        "luck": move.luck,
    }


def review_lines(review: Review, win: WinReview | None = None) -> Iterator[str]:
    """Yield a line for each move that was not certain, the missed cells, and a summary."""
    for i, move in enumerate(review.moves):
        if move.move_class != "certain":
            yield reviewed_move_line(move, win.moves[i] if win is not None else None)
    if review.missed:
        name = review.end.board.name
        cells = [f"{name(missed.cell)} (from move {missed.since} on)" for missed in review.missed]
        yield f"missed: {listed(cells)}"
    accuracy = "" if review.accuracy is None else f", accuracy {percent(review.accuracy)}"
    yield (
        f"{review.outcome} after {count_text(len(review.moves), 'reveal')}: "
        f"{count_text(len(review.mistakes), 'mistake')}{accuracy}, luck {review.luck:+.2f}"
    )
    if not review.uniform:
        yield "luck is relative to random layouts; this layout was chosen to need no guess"


def win_line(win: WinReview) -> str:
    """Return what choices and luck changed in the win chance, in percentage points.

    >>> win_line(WinReview((), 0.5, 0.0, 0.125, 0.01, "learned", 200))
    'win chance by learned: from 50.0% to 0.0%; -12.5 (±1.0) by choices, -37.5 by luck'
    """
    if win.start is None or win.end is None or win.cost is None or win.luck is None:
        return f"win chance by {win.player}: not known within the budget"
    return (
        f"win chance by {win.player}: from {100 * win.start:.1f}% to {100 * win.end:.1f}%; "
        f"{_points(-win.cost)} (±{100 * win.error:.1f}) by choices, {_points(win.luck)} by luck"
    )


def _points(change: float) -> str:
    """Return a change of a probability in percentage points, never as -0.0."""
    return f"{round(100 * change, 1) + 0.0:+.1f}"


def luck_line(luck: LuckStatistics) -> str:
    """Return the luck of several games as a line of text.

    >>> luck_line(LuckStatistics(2, survived=0.75, expected=0.5, variance=0.04))
    '2 games: luck +0.25, standard deviation 0.20 (survived 0.75, expected 0.50)'
    """
    return (
        f"{count_text(luck.games, 'game')}: luck {luck.luck:+.2f}, standard deviation "
        f"{luck.error:.2f} (survived {luck.survived:.2f}, expected {luck.expected:.2f})"
    )


def reviewed_move_line(move: ReviewedMove, win: MoveWinReview | None = None) -> str:
    """Return a move with its class and risk, such as '12. reveal r1c1: mistake, 50% risk …'.

    The win chance that it cost is added if that was clear.
    """
    line = f"{move.number}. {move.move.format(move.position.board)}: {move.move_class}"
    if move.move_class != "certain":
        line += f", {percent(move.risk)} risk"
    if move.move_class == "mistake":
        line += f" where {percent(move.least_risk)} was possible"
    if win is not None and win.cost is not None and win.severity is not None:
        line += f", {win.severity} ({_points(-win.cost)} points of win chance)"
    return line if move.survived else f"{line}, and lost"
