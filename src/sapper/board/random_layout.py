"""Deals: one layout of mines, fixed by rules, seed and first click.

A deal is the same on every machine, Python version and release.
Its random choices come from `sapper.board.random_stream`; the cells that the rule leaves, in ascending
order, are shuffled, and the first of them become the mines.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np

from sapper.board.layout import Layout
from sapper.board.random_stream import SEEDS as SEEDS
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules
from sapper.errors import NotationError
from sapper.values import check_int


@dataclass(frozen=True)
class GeneratedLayout:
    """Rules, seed and first click, with the layout that they fix."""

    rules: Rules
    seed: int
    first: int
    layout: Layout

    def __repr__(self) -> str:
        rules = self.rules
        return f"<Deal {rules.board}/{rules.mines} {rules.rule}, seed {self.seed}>"


def deal(
    rules: Rules | str,
    seed: int | None = None,
    first: int | str | None = None,
    *,
    rule: str | None = None,
    tiling: str | None = None,
) -> GeneratedLayout:
    """The deal of a seed, uniform over all layouts that the rule allows.

    *rules* are Rules, a level or a size such as 30x16/99; *rule* is any, safe or zero.
    *first* is the first click, the board's middle unless given; a seed that is not given is fresh.

    >>> print(deal("5x3/4", seed=1).layout)
    *....
    *.c.*
    *....
    """
    rules = Rules.of(rules, tiling, rule)
    cell = rules.first_cell(first)
    seed = random_seed() if seed is None else check_int(seed, "a seed")
    stream = RandomStream(seed)
    rules.check_first(cell)
    cells = np.arange(len(rules.board), dtype=np.int32)
    allowed = np.delete(cells, list(rules.mine_free_cells(cell)))
    mines = stream.mines(allowed, rules.mines, len(cells))
    # Under "any" the first click may be a mine: then the layout has no click to show.
    click = None if mines[cell] else cell
    return GeneratedLayout(rules, seed, cell, Layout(rules.board, mines, click))


def random_seed() -> int:
    """A seed that nobody has used; whoever takes one reports it."""
    return secrets.randbits(48)


def parse_seed(text: str) -> int:
    """A seed as its decimal digits."""
    # More than 20 digits are not worth reading: Python takes quadratic time over them.
    digits = text.isascii() and text.isdigit() and len(text) <= 20
    if not digits or int(text) >= SEEDS:
        raise NotationError(f"expected a seed from 0 to {SEEDS - 1}, got {text!r:.60}")
    return int(text)
