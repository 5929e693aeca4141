"""Results of a position as JSON: probabilities, proofs, guesses and hints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.analysis import Analysis
from sapper.engine.budget import Limit
from sapper.errors import OutOfBudget
from sapper.games.win_chance import best_move, move_facts
from sapper.games.win_estimates import MoveWinChance, WinChance
from sapper.players.agents import Choice
from sapper.players.guess import Candidate, Guess, GuessFact
from sapper.players.hints import best_guess
from sapper.players.reasons import describe_facts, fifty_fifty_with
from sapper.proofs.hints import Hint, Premise
from sapper.proofs.prover import Proof
from sapper.sentences import Sentence, plain_text
from sapper.serialize.cells import CellFormat, Json


def probabilities_json(
    analysis: Analysis, cell_format: CellFormat, *, fractions: bool = False
) -> Json:
    """Return the probability of every covered cell, and the certain cells."""
    position = analysis.position
    by_cell = (analysis.fractions if fractions else analysis.probabilities).by_cell
    values = [_number(by_cell.get(cell)) for cell in position.board.cells]
    return {
        **cell_format.values(position, "probabilities", values),
        "certain_mines": cell_format.cells(position.board, analysis.certain_mine_cells),
        "safe": cell_format.cells(position.board, analysis.safe_cells),
    }


def values_json(values: Mapping[int, float | Fraction] | None) -> Json | None:
    """Return the values that a cell may show: {"0": p, ...}, or None if they are unknown."""
    return None if values is None else {str(number): _number(p) for number, p in values.items()}


def solutions_json(analysis: Analysis, max_digits: int | None) -> Json:
    """Return the number of solutions: its logarithm, and its digits if *max_digits* is given."""
    count = None if max_digits is None else exact_solutions(analysis, max_digits)
    return {
        "ln_solutions": analysis.ln_solutions,
        "solutions": None if count is None else str(count),
    }


def exact_solutions(analysis: Analysis, max_digits: int) -> int | None:
    """Return the exact number, or None if it has more digits or takes too long to compute."""
    if analysis.ln_solutions > max_digits * math.log(10):
        return None
    try:
        return analysis.solutions
    except OutOfBudget:
        return None


def _number(value: float | Fraction | None) -> float | str | None:
    return str(value) if isinstance(value, Fraction) else value


def win_chance_json(chance: WinChance) -> Json:
    """Return a win chance with its interval; the fraction is None for an estimate."""
    fraction = None if chance.fraction is None else str(chance.fraction)
    return {**asdict(chance), "fraction": fraction}


def proof_json(proof: Proof, cell_format: CellFormat) -> Json:
    """Return a certain move, the numbers from which it follows, and the proof in words."""
    board = proof.position.board
    return {
        **cell_format.move(board, proof.move),
        "numbers": cell_format.cells(board, proof.number_cells),
        "uses_mine_count": proof.uses_mine_count,
        "smallest": proof.smallest,
        "difficulty": proof.difficulty,
        "text": proof.text,
        **cell_format.pieces(proof.describe(cell_label="the ringed cell")),
    }


def choice_json(
    choice: Choice, position: Position, cell_format: CellFormat, analysis: Analysis | None = None
) -> Json:
    """Return a player's move; the risk of a certain one is 0, and None if it is unknown.

    A guess has its candidates, with the values that each cell may show if *analysis* is given.
    """
    reason = choice.reason
    guess = reason if isinstance(reason, Guess) else None
    sentence = (reason.describe(position),) if guess is None else _guess_sentence(guess)
    return {
        **cell_format.move(position.board, choice.move),
        "certain": choice.certain,
        "reason": plain_text(sentence, position.board.names),
        **cell_format.pieces(sentence),
        "risk": 0.0 if guess is None else guess.risk,
        "among": 1 if guess is None else guess.among,
        "next_best": None if guess is None else _next_best_json(guess, position.board, cell_format),
        **guess_json(guess, position.board, cell_format, analysis),
    }


def _guess_sentence(guess: Guess) -> Sentence:
    if guess.explanation:
        return guess.explanation
    if guess.risk is None:
        return ("without a mine count, the probabilities are unknown",)
    return ("no covered cell is safer",)


def guess_json(
    guess: Guess | None, board: Board, cell_format: CellFormat, analysis: Analysis | None = None
) -> Json:
    """Return the candidates of a guess, its fifty-fifties and its exact win chance."""
    candidates, fifty_fifties = (guess.candidates, guess.fifty_fifties) if guess else ((), ())
    return {
        "candidates": [
            _guess_candidate_json(candidate, board, cell_format, analysis)
            for candidate in candidates
        ],
        "fifty_fifties": [
            {
                "one": cell_format.cells(board, fifty_fifty.one),
                "other": cell_format.cells(board, fifty_fifty.other),
                "enablers": cell_format.cells(board, fifty_fifty.enablers),
                "chance": fifty_fifty.chance,
            }
            for fifty_fifty in fifty_fifties
        ],
        "value": None if guess is None or guess.value is None else str(guess.value),
    }


def _guess_candidate_json(
    candidate: Candidate, board: Board, cell_format: CellFormat, analysis: Analysis | None
) -> Json:
    values = None if analysis is None else analysis.values(candidate.cell)
    return {
        "cell": cell_format.cell(board, candidate.cell),
        "risk": candidate.risk,
        "score": candidate.score,
        "influence": candidate.influence,
        "worth": candidate.relative_value,
        "value": None if candidate.value is None else str(candidate.value),
        "win_chance": candidate.rate,
        "error": candidate.error,
        "samples": candidate.samples,
        "values": values_json(values),
    }


def _next_best_json(guess: Guess, board: Board, cell_format: CellFormat) -> Json | None:
    if guess.next_best is None:
        return None
    cell, risk = guess.next_best
    return {"cell": cell_format.cell(board, cell), "risk": risk}


def best_guess_json(analysis: Analysis, limit: Limit, cell_format: CellFormat) -> Json | None:
    """Return the best guess with its reason and candidates; None if no guess is needed."""
    guess = best_guess(analysis, limit)
    if guess is None:
        return None
    choice = Choice(Move("reveal", guess.cell), guess)
    return choice_json(choice, analysis.position, cell_format, analysis)


def compared_moves_json(
    moves: Sequence[MoveWinChance],
    letters: Sequence[int],
    analysis: Analysis,
    limit: Limit,
    cell_format: CellFormat,
) -> Json:
    """Return the win chances of moves, the highest first, and which is the best and why.

    That is the safest of those whose win chance is not clearly below that of another. *letters* are
    the cells A, B, … of the sentence in a view of the board.
    """
    board = analysis.position.board
    best = best_move(moves)
    pair = fifty_fifty_with(analysis, best, limit)
    facts: tuple[GuessFact, ...] = ()
    if pair is not None:
        facts = (GuessFact("fifty_fifty", (pair,)),)
    elif len(moves) > 1:
        facts = move_facts(best, moves, analysis)
    sentence = describe_facts(facts, letters)
    return {
        "moves": [
            {
                "cell": cell_format.cell(board, move.cell),
                "risk": move.risk,
                **win_chance_json(move.win_chance),
                "behind": move.behind,
                "error": move.error,
            }
            for move in moves
        ],
        "best": cell_format.cell(board, best),
        "reason": plain_text(sentence, board.names),
        **cell_format.pieces(sentence),
    }


def hint_json(hint: Hint, cell_format: CellFormat) -> Json:
    """Return a hint; what belongs to a higher detail is empty."""
    board = hint.position.board
    return {
        "detail": hint.detail,
        "text": hint.text,
        "certain": hint.certain,
        "difficulty": hint.difficulty,
        "look": cell_format.cells(board, hint.look_cells),
        "numbers": cell_format.cells(board, hint.number_cells),
        "uses_mine_count": hint.uses_mine_count,
        "moves": cell_format.moves(board, hint.moves),
        "risk": hint.risk,
        "premises": [_premise_json(premise, board, cell_format) for premise in hint.premises],
        "candidates": [
            {
                "cell": cell_format.cell(board, candidate.cell),
                "risk": candidate.risk,
                "values": {str(value): p for value, p in candidate.values},
                "progress": candidate.progress,
                "wins": candidate.wins,
            }
            for candidate in hint.candidates
        ],
        "guess": _hint_guess_json(hint, cell_format) if hint.reason else None,
        "wrong_flag": hint.wrong_flag,
        "simple": hint.simple,
        **cell_format.pieces(hint.sentence),
    }


def _hint_guess_json(hint: Hint, cell_format: CellFormat) -> Json:
    board = hint.position.board
    cell = hint.moves[0].cell
    assert cell is not None
    return {
        "cell": cell_format.cell(board, cell),
        "risk": hint.risk,
        "reason": plain_text(hint.reason, board.names),
        **cell_format.pieces(hint.reason),
    }


def _premise_json(premise: Premise, board: Board, cell_format: CellFormat) -> Json:
    """Return a cell that a step takes as known, with its proof."""
    return {
        "cell": cell_format.cell(board, premise.proof.cell),
        "is": "mine" if premise.proof.is_mine else "safe",
        "flagged": premise.flagged,
        "numbers": cell_format.cells(board, premise.proof.number_cells),
        "uses_mine_count": premise.proof.uses_mine_count,
        "text": premise.text,
        **cell_format.pieces(premise.sentence),
    }
