"""Results of a position as JSON: probabilities, proofs, guesses and hints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.engine.analysis import Analysis
from sapper.engine.budget import Limit
from sapper.errors import OutOfBudget
from sapper.games.win_estimates import WinChance
from sapper.players.agents import Choice
from sapper.players.guess import Candidate, Guess
from sapper.players.hints import best_guess
from sapper.proofs.hints import Hint, Premise
from sapper.proofs.prover import Proof
from sapper.sentences import Sentence, plain_text
from sapper.serialize.cells import CellFormat, Json

# Risks, scores and chances that differ by less than this count as equal.
TOLERANCE = 0.0005


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
        **cell_format.pieces(proof.sentence),
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
        **_guess_json(guess, position.board, cell_format, analysis),
    }


def _guess_sentence(guess: Guess) -> Sentence:
    if guess.risk is None:
        return ("without a mine count, the probabilities are unknown",)
    return guess.explanation or ("no covered cell has a lower probability",)


def _guess_json(
    guess: Guess | None, board: Board, cell_format: CellFormat, analysis: Analysis | None = None
) -> Json:
    """Return the candidates of a guess, its fifty-fifties and its exact win chance."""
    candidates, fifty_fifties = (guess.candidates, guess.fifty_fifties) if guess else ((), ())
    return {
        "candidates": [
            _guess_candidate_json(candidates[0], candidate, board, cell_format, analysis)
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
    best: Candidate,
    candidate: Candidate,
    board: Board,
    cell_format: CellFormat,
    analysis: Analysis | None,
) -> Json:
    values = None if analysis is None else analysis.values(candidate.cell)
    return {
        "cell": cell_format.cell(board, candidate.cell),
        "risk": candidate.risk,
        "why_not": None if candidate is best else why_not(best, candidate),
        "score": candidate.score,
        "influence": candidate.influence,
        "worth": candidate.relative_value,
        "value": None if candidate.value is None else str(candidate.value),
        "win_chance": candidate.rate,
        "error": candidate.error,
        "samples": candidate.samples,
        "values": values_json(values),
    }


def why_not(best: Candidate, other: Candidate) -> str:
    """Say why a player prefers *best* to another candidate, as the end of a sentence.

    >>> why_not(Candidate(0, 0.1, 0.8), Candidate(1, 0.2, 0.7))
    'riskier'
    >>> why_not(Candidate(0, 0.2), Candidate(1, 0.2))
    'as risky'
    >>> from fractions import Fraction
    >>> why_not(Candidate(0, 0.5, value=Fraction(1, 2)), Candidate(1, 0.5))
    'as risky, but only the other is known to be perfect play'
    >>> why_not(Candidate(0, 0.2, 0.8), Candidate(1, 0.15, 0.7))
    'safer now, but its score two moves ahead is lower'
    >>> why_not(Candidate(0, 0.2, relative_value=0.0), Candidate(1, 0.15, relative_value=-0.01))
    'safer now, but it is worth less in the long run'
    """
    risk = other.risk - best.risk
    if risk > TOLERANCE:
        return "riskier"
    if other.influence < best.influence - TOLERANCE:
        return f"{_risk_clause(risk)} it leaves a fifty-fifty unsettled"
    if best.score is not None and other.score is not None and other.score < best.score - TOLERANCE:
        return f"{_risk_clause(risk)} its score two moves ahead is lower"
    if (
        best.relative_value is not None
        and other.relative_value is not None
        and other.relative_value < best.relative_value - TOLERANCE
    ):
        return f"{_risk_clause(risk)} it is worth less in the long run"
    if best.value is not None:
        # Another cell may be as good: the search stops at the first one.
        return f"{_risk_clause(risk)} only the other is known to be perfect play"
    return "safer, but the search preferred the other" if risk < -TOLERANCE else "as risky"


def _risk_clause(risk: float) -> str:
    return "safer now, but" if risk < -TOLERANCE else "as risky, but"


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
            }
            for candidate in hint.candidates
        ],
        "wrong_flag": hint.wrong_flag,
        "simple": hint.simple,
        **cell_format.pieces(hint.sentence),
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
