"""Random small positions over every tiling and random graphs, seeded."""

import random

import numpy as np

from sapper.board.board import Board
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import TILINGS, tiling
from tests.oracle.naive import counted_solutions, probabilities

KINDS = (*TILINGS, "graph", "star")


def random_board(kind: str, rng: random.Random) -> Board:
    """Return a board of at most 20 cells."""
    if kind in TILINGS:
        min_size = TILINGS[kind].min_size
        return tiling(kind, rng.randint(min_size, 5), rng.randint(min_size, 4))
    names = [f"v{i}" for i in range(rng.randint(1, 16))]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    if kind == "star":
        # One cell touches nearly all others: degrees and numbers beyond those of any tiling.
        pairs = [pair for pair in pairs if names[0] in pair or rng.random() < 0.1]
    else:
        share = rng.choice((0.1, 0.3, 0.6))
        pairs = [pair for pair in pairs if rng.random() < share]
    return Board.from_edges(pairs, names)


def random_position(kind: str, rng: random.Random, max_covered: int = 14) -> Position:
    """Return a position of a layout, maybe without its mine count; one in five is made wrong."""
    board = random_board(kind, rng)
    mined = [rng.random() < 0.8 * rng.random() for _ in board.cells]
    marks = np.full(len(board), COVERED, dtype=np.int32)
    share = rng.random()
    order = list(board.cells)
    rng.shuffle(order)
    covered = len(order)
    for cell in order:
        if not mined[cell] and (rng.random() < share or covered > max_covered):
            marks[cell] = sum(mined[d] for d in board.around(cell))
            covered -= 1
        elif rng.random() < 0.1:
            marks[cell] = FLAG
    mines = rng.choice((None, sum(mined), sum(mined)))
    if rng.random() < 0.1:
        mines = rng.randint(0, len(board))
    shown = np.flatnonzero(marks >= 0)
    if rng.random() < 0.1 and len(shown):
        cell = int(rng.choice(shown.tolist()))
        marks[cell] = rng.randint(0, max(1, board.neighbour_count(cell)))
    return Position(board, marks, mines)


def positions_without_safe_cells(kind: str, count: int, seed: str) -> list[Position]:
    """Return small positions with several solutions in which no cell is certainly safe."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = random_position(kind, rng, 10).without_flags()
        if position.mines is None or len(position.covered) > 13:
            continue
        solutions = counted_solutions(position)
        if len(solutions) > 1 and 0 not in probabilities(position, solutions).values():
            found.append(position)
    return found
