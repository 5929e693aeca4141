"""Whole games by the compiled human-like algorithm, also on huge boards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.layout import Layout
from sapper.board.position import COVERED, Position
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.solvers.human import load_marks
from sapper.kernels.solvers.human import play_out as clear_cells
from sapper.solvers.human import make_human_state


@dataclass(frozen=True)
class HumanGame:
    """The end of a game by the human-like algorithm: won, or stuck."""

    position: Position
    won: bool
    by_strategy: tuple[int, ...]
    """The number of cells that each strategy decided, from strategy 1 on."""


def play_human(layout: Layout, first: int | None = None) -> HumanGame:
    """Play a layout from a click on a safe cell, by default its own, until won or stuck.

    >>> play_human(Layout.parse("*..c")).won
    True
    """
    cell = layout.click if first is None else layout.board.cell(first)
    if cell is None:
        raise RulesError("the layout has no first click")
    if layout.mine_mask[cell]:
        raise RulesError(f"the first click {layout.board.name(cell)} is a mine")
    marks = np.full(len(layout.board), COVERED, dtype=np.int32)
    tally = np.zeros(8, dtype=np.int64)
    work = make_human_state(layout.board, marks, tally)
    load_marks(work)
    clear_cells(work, view(layout.numbers), cell)
    return HumanGame(
        Position(layout.board, marks, layout.mine_count),
        int((marks >= 0).sum()) == len(layout.board) - layout.mine_count,
        tuple(tally[1:].tolist()),
    )
