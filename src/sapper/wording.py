"""Numbers and lists as they stand in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "move"), counted(1024, "move")
    ('1 move', '1,024 moves')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: Sequence[str], most: int = 8) -> str:
    """Words as a list in a sentence; beyond *most* only their number.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], most=3)
    ('a, b and c', 'a, b and 2 more')
    """
    return spelled_out(shortened(words, most))


def shortened(words: Sequence[str], most: int) -> Sequence[str]:
    """The first words, and the number of the others."""
    if len(words) <= most:
        return words
    return [*words[: most - 1], f"{len(words) - most + 1} more"]


def spelled_out(words: Sequence[str]) -> str:
    """Words as a list in a sentence."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
