"""Probabilities, values and solutions of an analysis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from sapper.engine.analysis import Analysis
from sapper.errors import OutOfBudget
from sapper.games.win_estimates import WinChance
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
    return {
        "value": chance.value,
        "low": chance.low,
        "high": chance.high,
        "samples": chance.samples,
        "exact": chance.exact,
        "fraction": None if chance.fraction is None else str(chance.fraction),
        "player": chance.player,
    }
