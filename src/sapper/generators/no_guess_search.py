"""The search for a layout without a guess: the kernel's wrapper, with its clock and its limits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules
from sapper.engine import workspace
from sapper.engine.analysis import analyse
from sapper.engine.budget import Limit
from sapper.games.batch import make_state, write_answer
from sapper.kernels.codes import FOUND, GROW, NOT_FOUND
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.generators import no_guess as kernel
from sapper.wording import counted

Mines = npt.NDArray[np.uint8]

# Layouts that are tried between two looks at the clock.
AT_ONCE = 64


class NoGuessSearch:
    """Layouts of some rules and first click, judged by a player who makes certain moves alone.

    *reach* names the hardest difficulty that the player may use: "one", "two", "four" (all that the
    numbers say) or "count". The same seed begins the same layouts on every machine.
    """

    def __init__(self, rules: Rules, first: int, reach: str, limit: Limit):
        self.rules, self.first = rules, first
        n = len(rules.board)
        # Where the rule lets the first click be a mine, a board without a guess still does not.
        free = set(rules.mine_free_cells(first)) | {first}
        may_hold = np.array([c for c in range(n) if c not in free], dtype=np.int32)
        self._arena = make_state(rules, first, may_hold)
        self._free = len(may_hold) - rules.mines
        self._stream = RandomStream(0)
        self._kernel = kernel.NoGuessSearch(self._arena, self._stream.state, kernel.REACHES[reach])
        self._tries = 0
        self.begin(0, limit)

    def begin(self, seed: int, limit: Limit) -> None:
        """Begin afresh with the layouts of a seed, within a limit of their own."""
        self._stream.reseed(seed)
        self._limit = limit
        self.drawn = 0
        """How many layouts were drawn."""

    @property
    def layout(self) -> Layout:
        """The layout at hand, with its click."""
        return Layout(self.rules.board, np.array(self._arena.mines), self.first)

    @property
    def opened(self) -> int:
        """How many cells certain moves open in the best layout so far."""
        return int(self._kernel.kept_opened)

    def draw(self, most: int) -> bool:
        """Draw layouts until one needs no guess: whether one of the next *most* does."""
        before = self._tries
        found = self._run("rejection", most)
        self.drawn += self._tries - before
        return found

    def climb(self, most: int) -> bool:
        """Move mines of the layout at hand, never opening less, until it needs no guess."""
        self.clear()
        if self.opened == self._to_open:
            return True
        return self.can_move and self._run("swaps", most)

    def walk(self, steps: int) -> None:
        """Move mines of a layout without a guess to and fro, *steps* times, while it stays one."""
        if self.can_move and steps:
            self._run("chain", steps)

    def clear(self) -> int:
        """Play the layout at hand afresh from its first click: the cells that open."""
        s = self._kernel
        with workspace.borrow_workspace(self._limit, trust_flags=True) as ws:
            self._fit(ws)
            status = kernel.clear(s, ws, False)
            while status:
                self._help(ws, status)
                status = kernel.clear(s, ws, True)
        return self.opened

    def hold(self, mines: Mines) -> None:
        """Take a layout of the same rules as the one at hand."""
        arena = self._arena
        np.asarray(arena.mines)[:] = mines
        may_hold = np.asarray(arena.may_hold)
        is_mine = mines[may_hold] != 0
        np.asarray(arena.allowed)[:] = np.concatenate((may_hold[is_mine], may_hold[~is_mine]))
        layout = Layout(self.rules.board, mines)
        np.asarray(arena.numbers)[:] = layout.numbers

    @property
    def can_move(self) -> bool:
        """Whether there is a mine to move and a cell to move it to."""
        return self.rules.mines > 0 and self._free > 0

    @property
    def _to_open(self) -> int:
        return len(self.rules.board) - self.rules.mines

    def _run(self, method: str, most: int) -> bool:
        s = self._kernel
        s.method, s.stage = kernel.METHODS[method], 0
        with workspace.borrow_workspace(self._limit, trust_flags=True) as ws:
            self._fit(ws)
            for done in range(0, most, AT_ONCE):
                # Before each stretch: a caller who passes every layout over must come to an end.
                self._limit.check(self._reached(method, done, most))
                s.tries, s.most = 0, min(AT_ONCE, most - done)
                while (status := kernel.run(s, ws)) not in (FOUND, NOT_FOUND):
                    self._help(ws, status)
                self._tries += int(s.tries)
                if status == FOUND and method != "chain":
                    return True
        return method == "chain"

    def _fit(self, ws: Workspace) -> None:
        ws.fit(len(self.rules.board), len(self.rules.board.neighbours))

    def _help(self, ws: Workspace, status: int) -> None:
        """Do what the kernel cannot: enlarge a pool, or answer by fractions."""
        if status >= GROW:
            workspace.enlarge(ws, status, self._limit)
            return
        workspace.check(ws, status, self._limit)
        use_mine_count = self._kernel.reach == kernel.REACHES["count"]
        mines = self.rules.mines if use_mine_count else None
        position = Position(self.rules.board, np.asarray(self._arena.marks), mines)
        write_answer(self._arena, ws, analyse(position, budget=self._limit))

    def _reached(self, method: str, done: int, most: int) -> str:
        """How far a search came, for the one line that says so where it must end."""
        if method == "rejection":
            return f"{counted(self.drawn + done, 'layout')}, and a guess in each of them"
        if method == "swaps":
            return (
                f"a board of which {self.opened} of {self._to_open} free cells open before a guess"
            )
        return f"a board without a guess after {done} of the {most} moves that even it out"
