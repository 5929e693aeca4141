"""Odds, numbers and placements of an analysis, as dictionaries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from sapper.answers.spelling import Json, Spelling
from sapper.errors import OutOfBudget
from sapper.infer.odds.analysis import Analysis


def odds_json(analysis: Analysis, by: Spelling, *, fractions: bool = False) -> Json:
    """The odds of every cell that is not revealed, and what is certain."""
    frame = analysis.frame
    odds = analysis.fractions if fractions else analysis.odds
    values = [
        _plain(odds[cell]) if mark < 0 else None for cell, mark in enumerate(frame.marks.tolist())
    ]
    return {
        **by.values(frame, "odds", values),
        "flag": by.cells(frame.board, analysis.flag_cells),
        "reveal": by.cells(frame.board, analysis.reveal_cells),
    }


def numbers_json(numbers: Mapping[int, float | Fraction] | None) -> Json | None:
    """What one cell may show: {"0": p, ...}, or null where there are no such odds."""
    return None if numbers is None else {str(number): _plain(p) for number, p in numbers.items()}


def placements_json(analysis: Analysis, most_digits: int | None) -> Json:
    """How many satisfactory placements there are: as a logarithm, and as digits unless None."""
    count = None if most_digits is None else exact_placements(analysis, most_digits)
    return {
        "ln_placements": analysis.ln_placements,
        "placements": None if count is None else str(count),
    }


def exact_placements(analysis: Analysis, most_digits: int) -> int | None:
    """The exact number, unless it has more digits or would take too long to find."""
    if analysis.ln_placements > most_digits * math.log(10):
        return None
    try:
        return analysis.placements
    except OutOfBudget:
        return None


def _plain(value: float | Fraction | None) -> float | str | None:
    return str(value) if isinstance(value, Fraction) else value
