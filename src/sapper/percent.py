"""Odds as percentages: one way for sentences, one for the little room of a cell."""

from __future__ import annotations


def percent(odds: float) -> str:
    """Odds in a sentence; 0 and 100 are kept for what is certain.

    >>> percent(0.125), percent(1e-9), percent(1 - 1e-9), percent(0.0)
    ('12.5 %', 'less than 0.1 %', 'more than 99.9 %', '0 %')
    """
    if odds in (0.0, 1.0):
        return f"{100 * odds:.0f} %"
    if odds < 0.001:
        return "less than 0.1 %"
    if odds > 0.999:
        return "more than 99.9 %"
    return f"{100 * odds:.1f} %"


def percent_label(odds: float | None) -> str:
    """Odds in a cell; 0% and 100% are kept for what is certain, a question mark stands for none.

    >>> [percent_label(p) for p in (0, 1e-9, 0.004, 0.126, 0.999999, 1, None)]
    ['0%', '<1%', '<1%', '13%', '>99%', '100%', '?']
    """
    if odds is None:
        return "?"
    if odds in (0, 1):
        return f"{100 * odds:.0f}%"
    rounded = round(100 * odds)
    return "<1%" if rounded < 1 else ">99%" if rounded > 99 else f"{rounded}%"
