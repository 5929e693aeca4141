"""The search for puzzles: games are played until one has a position of the difficulty."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.kernels.generators.puzzles import PuzzleGame, advance, count_moves, start_game
from sapper.proofs.constraints import Knowledge
from sapper.proofs.difficulty import DIFFICULTIES, Difficulty
from sapper.proofs.steps import StepFinder
from sapper.solvers.human import make_human_state
from sapper.wording import counted

# The kernel finds moves from up to this many numbers at once; the exact engine finds the others.
MAX_COMPILED = 3

Found = tuple[Position, Knowledge]
"""A position with flags, and SAFE or MINE for each cell that is a move, else UNKNOWN."""


class PositionSearch:
    """Finds positions of one difficulty in games of some rules; a seed fixes the result.

    A game begins with a random click that the rule allows. It continues with moves below the
    difficulty, then with those of the difficulty, then with a guess that is safe. All positions of
    the difficulty in a game are equally likely to be chosen.
    """

    def __init__(self, rules: Rules, difficulty: Difficulty):
        self.rules, self.difficulty = rules, difficulty
        board, n = rules.board, len(rules.board)
        self._stream = RandomStream(0)
        self._marks = np.empty(n, dtype=np.int32)
        self._finder = make_human_state(board, self._marks)
        self._game = make_human_state(board, np.empty(n, dtype=np.int32))
        self._compiled = (
            not difficulty.uses_mine_count
            and difficulty.numbers is not None
            and difficulty.numbers <= MAX_COMPILED
        )
        most = (
            difficulty.numbers
            if self._compiled and difficulty.numbers is not None
            else MAX_COMPILED + 1
        )
        self._walk = PuzzleGame(self._game, self._finder, self._stream.state, most)
        self._cells = np.arange(n, dtype=np.int32)
        spare = n - rules.mines - (1 if rules.rule == "zero" else 0) - board.neighbour_counts
        self._firsts = np.flatnonzero(spare >= 0) if rules.rule == "zero" else self._cells

    def find(self, seed: int, limit: Limit) -> Iterator[Found]:
        """Yield one position of each game that has any; the iterator never ends."""
        self._stream.reseed(seed)
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
        """Yield the positions of the difficulty in the next game."""
        layout, walk = self._random_layout(), self._walk
        first = layout.click
        assert first is not None
        start_game(walk, view(layout.numbers), view(layout.mine_mask), first)
        while advance(walk):
            # Puzzles of single numbers come without flags, or with the mines that single numbers give.
            flagged = walk.most == 1 and self._stream.below(2) == 1
            if count_moves(walk, flagged):
                found = self._from_kernel() if self._compiled else self._from_engine(limit)
                if found is not None:
                    yield found

    def _random_layout(self) -> Layout:
        rules, stream = self.rules, self._stream
        first = int(self._firsts[stream.below(len(self._firsts))])
        allowed = np.delete(self._cells, [first, *rules.mine_free_cells(first)])
        return Layout(rules.board, stream.mines(allowed, rules.mines, len(self._cells)), first)

    def _from_kernel(self) -> Found:
        cells, count, verdict = self._finder.found_cells()
        moves = np.full(len(self._cells), UNKNOWN, dtype=np.uint8)
        at = np.asarray(cells)[:count]
        moves[at] = np.asarray(verdict)[at]
        return self._position(self._marks), moves

    def _from_engine(self, limit: Limit) -> Found | None:
        """Return the moves that need more than three numbers, if nothing easier gives a reveal."""
        finder = StepFinder(
            self._position(self._marks),
            trust_flags=True,
            use_mine_count=self.difficulty.uses_mine_count,
            limit=limit,
        )
        while (found := finder.moves()) is not None:
            difficulty, moves = found
            if difficulty == self.difficulty.name:
                marks = np.where(finder.known == MINE, FLAG, self._marks)
                return self._position(marks), moves
            if (
                DIFFICULTIES.index(difficulty) > DIFFICULTIES.index(self.difficulty.name)
                or (moves == SAFE).any()
            ):
                return None
            finder.known[moves == MINE] = MINE
        return None

    def _position(self, marks: Ints) -> Position:
        return Position(self.rules.board, marks, self.rules.mines)
