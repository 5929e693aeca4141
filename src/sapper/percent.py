"""Odds as percentages, the same digits everywhere: in sentences, in cells, on the page.

One decimal, halves rounded up, so that a browser writes what Python writes; 0 and 100 are kept for
what is certain.
"""

from __future__ import annotations

import math

LEAST = 0.001
"""Uncertain odds nearer than this to 0 or 1 are told as a bound."""


def percent(odds: float) -> str:
    """Odds in a sentence.

    >>> percent(0.125), percent(0.0625), percent(1e-9), percent(1 - 1e-9), percent(0.0)
    ('12.5 %', '6.3 %', 'less than 0.1 %', 'more than 99.9 %', '0 %')
    """
    if odds in (0.0, 1.0):
        return f"{100 * odds:.0f} %"
    if odds < LEAST:
        return "less than 0.1 %"
    if odds > 1 - LEAST:
        return "more than 99.9 %"
    return f"{_digits(odds)} %"


def percent_label(odds: float | None) -> str:
    """Odds in the little room of a cell: the digits alone, a word for what is certain.

    >>> [percent_label(p) for p in (0, 1e-9, 0.05, 0.126, 0.999999, 1, None)]
    ['free', '<0.1', '5.0', '12.6', '>99.9', 'mine', '?']
    """
    if odds is None:
        return "?"
    if odds in (0, 1):
        return "mine" if odds else "free"
    if odds < LEAST:
        return "<0.1"
    return ">99.9" if odds > 1 - LEAST else _digits(odds)


def _digits(odds: float) -> str:
    tenths = math.floor(1000 * odds + 0.5)
    return f"{tenths // 10}.{tenths % 10}"
