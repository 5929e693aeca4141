"""Named, seeded sets of positions, for benchmarks and tests."""

import random
from collections.abc import Iterator

import numpy as np

import sapper
from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import COVERED, Position
from sapper.board.random_layout import random_layout
from sapper.engine.workspace import make_workspace
from sapper.kernels import board as board_kernel
from sapper.kernels import view
from sapper.kernels.codes import SAFE
from sapper.kernels.engine import components
from sapper.kernels.solvers.human import load_marks, play_out
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.steps import StepFinder
from sapper.solvers.human import make_human_state


def stuck_positions(size: str, seeds: range, tiling: str = "square") -> Iterator[Position]:
    """Yield positions of games in which no single number decides anything.

    Where a game is stuck, a random safe covered cell of the frontier is revealed.
    """
    rules = sapper.Rules.parse(size, tiling=tiling)
    for seed in seeds:
        layout = random_layout(rules, seed, rules.board.middle)
        start = [rules.board.middle]
        yield from _play(rules.board, layout.mine_mask, start, random.Random(seed))


def play_human(layout: Layout) -> Position:
    """Play a layout from its click by the human-like algorithm until it is won or stuck."""
    assert layout.click is not None
    marks = np.full(len(layout.board), COVERED, dtype=np.int32)
    state = make_human_state(layout.board, marks)
    load_marks(state)
    play_out(state, view(layout.numbers), layout.click)
    return Position(layout.board, marks, layout.mine_count)


def single_number_position(layout: Layout) -> Position:
    """Return the position, without flags, where single-number rules first stop on a layout."""
    assert layout.click is not None
    game = sapper.Game.from_layout(layout)
    game.play(Move("reveal", layout.click))
    finder = StepFinder(game.position)
    while (
        not game.over
        and (found := finder.moves()) is not None
        and found[0] == DIFFICULTIES.names[0]
    ):
        step = finder.step()
        assert step is not None
        for cell in step.reveal:
            if game.position.marks[cell] == COVERED:
                game.play(Move("reveal", cell))
        finder.update(game.position)
    return game.position


def opened_position(width: int, height: int, share: float, openings: int, seed: int) -> Position:
    """Return a large board with some openings, played by single numbers until they are stuck."""
    board = sapper.tiling("square", width, height)
    mines = _random_mines(board, share, seed)
    numbers = _numbers(board, mines)
    rng = random.Random(seed)
    zeros = np.flatnonzero((numbers == 0) & (mines == 0)).tolist()
    start = rng.sample(zeros, min(openings, len(zeros)))
    return next(_play(board, mines, start, rng))


def patterned_position(pattern: str, side: int, share: float, seed: int = 1) -> Position:
    """Return a hard position: numbers on a pattern of cells, all other cells covered.

    checkerboard: every other cell; random: half of the cells; lattice: odd rows and columns. Cells
    of the pattern that hold a mine stay covered, except on a lattice, which has no mines there.
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
    marks = np.where(shown, _numbers(board, mines), COVERED)
    return Position(board, marks, int(mines.sum()))


def _random_mines(board: Board, share: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed + 1000)
    mines = np.zeros(len(board), dtype=np.uint8)
    mines[rng.permutation(len(board))[: round(share * len(board))]] = 1
    return mines


def _numbers(board: Board, mines: np.ndarray) -> np.ndarray:
    numbers = np.zeros(len(board), dtype=np.int32)
    board_kernel.count_numbers(*map(view, (board.offsets, board.neighbours, mines, numbers)))
    return numbers


def _play(
    board: Board, mines: np.ndarray, start: list[int], rng: random.Random
) -> Iterator[Position]:
    mines = np.array(mines, dtype=np.uint8)
    numbers, count = _numbers(board, mines), int(mines.sum())
    marks = np.full(len(board), COVERED, dtype=np.int32)
    queue = np.empty(len(board), dtype=np.int32)
    ws = make_workspace(board)
    ws.board_cells = len(board)
    arrays = view(board.offsets), view(board.neighbours)
    to_visit = list(start)
    while True:
        while to_visit:
            for cell in to_visit:
                if marks[cell] == COVERED:
                    board_kernel.reveal(*arrays, view(numbers), cell, view(marks), view(queue))
            components.read_position(ws, *arrays, view(marks), 0, count)
            to_visit = np.flatnonzero(np.asarray(ws.known)[: len(board)] == SAFE).tolist()
        if (marks == COVERED).sum() == count:
            return
        position = Position(board, marks, count)
        yield position
        safe = [int(c) for c in position.frontier if not mines[c]]
        to_visit = [rng.choice(safe or np.flatnonzero((marks == COVERED) & (mines == 0)).tolist())]
