"""Whole games by the compiled human-like algorithm: for campaigns and huge boards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.errors import RulesError
from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.ladder.human import begin
from sapper.kernels.ladder.human import clear as clear_cells
from sapper.model.frame import BLANK, Frame
from sapper.model.layout import Layout


@dataclass(frozen=True)
class Cleared:
    """How far the human-like algorithm came: the last frame, and what it settled there."""

    frame: Frame
    won: bool
    by_strategy: tuple[int, ...]
    """How many cells each strategy settled; the first entry is strategy 1."""


def clear(layout: Layout, first: int | None = None) -> Cleared:
    """Play a layout from a click on a free cell, its own unless given, until stuck or won.

    >>> clear(Layout.parse("*..c")).won
    True
    """
    cell = layout.click if first is None else layout.board.cell(first)
    if cell is None or layout.mine_mask[cell]:
        raise RulesError(f"expected a first click on a free cell, got {_shown(layout, cell)}")
    marks = np.full(len(layout.board), BLANK, dtype=np.int32)
    tally = np.zeros(8, dtype=np.int64)
    work = make_ladder(layout.board, marks, tally)
    begin(work)
    clear_cells(work, view(layout.hints), cell)
    return Cleared(
        Frame(layout.board, marks, layout.mine_count),
        int((marks >= 0).sum()) == len(layout.board) - layout.mine_count,
        tuple(tally[1:].tolist()),
    )


def _shown(layout: Layout, cell: int | None) -> str:
    return "none" if cell is None else f"a mine at {layout.board.name(cell)}"
