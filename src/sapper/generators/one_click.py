"""One-click boards: layouts that one click wins (Code Jam 2014, "Minesweeper Master").

ONE_CLICK_METHODS are the ways to find one. Each returns a layout with its click, or the reason why
there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import numpy as np

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.random_stream import check_seed, random_seed
from sapper.errors import OutOfBudget, RulesError
from sapper.generators.one_click_openings import OpeningGrower, connected_parts, openings
from sapper.generators.one_click_staircases import Widths, backtrack, closed_form, contest_cases
from sapper.kernels import view
from sapper.kernels.generators.one_click import first_layout
from sapper.registry import Registry
from sapper.values import check_int, check_type

# Trying all layouts of 25 cells takes two or three seconds; each further cell doubles that.
MAX_BRUTE_CELLS = 25


@dataclass(frozen=True)
class OneClickResult:
    """A one-click board, or the reason why there is none."""

    board: Board
    mines: int
    method: str
    seed: int | None
    layout: Layout | None
    reason: str | None

    @property
    def possible(self) -> bool:
        """Whether there is such a layout."""
        return self.layout is not None

    def __str__(self) -> str:
        return "Impossible" if self.layout is None else str(self.layout)


def one_click(
    board: Board, mines: int, method: str | None = None, seed: int | None = None
) -> OneClickResult:
    """Find a layout with *mines* mines that one click wins, or the reason why there is none.

    The default method is the closed form on square boards without a seed, else a varied layout.
    Raises OutOfBudget if a varied layout was neither found nor shown to be impossible.

    >>> from sapper import tiling
    >>> print(one_click(tiling("square", 7, 4), 12, method="cases"))
    *******
    ***....
    *......
    *.....c
    >>> one_click(tiling("square", 4, 4), 11).reason
    '2, 3, 5 or 7 empty cells cannot be opened by one click on a board of 3x3 or more'
    """
    mines = _check_mines(board, mines)
    if method is None:
        method = "closed" if board.tiling == "square" and seed is None else "varied"
    entry = ONE_CLICK_METHODS.find(method)
    if entry.name == "varied":
        seed = random_seed() if seed is None else check_seed(seed)
    elif seed is not None:
        raise RulesError(f"a seed needs the method 'varied', got {method!r}")
    answer = entry.find(board, mines, seed or 0)
    layout, reason = (None, answer) if isinstance(answer, str) else (answer, None)
    return OneClickResult(board, mines, entry.name, seed, layout, reason)


def _check_mines(board: Board, mines: int) -> int:
    check_type(board, Board, "a board")
    mines = check_int(mines, "a number of mines")
    if not 0 <= mines <= len(board):
        raise RulesError(f"expected from 0 to {len(board)} mines on {board}, got {mines}")
    return mines


def count_one_click(board: Board, mines: int) -> int:
    """Count the layouts with *mines* mines that one click wins.

    All openings up to the size in question are enumerated; raises OutOfBudget if they are too many,
    which does not happen up to 6x6.

    >>> from sapper import tiling
    >>> count_one_click(tiling("square", 5, 5), 1)
    9
    """
    mines = _check_mines(board, mines)
    empty = len(board) - mines
    if empty <= 1:
        return len(board) * empty
    return sum(1 for opening in openings(board, empty) if len(opening) == empty)


def impossible_reason(board: Board, empty: int) -> str | None:
    """Return why no click opens exactly *empty* cells, if a short proof is known; else None.

    On square boards the answer is complete. docs/how-it-works/one-click.md has the proofs.
    """
    if empty == 0:
        return "a click needs an empty cell, and there is none"
    if empty == 1:
        return None
    if board.tiling == "square":
        return _impossible_reason_on_squares(min(board.size), empty)
    if board.tiling == "torus" and min(board.size) == 3 and (empty % 3 or empty < 9):
        return "one click on a torus three cells wide opens 1 cell or whole lines, three or more"
    smallest = int(board.neighbour_counts.min()) + 1
    if empty < smallest:
        return f"one click on {board} opens 1 cell or {smallest} and more"
    largest = int(connected_parts(board)[1].max())
    if empty > largest:
        return f"the largest connected part of {board} has only {largest} cells"
    return None


def _impossible_reason_on_squares(side: int, empty: int) -> str | None:
    if side == 2 and (empty == 2 or empty % 2):
        return (
            "2 empty cells, or an odd number above 1, cannot be opened by one click "
            "on a board two cells wide"
        )
    if side >= 3 and empty in (2, 3, 5, 7):
        return "2, 3, 5 or 7 empty cells cannot be opened by one click on a board of 3x3 or more"
    return None


Answer = Layout | str
"""A layout, or the reason why there is none."""


@dataclass(frozen=True)
class OneClickMethod:
    """An entry of ONE_CLICK_METHODS."""

    name: str
    about: str
    find: Callable[[Board, int, int], Answer]
    """Takes the board, the number of mines and the seed, which only `varied` uses."""


def _by_staircase(
    name: str, find_widths: Callable[[int, int, int], Widths | None]
) -> Callable[[Board, int, int], Answer]:
    def find(board: Board, mines: int, seed: int) -> Answer:
        if board.tiling != "square":
            raise RulesError(f"the method {name!r} needs a square board, got {board}")
        columns, rows = board.size
        empty = len(board) - mines
        widths = find_widths(rows, columns, empty)
        if widths is None:
            return str(impossible_reason(board, empty))
        return staircase(board, widths)

    return find


def staircase(board: Board, widths: Widths) -> Layout:
    """Return the layout whose rows end in *widths* empty cells, with the click on the last cell."""
    columns, _ = board.size
    mines_of_row = columns - np.asarray(widths, dtype=np.int32)
    mines = np.arange(columns, dtype=np.int32) < mines_of_row[:, np.newaxis]
    return Layout(board, mines.reshape(-1), len(board) - 1)


def _brute(board: Board, mines: int, seed: int) -> Answer:
    if len(board) > MAX_BRUTE_CELLS:
        raise RulesError(f"the method 'brute' takes at most {MAX_BRUTE_CELLS} cells, got {board}")
    size, empty = len(board), len(board) - mines
    bits = np.zeros(1, dtype=np.uint64)
    click = first_layout(view(_closed_neighbourhoods(board)), empty, view(bits)) if empty else -1
    if click < 0:
        all_tried = (
            f"none of all {comb(size, mines):,} layouts of {mines} mines is won by one click"
        )
        return impossible_reason(board, empty) or all_tried
    empty_cells = int(bits[0])
    return Layout(board, [not empty_cells >> cell & 1 for cell in board.cells], click)


def _varied(board: Board, mines: int, seed: int) -> Answer:
    empty = len(board) - mines
    reason = impossible_reason(board, empty)
    if reason is not None:
        return reason
    grower = OpeningGrower(board, seed)
    if empty == 1:
        empty_cell = grower.stream.below(len(board))
        return grower.with_click(np.arange(len(board)) != empty_cell)
    return grower.grow(empty) or _search_all(grower, board, empty)


def _search_all(grower: OpeningGrower, board: Board, empty: int) -> Answer:
    """Choose one of all openings of that size, or return the reason why there is none."""
    try:
        all_openings = openings(board, empty, up_to_symmetry=True)
        candidates = sorted(sorted(opening) for opening in all_openings if len(opening) == empty)
    except OutOfBudget:
        problem = f"found no one-click board with {empty} empty cells on {board}; there may be one"
        raise OutOfBudget(problem, remedy="try another number of mines") from None
    if not candidates:
        return f"every opening of up to {empty} cells on {board} was tried, and none has {empty}"
    mines = np.ones(len(board), dtype=bool)
    mines[candidates[grower.stream.below(len(candidates))]] = False
    return grower.with_click(mines)


ONE_CLICK_METHODS = Registry(
    "method",
    (
        OneClickMethod(
            "closed", "a closed form, square boards", _by_staircase("closed", closed_form)
        ),
        OneClickMethod(
            "cases",
            "the cases of the contest analysis, square boards",
            _by_staircase("cases", contest_cases),
        ),
        OneClickMethod(
            "backtrack",
            "row by row with pruning, square boards",
            _by_staircase("backtrack", backtrack),
        ),
        OneClickMethod("brute", f"every layout and click, up to {MAX_BRUTE_CELLS} cells", _brute),
        OneClickMethod("varied", "a random opening from a seed, any board", _varied),
    ),
)


def _closed_neighbourhoods(board: Board) -> np.typing.NDArray[np.uint64]:
    """Return each cell and its neighbours as bits of one word."""
    words = np.zeros(len(board), dtype=np.uint64)
    for cell in board.cells:
        words[cell] = sum(1 << int(other) for other in (cell, *board.around(cell)))
    return words
