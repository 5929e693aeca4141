"""Random layouts, fixed by rules, seed and first click on every machine and in every release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.layout import Layout
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules


def random_layout(rules: Rules, seed: int, first: int) -> Layout:
    """Return the layout of a seed; all layouts that the rules allow are equally likely.

    *first* is the cell of the first click.

    >>> print(random_layout(Rules.parse("5x3/4"), 1, 7))
    *....
    *.c.*
    *....
    """
    stream = RandomStream(seed)
    rules.check_first(first)
    cells = np.arange(len(rules.board), dtype=np.int32)
    allowed = np.delete(cells, list(rules.mine_free_cells(first)))
    mines = stream.draw_mines(allowed, rules.mines, len(cells))
    # With the rule "any" the first click may be a mine, which a layout does not accept as a click.
    return Layout(rules.board, mines, None if mines[first] else first)


@dataclass(frozen=True)
class GeneratedLayout:
    """A layout with the rules, the seed and the first click that determine it."""

    rules: Rules
    seed: int
    first: int
    layout: Layout

    def __repr__(self) -> str:
        rules = self.rules
        return f"<GeneratedLayout {rules.board}/{rules.mines} {rules.rule}, seed {self.seed}>"
