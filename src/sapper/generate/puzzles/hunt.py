"""The hunt for positions: games are dealt and played until one holds a position of the rung."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sapper.infer.budget import Limit
from sapper.infer.ladder.climbing import Climb
from sapper.infer.ladder.rungs import RUNGS, Rung
from sapper.infer.proofs.evidence import Known
from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.codes import FREE, MINE, UNKNOWN
from sapper.kernels.ladder.puzzles import Walk, begin_game, go_on, judge
from sapper.model.board import Ints
from sapper.model.frame import FLAG, Frame
from sapper.model.layout import Layout
from sapper.model.rules import Rules
from sapper.model.stream import Stream
from sapper.wording import counted

# Sets of so many hints are judged by the kernel; what takes more is asked of the exact engine.
COMPILED = 3

Found = tuple[Frame, Known]
"""A frame with its flags, and its moves: FREE or MINE, UNKNOWN where there is none."""


class Hunt:
    """Positions of one rung from games of some rules; the same seed finds the same one for ever.

    The game of a seed begins with a click anywhere that the rule allows. It goes on by moves
    easier than the rung, then by those of the rung, then by a lucky guess. All its positions of
    the rung are equally likely to be taken.
    """

    def __init__(self, rules: Rules, rung: Rung):
        self.rules, self.rung = rules, rung
        board, n = rules.board, len(rules.board)
        self._stream = Stream(0)
        self._marks = np.empty(n, dtype=np.int32)
        self._look = make_ladder(board, self._marks)
        self._game = make_ladder(board, np.empty(n, dtype=np.int32))
        self._compiled = not rung.mine_count and rung.hints is not None and rung.hints <= COMPILED
        most = rung.hints if self._compiled and rung.hints is not None else COMPILED + 1
        self._walk = Walk(self._game, self._look, self._stream.state, most)
        self._cells = np.arange(n, dtype=np.int32)
        room = n - rules.mines - (1 if rules.rule == "zero" else 0) - board.neighbour_counts
        self._firsts = np.flatnonzero(room >= 0) if rules.rule == "zero" else self._cells

    def find(self, seed: int, limit: Limit) -> Iterator[Found]:
        """One position of each game that has any, game after game, without end."""
        self._stream.begin(seed)
        games = 0
        while True:
            limit.check(f"{counted(games, 'game')} without such a position")
            games += 1
            chosen = None
            for met, found in enumerate(self._positions(limit), 1):
                if self._stream.below(met) == 0:
                    chosen = found
            if chosen is not None:
                yield chosen

    def _positions(self, limit: Limit) -> Iterator[Found]:
        """The positions of the rung in the next game."""
        layout, walk = self._deal(), self._walk
        first = layout.click
        assert first is not None
        begin_game(walk, view(layout.hints), view(layout.mine_mask), first)
        while go_on(walk):
            # Single numbers are asked for on a bare frame, or on one with the mines that they give.
            flagged = walk.most == 1 and self._stream.below(2) == 1
            if judge(walk, flagged):
                found = self._found() if self._compiled else self._beyond(limit)
                if found is not None:
                    yield found

    def _deal(self) -> Layout:
        rules, stream = self.rules, self._stream
        first = int(self._firsts[stream.below(len(self._firsts))])
        allowed = np.delete(self._cells, [first, *rules.kept_free(first)])
        return Layout(rules.board, stream.mines(allowed, rules.mines, len(self._cells)), first)

    def _found(self) -> Found:
        """What the kernel found."""
        cells, count, verdict = self._look.finds()
        moves = np.full(len(self._cells), UNKNOWN, dtype=np.uint8)
        at = np.asarray(cells)[:count]
        moves[at] = np.asarray(verdict)[at]
        return self._frame(self._marks), moves

    def _beyond(self, limit: Limit) -> Found | None:
        """The moves of a rung beyond three hints, if nothing easier gives a reveal."""
        climb = Climb(
            self._frame(self._marks),
            trust_flags=True,
            use_count=self.rung.mine_count,
            limit=limit,
        )
        while (found := climb.moves()) is not None:
            rung, moves = found
            if rung == self.rung.name:
                marks = np.where(climb.known == MINE, FLAG, self._marks)
                return self._frame(marks), moves
            if RUNGS.place(rung) > RUNGS.place(self.rung.name) or (moves == FREE).any():
                return None
            climb.known[moves == MINE] = MINE
        return None

    def _frame(self, marks: Ints) -> Frame:
        return Frame(self.rules.board, marks, self.rules.mines)
