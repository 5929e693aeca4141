"""Numbers, probabilities and lists as text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sapper.sentences import joined, shortened

# An uncertain probability closer than this to 0 or 1 is shown as a bound.
MIN_SHOWN = 0.001


def percent(probability: float) -> str:
    """Return a probability as text; only certain ones are 0% and 100%.

    Halves are rounded up, as the page does it.

    >>> percent(0.125), percent(0.5), percent(1e-9), percent(1 - 1e-9), percent(0.0)
    ('12.5%', '50%', 'less than 0.1%', 'more than 99.9%', '0%')
    """
    if 0 < probability < MIN_SHOWN:
        return "less than 0.1%"
    if 1 - MIN_SHOWN < probability < 1:
        return "more than 99.9%"
    return f"{_digits(probability)}%"


def percent_label(probability: float | None) -> str:
    """Return a probability as a short text for a cell: digits alone, a word if it is certain.

    >>> [percent_label(p) for p in (0, 1e-9, 0.05, 0.126, 0.999999, 1, None)]
    ['safe', '<0.1', '5', '12.6', '>99.9', 'mine', '?']
    """
    if probability is None:
        return "?"
    if probability in (0, 1):
        return "mine" if probability else "safe"
    if probability < MIN_SHOWN:
        return "<0.1"
    return ">99.9" if probability > 1 - MIN_SHOWN else _digits(probability)


def _digits(probability: float) -> str:
    """Return a probability in percent, with one decimal unless that is zero."""
    tenths = math.floor(1000 * probability + 0.5)
    return f"{tenths // 10}.{tenths % 10}".removesuffix(".0")


def count_text(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> count_text(1, "move"), count_text(1024, "move")
    ('1 move', '1,024 moves')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(words: Sequence[str], max_words: int = 8) -> str:
    """Return words as a list in a sentence, shortened to *max_words* entries.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], max_words=3)
    ('a, b and c', 'a, b and 2 more')
    """
    return "".join(joined(shortened(words, max_words)))
