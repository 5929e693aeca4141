"""The search for a layout without a guess: the kernel's wrapper, with its clock and its limits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.infer.odds.analysis import analyse
from sapper.kernels.codes import FOUND, GROW, NOT_FOUND
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play import no_guess as kernel
from sapper.model.frame import Frame
from sapper.model.layout import Layout
from sapper.model.rules import Rules
from sapper.model.stream import Stream
from sapper.play.games.arena import reserve, write_answer
from sapper.wording import counted

Mines = npt.NDArray[np.uint8]

# Layouts that are tried between two looks at the clock.
AT_ONCE = 64


class Search:
    """Layouts of some rules and first click, judged by a player who makes certain moves alone.

    *reach* names the hardest rung that the player may use: "one", "two", "four" (all that the
    hints say) or "count". The same seed begins the same layouts on every machine.
    """

    def __init__(self, rules: Rules, first: int, reach: str, limit: Limit):
        self.rules, self.first = rules, first
        n = len(rules.board)
        # Where the rule lets the first click be a mine, a board without a guess still does not.
        free = set(rules.kept_free(first)) | {first}
        may_hold = np.array([c for c in range(n) if c not in free], dtype=np.int32)
        self._arena = reserve(rules, first, may_hold)
        self._free = len(may_hold) - rules.mines
        self._stream = Stream(0)
        self._kernel = kernel.Search(self._arena, self._stream.state, kernel.REACHES[reach])
        self._tries = 0
        self.begin(0, limit)

    def begin(self, seed: int, limit: Limit) -> None:
        """Begin afresh with the layouts of a seed, within a limit of their own."""
        self._stream.begin(seed)
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
        with engine.borrow(self._limit, trust_flags=True) as ws:
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
        np.asarray(arena.hints)[:] = layout.hints

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
        with engine.borrow(self._limit, trust_flags=True) as ws:
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
            engine.enlarge(ws, status, self._limit)
            return
        engine.check(ws, status, self._limit)
        with_count = self._kernel.reach == kernel.REACHES["count"]
        mines = self.rules.mines if with_count else None
        frame = Frame(self.rules.board, np.asarray(self._arena.marks), mines)
        write_answer(self._arena, ws, analyse(frame, budget=self._limit))

    def _reached(self, method: str, done: int, most: int) -> str:
        """How far a search came, for the one line that says so where it must end."""
        if method == "rejection":
            return f"{counted(self.drawn + done, 'layout')}, and a guess in each of them"
        if method == "swaps":
            return (
                f"a board of which {self.opened} of {self._to_open} free cells open before a guess"
            )
        return f"a board without a guess after {done} of the {most} moves that even it out"
