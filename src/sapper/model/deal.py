"""Deals: one layout of mines, fixed by rules, seed and first click.

A deal is the same on every machine, Python version and release.
The generator is xoshiro256** seeded by SplitMix64; a number below a bound comes from its high
32 bits by Lemire's method. The cells that the rule leaves, in ascending order, are shuffled
by Fisher-Yates from the front; the first of them become the mines.
docs/formats.md writes it down in full, and golden deals in the tests hold it fast.
"""

from __future__ import annotations

import operator
import secrets
from dataclasses import dataclass

import numpy as np

from sapper.errors import NotationError, RulesError
from sapper.kernels import view
from sapper.kernels.boards.deal import deal_mines, seed_state
from sapper.model.layout import Layout
from sapper.model.rules import Rules

SEEDS = 2**64


@dataclass(frozen=True)
class Deal:
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
) -> Deal:
    """The deal of a seed, uniform over all layouts that the rule allows.

    *rules* are Rules, a level or a size such as 30x16/99; *rule* is any, safe or zero.
    *first* is the first click, the board's middle unless given; a seed that is not given is fresh.

    >>> print(deal("5x3/4", seed=1).layout)
    *....
    *.c.*
    *....
    """
    rules = Rules.of(rules, tiling, rule)
    cell = rules.board.middle if first is None else rules.board.cell(first)
    seed = fresh_seed() if seed is None else operator.index(seed)
    if not 0 <= seed < SEEDS:
        raise RulesError(f"expected a seed from 0 to {SEEDS - 1}, got {seed}")
    rules.check_first(cell)
    mines = np.zeros(len(rules.board), dtype=np.uint8)
    mines[list(rules.kept_free(cell))] = 1
    allowed = np.flatnonzero(mines == 0).astype(np.int32)
    mines[:] = 0
    state = np.empty(4, dtype=np.uint64)
    seed_state(seed, view(state))
    deal_mines(view(state), view(allowed), rules.mines, view(mines))
    # Under "any" the first click may be a mine: then the layout has no click to show.
    click = None if mines[cell] else cell
    return Deal(rules, seed, cell, Layout(rules.board, mines, click))


def fresh_seed() -> int:
    """A seed that nobody has used; whoever takes one reports it."""
    return secrets.randbits(48)


def parse_seed(text: str) -> int:
    """A seed as its decimal digits."""
    # More than 20 digits are not worth reading: Python takes quadratic time over them.
    digits = text.isascii() and text.isdigit() and len(text) <= 20
    if not digits or int(text) >= SEEDS:
        raise NotationError(f"expected a seed from 0 to {SEEDS - 1}, got {text!r:.60}")
    return int(text)
