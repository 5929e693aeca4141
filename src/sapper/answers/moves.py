"""Moves with their reasons, as dictionaries: proofs, guesses, nudges."""

from __future__ import annotations

from sapper.answers.spelling import Json, Spelling
from sapper.infer.proofs.nudges import Nudge
from sapper.infer.proofs.prove import Proof
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.model.move import Move
from sapper.play.guess import Guess
from sapper.play.rounds import Choice


def proof_json(proof: Proof, by: Spelling) -> Json:
    """A certain move, the hints from which it follows, and the proof in words."""
    board = proof.frame.board
    return {
        **by.move(board, proof.move),
        "hints": by.cells(board, proof.hint_cells),
        "mine_count": proof.mine_count,
        "smallest": proof.smallest,
        "rung": proof.rung,
        "text": proof.text,
    }


def choice_json(choice: Choice, frame: Frame, by: Spelling) -> Json:
    """A player's move; a certain one has no risk, a random one an unknown risk (null)."""
    guess = choice.why if isinstance(choice.why, Guess) else None
    return {
        **by.move(frame.board, choice.move),
        "certain": choice.certain,
        "why": choice.why.reason(frame),
        "risk": 0.0 if guess is None else guess.risk,
        "among": 1 if guess is None else guess.among,
        "next_best": None if guess is None else _next_best(guess, frame.board, by),
    }


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
        "text": nudge.text,
        "certain": nudge.certain,
        "rung": nudge.rung,
        "look": cells(nudge.look),
        "hints": cells(nudge.hints),
        "mine_count": nudge.mine_count,
        "moves": moves(nudge.moves),
        "play": moves(nudge.play),
        "odds": nudge.odds,
    }
