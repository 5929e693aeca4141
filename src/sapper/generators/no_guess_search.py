"""The search for no-guess layouts: a wrapper of the kernel that enforces time and memory limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules
from sapper.engine import workspace
from sapper.engine.analysis import analyse
from sapper.engine.budget import Limit
from sapper.games.batch import make_game_state, write_answer
from sapper.kernels.codes import FOUND, GROW, NOT_FOUND
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.generators import no_guess as kernel
from sapper.wording import count_text

Mines = npt.NDArray[np.uint8]

NO_GUESS_METHODS: dict[str, str] = {
    "rejection": "draw layouts until one needs no guess: all no-guess layouts are equally likely",
    "swaps": "move single mines until no guess is needed: some layouts are more likely",
    "chain": "draw or move mines, then move more at random: equally likely as far as measured",
}
"""The methods with their descriptions, in the order of their numbers in the kernel."""

# Layouts tried between two checks of the time.
BATCH_SIZE = 64


class NoGuessSearch:
    """Layouts of some rules and first click, played by a solver that makes only certain moves.

    *max_difficulty* limits its moves: "one", "two", "four" (everything that follows from the
    numbers) or "count". The same seed gives the same layouts on every machine.
    """

    def __init__(self, rules: Rules, first: int, max_difficulty: str, limit: Limit):
        self.rules, self.first = rules, first
        n = len(rules.board)
        # Under the rule "any" the first click may be a mine, but not on a no-guess board.
        mine_free = set(rules.mine_free_cells(first)) | {first}
        allowed_cells = np.array([c for c in range(n) if c not in mine_free], dtype=np.int32)
        self._state = make_game_state(rules, first, allowed_cells)
        self._spare_cells = len(allowed_cells) - rules.mines
        self.layout_count = comb(len(allowed_cells), rules.mines)
        """The number of layouts that can be drawn."""
        self._stream = RandomStream(0)
        code = kernel.DIFFICULTY_CODES[max_difficulty]
        self._kernel = kernel.NoGuessSearch(self._state, self._stream.state, code)
        self.tries = 0
        """The number of layouts tried by all methods, for all seeds."""
        self.restart(0, limit)

    def restart(self, seed: int, limit: Limit) -> None:
        """Start the search of another seed, with its own limit."""
        self._stream.reseed(seed)
        self._limit = limit
        self.drawn = 0
        """The number of layouts drawn."""

    @property
    def layout(self) -> Layout:
        """The current layout, with its click."""
        return Layout(self.rules.board, np.array(self._state.mines), self.first)

    @property
    def opened(self) -> int:
        """The number of cells that certain moves open in the best layout so far."""
        return int(self._kernel.kept_opened)

    def draw(self, max_tries: int) -> bool:
        """Draw up to *max_tries* layouts and return whether one needs no guess."""
        tries_before = self.tries
        needs_no_guess = self._run("rejection", max_tries)
        self.drawn += self.tries - tries_before
        return needs_no_guess

    def climb(self, max_tries: int) -> bool:
        """Move mines of the current layout, never opening fewer cells, until it needs no guess."""
        self.solve()
        if self.opened == self._safe_cell_count:
            return True
        return self.can_move_mines and self._run("swaps", max_tries)

    def walk(self, steps: int) -> None:
        """Move mines of a no-guess layout *steps* times, keeping it a no-guess layout."""
        if self.can_move_mines and steps:
            self._run("chain", steps)

    def solve(self) -> int:
        """Play the current layout from its first click and return the number of opened cells."""
        search = self._kernel
        with workspace.borrow_workspace(self._limit, trust_flags=True) as ws:
            self._fit(ws)
            status = kernel.play_layout(search, ws, False)
            while status:
                self._resume(ws, status)
                status = kernel.play_layout(search, ws, True)
        return self.opened

    def load(self, mines: Mines) -> None:
        """Make a layout of the same rules the current one."""
        state = self._state
        np.asarray(state.mines)[:] = mines
        allowed_cells = np.asarray(state.allowed_cells)
        is_mine = mines[allowed_cells] != 0
        np.asarray(state.shuffled_cells)[:] = np.concatenate(
            (allowed_cells[is_mine], allowed_cells[~is_mine])
        )
        np.asarray(state.numbers)[:] = Layout(self.rules.board, mines).numbers

    def enumerate_layouts(self) -> Iterator[Layout]:
        """Yield every layout that can be drawn and needs no guess."""
        allowed_cells = np.asarray(self._state.allowed_cells).tolist()
        for done, cells in enumerate(combinations(allowed_cells, self.rules.mines)):
            self._limit.check(f"{done:,} of {count_text(self.layout_count, 'layout')} enumerated")
            mines = np.zeros(len(self.rules.board), dtype=np.uint8)
            mines[list(cells)] = 1
            self.load(mines)
            if self.solve() == self._safe_cell_count:
                yield self.layout

    @property
    def can_move_mines(self) -> bool:
        """Whether there is a mine to move and a cell to move it to."""
        return self.rules.mines > 0 and self._spare_cells > 0

    @property
    def _safe_cell_count(self) -> int:
        return len(self.rules.board) - self.rules.mines

    def _run(self, method: str, max_tries: int) -> bool:
        search = self._kernel
        search.method, search.stage = tuple(NO_GUESS_METHODS).index(method), 0
        with workspace.borrow_workspace(self._limit, trust_flags=True) as ws:
            self._fit(ws)
            for done in range(0, max_tries, BATCH_SIZE):
                # Before each batch: a caller that rejects every layout must be stopped too.
                self._limit.check(self._progress(method, done, max_tries))
                search.tries, search.max_tries = 0, min(BATCH_SIZE, max_tries - done)
                while (status := kernel.run(search, ws)) not in (FOUND, NOT_FOUND):
                    self._resume(ws, status)
                self.tries += int(search.tries)
                if status == FOUND and method != "chain":
                    return True
        return method == "chain"

    def _fit(self, ws: Workspace) -> None:
        ws.fit(len(self.rules.board), len(self.rules.board.neighbours))

    def _resume(self, ws: Workspace, status: int) -> None:
        """Do what the kernel cannot: enlarge a buffer, or analyse a position with fractions."""
        if status >= GROW:
            workspace.enlarge(ws, status, self._limit)
            return
        workspace.check_status(ws, status, self._limit)
        use_mine_count = self._kernel.max_difficulty == kernel.DIFFICULTY_CODES["count"]
        mines = self.rules.mines if use_mine_count else None
        position = Position(self.rules.board, np.asarray(self._state.marks), mines)
        write_answer(self._state, ws, analyse(position, budget=self._limit))

    def _progress(self, method: str, done: int, max_tries: int) -> str:
        """Return the progress of the search, for an error message."""
        if method == "rejection":
            return f"{count_text(self.drawn + done, 'layout')}, all of which need a guess"
        if method == "swaps":
            safe_cells = f"{self.opened} of {self._safe_cell_count} safe cells"
            return f"the best layout opens {safe_cells} before a guess"
        return f"{done} of {max_tries} random moves made"
