"""Moves with their reasons, as dictionaries: proofs, guesses, nudges."""

from __future__ import annotations

from sapper.answers.spelling import Json, Spelling
from sapper.infer.odds.analysis import Analysis
from sapper.infer.proofs.follows import Follow
from sapper.infer.proofs.nudges import Nudge, Weighing
from sapper.infer.proofs.prove import Proof
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.model.move import Move
from sapper.play.guess import Guess, Weighed
from sapper.play.rounds import Choice

# Risks, scores and chances nearer than this are told as equal: nobody plays by less.
SAME = 0.0005


def proof_json(proof: Proof, by: Spelling) -> Json:
    """A certain move, the hints from which it follows, and the proof in words."""
    board = proof.frame.board
    return {
        **by.move(board, proof.move),
        "hints": by.cells(board, proof.hint_cells),
        "mine_count": proof.mine_count,
        "smallest": proof.smallest,
        "rung": proof.rung,
        "text": by.said(proof.text),
        **by.pieces(proof.sentence),
    }


def choice_json(
    choice: Choice, frame: Frame, by: Spelling, analysis: Analysis | None = None
) -> Json:
    """A player's move; a certain one has no risk, and null stands for an unknown one.

    Of a guess also what was weighed, with the numbers that each cell may show where the
    *analysis* of the frame is at hand.
    """
    guess = choice.why if isinstance(choice.why, Guess) else None
    return {
        **by.move(frame.board, choice.move),
        "certain": choice.certain,
        "why": by.said(choice.why.reason(frame)),
        "risk": 0.0 if guess is None else guess.risk,
        "among": 1 if guess is None else guess.among,
        "next_best": None if guess is None else _next_best(guess, frame.board, by),
        **_behind_json(guess, frame.board, by, analysis),
    }


def _behind_json(
    guess: Guess | None, board: Board, by: Spelling, analysis: Analysis | None = None
) -> Json:
    """What stands behind a guess: candidates, fifty-fifties, the exact chance of winning."""
    weighed, fifties = (guess.weighed, guess.fifty_fifties) if guess else ((), ())
    return {
        "candidates": [_candidate(weighed[0], one, board, by, analysis) for one in weighed],
        "fifty_fifties": [
            {
                "one": by.cells(board, one.one),
                "other": by.cells(board, one.other),
                "enablers": by.cells(board, one.enablers),
                "chance": one.chance,
            }
            for one in fifties
        ],
        "value": None if guess is None or guess.value is None else str(guess.value),
    }


def _candidate(
    best: Weighed, one: Weighed, board: Board, by: Spelling, analysis: Analysis | None
) -> Json:
    numbers = None if analysis is None else analysis.numbers(one.cell)
    return {
        "cell": by.cell(board, one.cell),
        "risk": one.risk,
        "why_not": None if one is best else why_not(best, one),
        "score": one.score,
        "influence": one.influence,
        "worth": one.worth,
        "value": None if one.value is None else str(one.value),
        "rate": one.rate,
        "error": one.error,
        "samples": one.samples,
        "numbers": None if numbers is None else {str(v): p for v, p in numbers.items()},
    }


def why_not(best: Weighed, other: Weighed) -> str:
    """Why a player took *best* and not this one, as the end of a sentence.

    >>> why_not(Weighed(0, 0.1, 0.8), Weighed(1, 0.2, 0.7))
    'riskier'
    >>> why_not(Weighed(0, 0.2), Weighed(1, 0.2))
    'as risky, and no better'
    >>> why_not(Weighed(0, 0.2, 0.8), Weighed(1, 0.15, 0.7))
    'safer now, but it promises less two moves on'
    >>> why_not(Weighed(0, 0.2, worth=0.0), Weighed(1, 0.15, worth=-0.01))
    'safer now, but it is worth less in the long run'
    """
    risk = other.risk - best.risk
    if risk > SAME:
        return "riskier"
    if other.influence < best.influence - SAME:
        return f"{_now(risk)} it leaves a fifty-fifty unsettled"
    if best.score is not None and other.score is not None and other.score < best.score - SAME:
        return f"{_now(risk)} it promises less two moves on"
    if best.worth is not None and other.worth is not None and other.worth < best.worth - SAME:
        return f"{_now(risk)} it is worth less in the long run"
    if best.value is not None:
        return f"{_now(risk)} perfect play does not begin here"
    return (
        "safer, but the search preferred the other" if risk < -SAME else "as risky, and no better"
    )


def _now(risk: float) -> str:
    return "safer now, but" if risk < -SAME else "as risky, but"


def _next_best(guess: Guess, board: Board, by: Spelling) -> Json | None:
    if guess.next_best is None:
        return None
    cell, risk = guess.next_best
    return {"cell": by.cell(board, cell), "risk": risk}


def nudge_json(nudge: Nudge, board: Board, by: Spelling) -> Json:
    """What a player is told, and nothing above the degree asked for."""

    def cells(names: tuple[str, ...]) -> list[str | int]:
        return by.cells(board, map(board.cell, names))

    def moves(texts: tuple[str, ...]) -> list[object]:
        return by.moves(board, [Move.parse(text, board) for text in texts])

    return {
        "degree": nudge.degree,
        "text": by.said(nudge.text),
        "certain": nudge.certain,
        "rung": nudge.rung,
        "look": cells(nudge.look),
        "hints": cells(nudge.hints),
        "mine_count": nudge.mine_count,
        "moves": moves(nudge.moves),
        "play": moves(nudge.play),
        "odds": nudge.odds,
        "follows": [_follow_json(one, board, by) for one in nudge.follows],
        "candidates": [_weighing_json(one, board, by) for one in nudge.candidates],
        "wrong_flag": nudge.wrong_flag,
        "simple": nudge.simple,
        **by.pieces(nudge.sentence),
    }


def _follow_json(one: Follow, board: Board, by: Spelling) -> Json:
    """A cell that a step takes as known, with its own reason."""
    return {
        "cell": by.cell(board, board.cell(one.cell)),
        "is": "mine" if one.mine else "free",
        "flagged": one.flagged,
        "hints": by.cells(board, map(board.cell, one.hints)),
        "mine_count": one.mine_count,
        "text": by.said(one.why),
        **by.pieces(one.sentence),
    }


def _weighing_json(one: Weighing, board: Board, by: Spelling) -> Json:
    """A cell that is worth weighing before a guess."""
    return {
        "cell": by.cell(board, board.cell(one.cell)),
        "risk": one.risk,
        "numbers": {str(number): p for number, p in one.numbers},
        "helps": one.helps,
    }
