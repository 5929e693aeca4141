"""The game: a deal and the moves made on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from sapper.board.board import MAX_NOTEBOOK_CELLS, Board, Ints
from sapper.board.layout import Layout
from sapper.board.move import ACTIONS, Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.random_layout import deal, random_seed
from sapper.board.rules import Rules
from sapper.errors import IllegalMove, NotationError, RulesError, WrongType
from sapper.kernels import view
from sapper.kernels.board.layout import reveal
from sapper.values import check_int, check_type

Outcome = Literal["playing", "won", "lost"]
"""How a game stands."""
LayoutSource = Callable[[int], Layout]
"""Whoever deals: from the first click to a layout."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A move with what undo needs: the cells that it changed, and the mark that they all had."""

    move: Move
    cells: Ints
    before: int
    was: tuple[Layout | None, Outcome, frozenset[int], int]


class Game:
    """A game of Minesweeper, from the first click to the win and beyond a loss.

    The dealer is asked at the first reveal, with the cell that is revealed. Undoing that reveal
    takes the deal back too: a game is fixed by its dealer and its moves, and replays from them.
    Every move is legal or raises IllegalMove and changes nothing;
    `play` answers with the cells whose mark changed.
    """

    def __init__(
        self, board: Board, mines: int, layout_source: LayoutSource, *, seed: int | None = None
    ):
        check_type(board, Board, "a board")
        if not callable(layout_source):
            raise WrongType(f"expected a dealer, got {layout_source!r:.60}")
        mines = check_int(mines, "a number of mines")
        if not 0 <= mines < len(board):
            raise RulesError(f"expected a game with a free cell, got {mines} mines on {board}")
        self.board = board
        self.mines = mines
        self.seed = seed
        """Which deal it is, where it is one of a seed."""
        self.layout: Layout | None = None
        self.outcome: Outcome = "playing"
        self.exploded: frozenset[int] = frozenset()
        self.continues = 0
        """How often the game went on after a loss."""
        self._layout_source = layout_source
        self._last_layout: tuple[int, Layout] | None = None
        self._marks = np.full(len(board), COVERED, dtype=np.int32)
        self._safe_left = len(board) - mines
        self._steps: list[_Step] = []
        self._done = 0
        self._position: Position | None = None
        self._queue = np.empty(len(board), dtype=np.int32)

    @classmethod
    def new(
        cls,
        rules: Rules | str,
        seed: int | None = None,
        first: int | str | None = None,
        *,
        rule: str | None = None,
        tiling: str | None = None,
    ) -> Game:
        """The game of a seed, in the words of `sapper.generate`; a seed that is not given is fresh.

        The first reveal is the deal's first click; where *first* is given, it is made at once.

        >>> Game.new("expert", seed=1, first="r1c1")
        <Game square 30x16/99, 1 moves, playing>
        """
        rules = Rules.of(rules, tiling, rule)
        number = random_seed() if seed is None else check_int(seed, "a seed")
        game = cls(rules.board, rules.mines, partial(_generate_layout, rules, number), seed=number)
        if first is not None:
            game.play(Move("reveal", game.board.cell(first)))
        return game

    @classmethod
    def from_layout(cls, layout: Layout) -> Game:
        """A game on a known layout, whatever is clicked first."""
        check_type(layout, Layout, "a layout")
        return cls(layout.board, layout.mine_count, partial(_known_layout, layout))

    @classmethod
    def replay(cls, rules: Rules, seed: int, moves: Iterable[str]) -> Game:
        """The game after moves that `moves` of another one gave."""
        check_type(moves, Iterable, "moves")
        game = cls.new(rules, seed)
        for move in moves:
            game.play(move)
        return game

    @property
    def position(self) -> Position:
        """What the player sees now."""
        if self._position is None:
            self._position = Position(self.board, self._marks, self.mines)
        return self._position

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that led here, as text; moves that were undone are not among them."""
        return tuple(step.move.format(self.board) for step in self._steps[: self._done])

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.outcome != "playing"

    def play(self, move: Move | str) -> Ints:
        """Make a move; answers with the cells whose mark changed, in the order of the flood."""
        if isinstance(move, str):
            move = Move.parse(move, self.board)
        check_type(move, Move, "a move such as 'reveal r1c1'")
        cell = self._cell_of(move)
        if self.over and not (move.action == "continue" and self.outcome == "lost"):
            how = "undo, or continue" if self.outcome == "lost" else "it can only be undone"
            raise IllegalMove(
                f"cannot {move.format(self.board)}: the game is {self.outcome}; {how}"
            )
        was = (self.layout, self.outcome, self.exploded, self.continues)
        cells, before = _ACT[move.action](self, cell)
        del self._steps[self._done :]
        self._steps.append(_Step(move, cells, before, was))
        self._done += 1
        self._position = None
        return cells

    def undo(self) -> Ints:
        """Take the last move back; answers with the cells whose mark changed."""
        if not self._done:
            raise IllegalMove("cannot undo: no move was made")
        self._done -= 1
        step = self._steps[self._done]
        self._safe_left += int((self._marks[step.cells] >= 0).sum())
        self._marks[step.cells] = step.before
        self.layout, self.outcome, self.exploded, self.continues = step.was
        self._position = None
        return step.cells

    def redo(self) -> Ints:
        """Make the move again that was undone last; answers with the cells whose mark changed."""
        if self._done == len(self._steps):
            raise IllegalMove("cannot redo: no move was undone")
        later = self._steps[self._done + 1 :]
        cells = self.play(self._steps[self._done].move)
        self._steps.extend(later)
        return cells

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back."""
        return self._done > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone move to make again."""
        return self._done < len(self._steps)

    def _cell_of(self, move: Move) -> int:
        """The cell of a move, checked; -1 where the action has none."""
        if ACTIONS.get(move.action) != (move.cell is not None):
            raise NotationError(f"expected a move ({', '.join(ACTIONS)}), got {move!r:.80}")
        return -1 if move.cell is None else self.board.cell(move.cell)

    def _refuse(self, action: str, cell: int, why: str) -> IllegalMove:
        return IllegalMove(f"cannot {action} {self.board.name(cell)}: {why}")

    def _reveal(self, cell: int) -> tuple[Ints, int]:
        if self._marks[cell] == FLAG:
            raise self._refuse("reveal", cell, "it is flagged")
        if self._marks[cell] != COVERED:
            raise self._refuse("reveal", cell, "it is revealed already")
        return self._open([cell])

    def _chord(self, cell: int) -> tuple[Ints, int]:
        number = int(self._marks[cell])
        if number < 0:
            raise self._refuse("chord", cell, "it is not revealed")
        around = self.board.around(cell)
        flags = int((self._marks[around] == FLAG).sum())
        if flags != number:
            raise self._refuse(
                "chord", cell, f"its number is {number} and {flags} flags are around it"
            )
        covered = [int(d) for d in around if self._marks[d] == COVERED]
        if not covered:
            raise self._refuse("chord", cell, "no covered cell is around it")
        return self._open(covered)

    def _open(self, cells: list[int]) -> tuple[Ints, int]:
        """Reveal covered cells: free ones with their openings; a mine ends the game and stays covered cell."""
        if self.layout is None:
            self.layout = self._layout_for(cells[0])
        board, mines, numbers = self.board, self.layout.mine_mask, self.layout.numbers
        changed = []
        for cell in cells:
            if not mines[cell] and self._marks[cell] == COVERED:
                count = reveal(
                    view(board.offsets),
                    view(board.neighbours),
                    view(numbers),
                    cell,
                    view(self._marks),
                    view(self._queue),
                )
                changed.append(self._queue[:count].copy())
        hit = frozenset(cell for cell in cells if mines[cell])
        revealed = np.concatenate(changed) if changed else np.empty(0, dtype=np.int32)
        self._safe_left -= len(revealed)
        if hit:
            self.outcome, self.exploded = "lost", self.exploded | hit
        elif self._safe_left == 0:
            self.outcome = "won"
        return revealed, COVERED

    def _layout_for(self, first: int) -> Layout:
        """The dealer's layout; dealing may be slow, so a redo does not ask for it again."""
        if self._last_layout is None or self._last_layout[0] != first:
            self._last_layout = first, self._layout_source(first)
        return self._last_layout[1]

    def _flag(self, cell: int) -> tuple[Ints, int]:
        return self._turn("flag", cell, COVERED, FLAG, "it is not covered cell")

    def _unflag(self, cell: int) -> tuple[Ints, int]:
        return self._turn("unflag", cell, FLAG, COVERED, "it is not flagged")

    def _turn(self, action: str, cell: int, old: int, new: int, why: str) -> tuple[Ints, int]:
        if self._marks[cell] != old:
            raise self._refuse(action, cell, why)
        self._marks[cell] = new
        return np.array([cell], dtype=np.int32), old

    def _continue(self, _: int) -> tuple[Ints, int]:
        """Go on after a loss: the mines that went off are flagged, and the game is marked."""
        if self.outcome != "lost":
            raise IllegalMove("cannot continue: the game is not lost")
        cells = np.array(sorted(self.exploded), dtype=np.int32)
        cells = cells[self._marks[cells] == COVERED]
        self._marks[cells] = FLAG
        self.continues += 1
        self.outcome = "won" if self._safe_left == 0 else "playing"
        return cells, COVERED

    def __repr__(self) -> str:
        after = f", continued {self.continues} times" if self.continues else ""
        return f"<Game {self.board}/{self.mines}, {self._done} moves, {self.outcome}{after}>"

    def _repr_svg_(self) -> str | None:
        # What the player sees, and the mines that went off. An import upwards, as in Position.
        from sapper.render.svg import position_svg

        if len(self.board) > MAX_NOTEBOOK_CELLS:
            return None
        hit = sorted(self.exploded)
        glyphs, colours = dict.fromkeys(hit, "mine"), dict.fromkeys(hit, "lost")
        return position_svg(self.position, glyphs=glyphs, colours=colours)


# Dealers are functions of this module, not closures, so that a game can be pickled.


def _generate_layout(rules: Rules, seed: int, first: int) -> Layout:
    return deal(rules, seed, first).layout


def _known_layout(layout: Layout, first: int) -> Layout:
    return layout


_ACT: dict[str, Callable[[Game, int], tuple[Ints, int]]] = {
    "reveal": Game._reveal,
    "flag": Game._flag,
    "unflag": Game._unflag,
    "chord": Game._chord,
    "continue": Game._continue,
}
