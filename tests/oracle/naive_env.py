"""A slow reference environment of sets and loops, without sapper.env and kernels."""

from sapper import COVERED, FLAG, Rules
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
        """Return whether each action is legal: the reveals, then the flags."""
        cells = self.rules.board.cells
        if self.won or self.lost:
            return [0] * (2 * len(cells))
        covered = [c not in self.revealed for c in cells]
        reveals = [covered[c] and c not in self.flags and self.has_layouts(c) for c in cells]
        return [int(legal) for legal in reveals + covered]

    def has_layouts(self, first: int) -> bool:
        """Return whether the mines fit outside the cells that a first click keeps free."""
        free = len(self.rules.board) - len(self.mine_free_cells(first))
        return self.mines is not None or self.rules.mines <= free

    def mine_free_cells(self, first: int) -> set[int]:
        """Return the cells in which a first click there allows no mines."""
        around = naive.neighbours(self.rules.board)[first]
        return {"any": set(), "safe": {first}, "zero": {first} | around}[self.rules.rule]

    def step(self, action: int) -> float:
        board = self.rules.board
        if not self.mask()[action]:
            return self.wasted
        if action >= len(board):
            self.flags ^= {action - len(board)}
            return 0.0
        if self.mines is None:
            mine_free = self.mine_free_cells(action)
            self.mines = naive.random_mines(len(board), mine_free, self.rules.mines, self.seed)
        if action in self.mines:
            self.lost = True
            return self.loss
        new = naive.opening(board, self.mines, action, self.flags | self.revealed)
        self.revealed |= new
        safe = len(board) - self.rules.mines
        self.won = len(self.revealed) == safe
        return self.reveal + self.cleared / safe * len(new) + (self.win if self.won else 0.0)
