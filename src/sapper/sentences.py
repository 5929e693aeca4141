"""Sentences about cells, as data: plain text names the cells, a view of the board highlights them.

A sentence is a sequence of pieces: strings, and references to cells. A reference has two forms.
`text` is for plain text, where an integer is shown as the name of that cell; `label` is for a view
of the board, which highlights `cells` when the user points at the label.

>>> sentence = (CellRef((0,), "the outlined 2"), " needs 2 mines.")
>>> plain_text(sentence, ["r1c1"])
'r1c1 needs 2 mines.'
>>> board_pieces(sentence)
[('The outlined 2', (0,), ''), (' needs 2 mines.', (), '')]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class CellRef:
    """A reference to cells in a sentence."""

    cells: tuple[int, ...]
    label: str
    text: tuple[str | int, ...] = ()
    """The form in plain text; where it is empty, the cell names as a list."""
    letter: str = ""
    """The letter that a view of the board shows on all of the cells, if any."""

    def plain(self, names: Sequence[str]) -> str:
        """Return the reference as plain text; *names* are the names of all cells of the board."""
        parts = self.text or name_list(self.cells)
        return "".join(part if isinstance(part, str) else names[part] for part in parts)


Piece = str | CellRef
Sentence = tuple[Piece, ...]


def plain_text(sentence: Iterable[Piece], names: Sequence[str]) -> str:
    """Return a sentence with the names of its cells."""
    return "".join(piece if isinstance(piece, str) else piece.plain(names) for piece in sentence)


def board_pieces(sentence: Iterable[Piece]) -> list[tuple[str, tuple[int, ...], str]]:
    """Return a sentence for a view of the board: texts with the cells to highlight and letters."""
    pieces = (CellRef((), p) if isinstance(p, str) else p for p in capitalised(sentence))
    return [(p.label, p.cells, p.letter) for p in pieces if p.label]


def capitalised(sentence: Iterable[Piece]) -> Sentence:
    """Return a sentence whose first letter is a capital in a view of the board."""
    first, *rest = sentence
    if isinstance(first, str):
        return (first[:1].upper() + first[1:], *rest)
    return (replace(first, label=first.label[:1].upper() + first.label[1:]), *rest)


def name_list(cells: Sequence[int], max_names: int = 8) -> tuple[str | int, ...]:
    """Return cells as a list in plain text, shortened to *max_names* entries.

    >>> CellRef((), "", name_list([0, 1, 2, 3], max_names=3)).plain("abcd")
    'a, b and 2 more'
    """
    return tuple(joined(shortened(cells, max_names)))


def shortened(items: Sequence[Item], max_items: int) -> list[Item | str]:
    """Return at most *max_items* items; the last one may say how many more there are."""
    if len(items) <= max_items:
        return list(items)
    return [*items[: max_items - 1], f"{len(items) - max_items + 1} more"]


def joined(items: Sequence[Item]) -> list[Item | str]:
    """Return items as a list in a sentence: a, b and c."""
    pieces: list[Item | str] = []
    for i, item in enumerate(items):
        if i:
            pieces.append(" and " if i == len(items) - 1 else ", ")
        pieces.append(item)
    return pieces
