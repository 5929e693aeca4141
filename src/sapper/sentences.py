"""Sentences that name cells in a text, and point at them where there is a board to point at.

A sentence is a row of pieces: words, and points. A point knows its cells and two ways to say them.

>>> one = CellRef((0,), "r1c1", "the outlined 2")
>>> named((one, " needs 2."))
'r1c1 needs 2.'
>>> [piece if isinstance(piece, str) else piece.pointed for piece in pointed((one, " needs 2."))]
['The outlined 2', ' needs 2.']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class CellRef:
    """Cells of a board in a sentence."""

    cells: tuple[int, ...]
    named: str
    """Their names, or words with their names."""
    pointed: str
    """What is said of them where they can be seen."""


Piece = str | CellRef
Sentence = tuple[Piece, ...]


def named(sentence: Iterable[Piece]) -> str:
    """The sentence with the names of its cells."""
    return "".join(piece if isinstance(piece, str) else piece.named for piece in sentence)


def pointed(sentence: Iterable[Piece]) -> Sentence:
    """The sentence for eyes on the board: every sentence in it begins with a capital letter."""
    pieces: list[Piece] = []
    begins = True
    for piece in sentence:
        text = piece if isinstance(piece, str) else piece.pointed
        if begins and text:
            text = text[0].upper() + text[1:]
            begins = False
        if text:
            begins = text.rstrip().endswith(".")
        pieces.append(text if isinstance(piece, str) else replace(piece, pointed=text))
    return tuple(pieces)


def joined(points: Sequence[Piece]) -> list[Piece]:
    """Pieces as a list in a sentence: a, b and c."""
    row: list[Piece] = []
    for i, point in enumerate(points):
        if i:
            row.append(" and " if i == len(points) - 1 else ", ")
        row.append(point)
    return row
