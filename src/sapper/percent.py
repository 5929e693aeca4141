"""Probabilities as percentages, the same digits everywhere: in sentences, in cells, on the page.

One decimal, halves rounded up, so that a browser writes what Python writes; 0 and 100 are kept for
what is certain.
"""

from __future__ import annotations

import math

LEAST = 0.001
"""Uncertain probabilities nearer than this to 0 or 1 are told as a bound."""


def percent(probability: float) -> str:
    """Probabilities in a sentence.

    >>> percent(0.125), percent(0.0625), percent(1e-9), percent(1 - 1e-9), percent(0.0)
    ('12.5 %', '6.3 %', 'less than 0.1 %', 'more than 99.9 %', '0 %')
    """
    if probability in (0.0, 1.0):
        return f"{100 * probability:.0f} %"
    if probability < LEAST:
        return "less than 0.1 %"
    if probability > 1 - LEAST:
        return "more than 99.9 %"
    return f"{_digits(probability)} %"


def percent_label(probability: float | None) -> str:
    """Probabilities in the little room of a cell: the digits alone, a word for what is certain.

    >>> [percent_label(p) for p in (0, 1e-9, 0.05, 0.126, 0.999999, 1, None)]
    ['free', '<0.1', '5.0', '12.6', '>99.9', 'mine', '?']
    """
    if probability is None:
        return "?"
    if probability in (0, 1):
        return "mine" if probability else "safe"
    if probability < LEAST:
        return "<0.1"
    return ">99.9" if probability > 1 - LEAST else _digits(probability)


def _digits(probability: float) -> str:
    tenths = math.floor(1000 * probability + 0.5)
    return f"{tenths // 10}.{tenths % 10}"
