"""Reviews as JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from sapper.games.review import Luck, Review, ReviewedMove
from sapper.serialize.cells import Json
from sapper.wording import counted, percent

# The number of missed cells that the text names.
MAX_MISSED_NAMED = 8


def review_json(found: Review) -> Json:
    """Return a review as JSON."""
    return {
        "moves": [_reviewed_move_json(move) for move in found.moves],
        "mistakes": len(found.mistakes),
        "missed": [
            {
                "cell": found.moves[0].position.board.name(missed.cell),
                "since": missed.since,
                "moves": missed.moves,
                "seconds": missed.seconds,
                "guessed": missed.guessed,
            }
            for missed in found.missed
        ],
        **luck_json(found.tally),
        "accuracy": found.accuracy,
        "outcome": found.outcome,
        "uniform": found.uniform,
    }


def luck_json(luck: Luck) -> Json:
    """Return luck, which is `survived` minus `expected`, with its standard deviation `error`."""
    return {
        "luck": luck.luck,
        "survived": luck.survived,
        "expected": luck.expected,
        "error": luck.error,
    }


def _reviewed_move_json(move: ReviewedMove) -> Json:
    return {
        "move": move.move.format(move.position.board),
        "class": move.kind,
        "risk": move.risk,
        "least_risk": move.least_risk,
        "seconds": move.seconds,
        "cost": move.cost,
        "survived": move.survived,
        "luck": move.luck,
    }


def review_lines(found: Review) -> Iterator[str]:
    """Yield a line for each move that was not certain, the missed cells, and a summary."""
    for move in found.moves:
        if move.kind != "certain":
            yield reviewed_move_line(move)
    if found.missed:
        yield f"missed: {_missed_text(found)}"
    accuracy = "" if found.accuracy is None else f", accuracy {percent(found.accuracy)}"
    yield (
        f"{found.outcome} after {counted(len(found.moves), 'reveal')}: "
        f"{counted(len(found.mistakes), 'mistake')}{accuracy}, luck {found.luck:+.2f}"
    )
    if not found.uniform:
        yield "luck is relative to random layouts; this layout was chosen to need no guess"


def luck_line(luck: Luck) -> str:
    """Return the luck of several games as a line of text.

    >>> luck_line(Luck(2, survived=0.75, expected=0.5, variance=0.04))
    '2 games: luck +0.25, standard deviation 0.20 (survived 0.75, expected 0.50)'
    """
    return (
        f"{counted(luck.games, 'game')}: luck {luck.luck:+.2f}, standard deviation "
        f"{luck.error:.2f} (survived {luck.survived:.2f}, expected {luck.expected:.2f})"
    )


def reviewed_move_line(move: ReviewedMove) -> str:
    """Return a move with its class and risk, such as '12. reveal r1c1: mistake, 50% risk …'."""
    line = f"{move.number}. {move.move.format(move.position.board)}: {move.kind}"
    if move.kind != "certain":
        line += f", {percent(move.risk)} risk"
    if move.kind == "mistake":
        line += f" where {percent(move.least_risk)} was possible"
    return line if move.survived else f"{line}, and lost"


def _missed_text(found: Review) -> str:
    board = found.moves[0].position.board
    shown = [
        f"{board.name(m.cell)} (from move {m.since} on)" for m in found.missed[:MAX_MISSED_NAMED]
    ]
    more = len(found.missed) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
