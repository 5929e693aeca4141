"""A slow reference environment of sets and loops, without sapper.env and kernels."""

from __future__ import annotations

from sapper.board.position import COVERED, FLAG
from sapper.board.rules import Rules
from tests.oracle import naive


class NaiveEnv:
    """One environment with flags, whose observations are lists of marks."""

    def __init__(self, rules: Rules, win=0.0, loss=0.0, reveal=0.0, cleared=0.0, wasted=0.0):
        self.rules = rules
        self.win, self.loss, self.reveal = win, loss, reveal
        self.cleared, self.wasted = cleared, wasted

    def reset(self, seed: int | None = None) -> None:
        if seed is not None:
            self.words = naive.random_words(seed ^ int.from_bytes(b"episodes", "big"))
        self.seed = next(self.words) >> 16 if seed is None else seed
        self.mines: set[int] | None = None
        self.revealed: set[int] = set()
        self.flags: set[int] = set()
        self.won = self.lost = False

    def observation(self) -> list[int]:
        numbers = naive.count_numbers(self.rules.board, self.mines or set())
        return [
            numbers[c] if c in self.revealed else FLAG if c in self.flags else COVERED
            for c in self.rules.board.cells
        ]

    def mask(self) -> list[int]:
        """Whether each action is legal: the reveals, then the flags."""
        cells = self.rules.board.cells
        if self.won or self.lost:
            return [0] * (2 * len(cells))
        reveals = [
            c not in self.revealed
            and c not in self.flags
            and (self.mines is not None or self.rules.mines <= len(cells) - len(self.safe_at(c)))
            for c in cells
        ]
        return [int(legal) for legal in (*reveals, *(c not in self.revealed for c in cells))]

    def safe_at(self, first: int) -> set[int]:
        """The cells in which a first click there allows no mines."""
        around = {int(d) for d in self.rules.board.around(first)}
        return {"any": set(), "safe": {first}, "zero": {first, *around}}[self.rules.rule]

    def step(self, action: int) -> float:
        board = self.rules.board
        if not self.mask()[action]:
            return self.wasted
        if action >= len(board):
            self.flags ^= {action - len(board)}
            return 0.0
        if self.mines is None:
            safe_cells = self.safe_at(action)
            self.mines = naive.random_mines(len(board), safe_cells, self.rules.mines, self.seed)
        if action in self.mines:
            self.lost = True
            return self.loss
        new = naive.opening(board, self.mines, action, self.flags | self.revealed)
        self.revealed |= new
        safe = len(board) - self.rules.mines
        self.won = len(self.revealed) == safe
        return self.reveal + self.cleared / safe * len(new) + (self.win if self.won else 0.0)
