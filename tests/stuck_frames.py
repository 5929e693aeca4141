"""Named, seeded sets of frames, for benchmarks and tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

import sapper
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.engine import make_workspace
from sapper.kernels import view
from sapper.kernels.boards import deal
from sapper.kernels.codes import FREE
from sapper.kernels.odds import fronts
from sapper.model.board import Board
from sapper.model.frame import BLANK, Frame
from sapper.model.layout import Layout
from sapper.model.move import Move


def stuck_frames(size: str, seeds: range, tiling: str = "square") -> Iterator[Frame]:
    """Frames of games on which no single hint decides anything; play goes on by the true layout.

    A game ends when all is open. Where it is stuck, a random free blank of the perimeter is opened.
    """
    rules = sapper.Rules.parse(size, tiling=tiling)
    for seed in seeds:
        layout = sapper.deal(rules, seed).layout
        start = [rules.board.middle]
        yield from _play(rules.board, layout.mine_mask, start, random.Random(seed))


def single_hint_frame(layout: Layout) -> Frame:
    """The frame, without flags, where single-hint rules stop first on a layout."""
    assert layout.click is not None
    game = sapper.Game.on(layout)
    game.play(Move("reveal", layout.click))
    climb = Climb(game.frame)
    while not game.over and (found := climb.moves()) is not None and found[0] == RUNGS[0].name:
        step = climb.step()
        assert step is not None
        for cell in step.reveal:
            if game.frame.marks[cell] == BLANK:
                game.play(Move("reveal", cell))
        climb.see(game.frame)
    return game.frame


def opened_frame(width: int, height: int, share: float, openings: int, seed: int) -> Frame:
    """A big board with some openings, played on by single hints until these are stuck."""
    board = sapper.tiling("square", width, height)
    mines = _random_mines(board, share, seed)
    hints = _hints(board, mines)
    rng = random.Random(seed)
    zeros = np.flatnonzero((hints == 0) & (mines == 0)).tolist()
    start = rng.sample(zeros, min(openings, len(zeros)))
    return next(_play(board, mines, start, rng))


def patterned_frame(pattern: str, side: int, share: float, seed: int = 1) -> Frame:
    """Hard frames: hints on a pattern of cells, everything else blank.

    checkerboard: every other cell; random: half of the cells; lattice: odd rows and columns.
    Cells of the pattern that hold a mine stay blank, except on a lattice, which has none there.
    """
    board = sapper.tiling("square", side, side)
    rows, columns = np.divmod(np.arange(len(board)), side)
    rng = np.random.default_rng(seed)
    mines = _random_mines(board, share, seed)
    shown = {
        "checkerboard": (rows + columns) % 2 == 0,
        "random": rng.random(len(board)) < 0.5,
        "lattice": (rows % 2 == 1) & (columns % 2 == 1),
    }[pattern]
    if pattern == "lattice":
        mines = mines & ~shown
    shown = shown & (mines == 0)
    marks = np.where(shown, _hints(board, mines), BLANK)
    return Frame(board, marks, int(mines.sum()))


def _random_mines(board: Board, share: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed + 1000)
    mines = np.zeros(len(board), dtype=np.uint8)
    mines[rng.permutation(len(board))[: round(share * len(board))]] = 1
    return mines


def _hints(board: Board, mines: np.ndarray) -> np.ndarray:
    hints = np.zeros(len(board), dtype=np.int32)
    deal.count_hints(*map(view, (board.offsets, board.neighbours, mines, hints)))
    return hints


def _play(board: Board, mines: np.ndarray, start: list[int], rng: random.Random) -> Iterator[Frame]:
    mines = np.array(mines, dtype=np.uint8)
    hints, count = _hints(board, mines), int(mines.sum())
    marks = np.full(len(board), BLANK, dtype=np.int32)
    queue = np.empty(len(board), dtype=np.int32)
    ws = make_workspace(board)
    ws.board_cells = len(board)
    arrays = view(board.offsets), view(board.neighbours)
    todo = list(start)
    while True:
        while todo:
            for cell in todo:
                if marks[cell] == BLANK:
                    deal.reveal(*arrays, view(hints), cell, view(marks), view(queue))
            fronts.read_frame(ws, *arrays, view(marks), 0, count)
            todo = np.flatnonzero(np.asarray(ws.know)[: len(board)] == FREE).tolist()
        if (marks == BLANK).sum() == count:
            return
        frame = Frame(board, marks, count)
        yield frame
        free = [int(c) for c in frame.perimeter if not mines[c]]
        todo = [rng.choice(free or np.flatnonzero((marks == BLANK) & (mines == 0)).tolist())]
