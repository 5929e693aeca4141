"""Rules of paper puzzles: the options that a user chooses, with defaults for the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sapper.board.board import Board
from sapper.errors import RulesError, Unavailable, UnknownName, unknown_name
from sapper.generators.paper_puzzles.drawing import (
    DRAWING_METHODS,
    OPEN_SETS,
    Mask,
    check_method,
    check_open_set,
    open_cells,
)
from sapper.generators.paper_puzzles.theorems import no_puzzle_reason
from sapper.proofs.difficulty import DIFFICULTIES, pairs_are_useful
from sapper.values import check_type


@dataclass(frozen=True)
class PaperPuzzleRules:
    """The board, open set and difficulty of paper puzzles; made by `paper_puzzle_rules`."""

    board: Board
    open_set: str | tuple[int, ...]
    """A name of OPEN_SETS, or the open cells themselves."""
    method: str
    mine_density: float
    """The probability of a mine in each cell that may hold one, rounded to thousandths."""
    difficulty: str | None = None
    or_easier: bool = False

    @property
    def max_numbers(self) -> int | None:
        """How many numbers a step may need at once; None means no upper bound."""
        return None if self.difficulty is None else DIFFICULTIES[self.difficulty].numbers

    @property
    def open_mask(self) -> Mask:
        """The open cells as a mask; not for `fewest`, which depends on the mines."""
        if isinstance(self.open_set, str):
            return open_cells(self.board, self.open_set)
        mask = np.zeros(len(self.board), dtype=bool)
        mask[list(self.open_set)] = True
        return mask

    def admits(self, difficulty: str) -> bool:
        """Return whether a puzzle of that difficulty satisfies the rules."""
        if self.difficulty is None or difficulty == self.difficulty:
            return True
        easier = DIFFICULTIES.index(difficulty) < DIFFICULTIES.index(self.difficulty)
        return self.or_easier and easier


def paper_difficulties() -> tuple[str, ...]:
    """Return the difficulties that a paper puzzle can have: it has no mine count."""
    return tuple(entry.name for entry in DIFFICULTIES.values() if not entry.uses_mine_count)


def paper_puzzle_rules(
    board: Board,
    *,
    open_set: str | Iterable[int | str] | None = None,
    method: str | None = None,
    mine_density: float | None = None,
    difficulty: str | None = None,
    or_easier: bool = False,
) -> PaperPuzzleRules:
    """Return the rules of paper puzzles; the defaults depend on the board and the difficulty.

    *open_set* is a name of OPEN_SETS or the open cells themselves.
    """
    check_type(board, Board, "a board")
    if difficulty is not None and difficulty not in paper_difficulties():
        explanation = "; a paper puzzle has no mine count" if difficulty in DIFFICULTIES else ""
        raise UnknownName(
            f"{unknown_name('difficulty', difficulty, paper_difficulties())}{explanation}"
        )
    if or_easier and difficulty is None:
        raise RulesError("'or easier' needs a difficulty")
    if method is not None and method not in DRAWING_METHODS:
        raise unknown_name("method", method, DRAWING_METHODS)
    if mine_density is not None:
        check_type(mine_density, (int, float), "a mine density")
        if not 0.001 <= round(mine_density, 3) <= 0.999:
            raise RulesError(f"expected a mine density from 0.001 to 0.999, got {mine_density:g}")
    chosen_set = _check_open_set(board, open_set)
    if chosen_set is None:
        chosen_set = _default_open_set(board, method, difficulty)
    method = method or _default_method(board, chosen_set, difficulty)
    if chosen_set == "fewest" and method == "varied":
        raise RulesError("the open set 'fewest' needs the method 'plain', got 'varied'")
    density = round(mine_density or _default_density(chosen_set, difficulty), 3)
    rules = PaperPuzzleRules(board, chosen_set, method, density, difficulty, or_easier)
    if difficulty == "two" and not or_easier and not pairs_are_useful(board):
        raise Unavailable(
            f"no paper puzzle of {board} needs exactly two numbers: no two cells have two "
            "neighbours in common"
        )
    if chosen_set != "fewest":
        check_open_set(board, rules.open_mask)
        check_method(board, rules.open_mask, method)
    return rules


def _check_open_set(
    board: Board, open_set: str | Iterable[int | str] | None
) -> str | tuple[int, ...] | None:
    if open_set is None:
        return None
    if isinstance(open_set, str):
        if open_set not in OPEN_SETS:
            raise unknown_name("open set", open_set, OPEN_SETS)
        return open_set
    check_type(open_set, Iterable, "an open set or its cells")
    cells = tuple(sorted({board.cell(cell) for cell in open_set}))
    if not cells:
        raise RulesError("expected at least 1 open cell, got none")
    return cells


def _default_open_set(board: Board, method: str | None, difficulty: str | None) -> str:
    if board.tiling is None or (difficulty in ("three", "four") and method is None):
        return "fewest"
    if difficulty == "two" and method is None and board.tiling != "square":
        return "fewest"
    return "checkerboard"


def _default_method(board: Board, open_set: str | tuple[int, ...], difficulty: str | None) -> str:
    # Single numbers solve nearly all plain checkerboards; a varied one starts with a pair of
    # numbers.
    if difficulty != "two" or board.tiling != "square" or open_set != "checkerboard":
        return "plain"
    return "plain" if no_puzzle_reason(board, open_cells(board, "checkerboard")) else "varied"


def _default_density(open_set: str | tuple[int, ...], difficulty: str | None) -> float:
    if open_set != "fewest":
        return 0.5
    return 0.35 if difficulty in ("three", "four") else 0.2
