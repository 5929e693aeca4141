"""A game: a layout and the moves made on it, with undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.move import ACTIONS, Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.presentation import MAX_NOTEBOOK_CELLS
from sapper.board.random_stream import check_seed, random_seed
from sapper.board.rules import Rules
from sapper.errors import IllegalMove, NotationError
from sapper.games.setup import GameSetup, LayoutGenerators
from sapper.kernels import view
from sapper.kernels.board import reveal
from sapper.values import check_type

Outcome = Literal["playing", "won", "lost"]
"""The outcome of a game; "playing" until it is won or lost."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A move and what undo needs: the cells that it changed and the mark that they all had."""

    move: Move
    cells: Ints
    mark_before: int
    state_before: tuple[Layout | None, Outcome, frozenset[int], int]


class Game:
    """A game of Minesweeper, which can be continued after a loss.

    The layout is generated at the first reveal, for the revealed cell. Undoing that reveal
    discards the layout too, so the setup and the moves determine a game.
    An illegal move raises IllegalMove and changes nothing.
    """

    def __init__(self, setup: GameSetup, layout_generators: LayoutGenerators | None = None):
        self.setup = setup
        self.rules = setup.rules
        self.board = board = setup.rules.board
        self.mines = setup.rules.mines
        self.layout: Layout | None = None
        self.outcome: Outcome = "playing"
        self.exploded: frozenset[int] = frozenset()
        """The mines that were revealed."""
        self.continues = 0
        """How often the game was continued after a loss."""
        self._layout_source = setup.layout_source(layout_generators)
        self._last_layout: tuple[int, Layout] | None = None
        self._marks = np.full(len(board), COVERED, dtype=np.int32)
        self._safe_left = len(board) - self.mines
        self._steps: list[_Step] = []
        self._move_count = 0
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
        generator: str = "plain",
    ) -> Game:
        """Start a game on a random layout; the parameters are those of `sapper.generate`.

        The layout is generated at the first reveal. *first*, if given, is revealed at once.
        *generator* is a layout generator of `GameSetup`, such as 'no-guess'.

        >>> Game.new("expert", seed=1, first="r1c1")
        <Game square 30x16/99, 1 moves, playing>
        """
        seed = random_seed() if seed is None else check_seed(seed)
        game = cls(GameSetup(Rules.of(rules, tiling, rule), seed, generator))
        if first is not None:
            game.play(Move("reveal", game.board.cell(first)))
        return game

    @classmethod
    def from_layout(cls, layout: Layout) -> Game:
        """Start a game on a given layout, which does not depend on the first click."""
        return cls(GameSetup.from_layout(layout))

    @classmethod
    def replay(cls, rules: Rules, seed: int, moves: Iterable[Move | str]) -> Game:
        """Start a game and make these moves."""
        game = cls.new(rules, seed)
        for move in moves:
            game.play(move)
        return game

    @property
    def seed(self) -> int | None:
        """The seed that the layout is generated from; None for a given layout."""
        return self.setup.seed

    @property
    def position(self) -> Position:
        """The current position, as the player sees it."""
        if self._position is None:
            self._position = Position(self.board, self._marks, self.mines)
        return self._position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, without those that were undone."""
        return tuple(step.move for step in self._steps[: self._move_count])

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.outcome != "playing"

    def play(self, move: Move | str) -> Ints:
        """Make a move and return the cells whose mark changed, in flood-fill order."""
        if isinstance(move, str):
            move = Move.parse(move, self.board)
        check_type(move, Move, "a move such as 'reveal r1c1'")
        if ACTIONS.get(move.action) != (move.cell is not None):
            raise NotationError(f"expected a move ({', '.join(ACTIONS)}), got {move!r:.80}")
        cell = -1 if move.cell is None else self.board.cell(move.cell)
        if self.over and not (move.action == "continue" and self.outcome == "lost"):
            allowed = "undo or continue" if self.outcome == "lost" else "only undo is possible"
            raise IllegalMove(
                f"cannot {move.format(self.board)}: the game is {self.outcome}; {allowed}"
            )
        state = (self.layout, self.outcome, self.exploded, self.continues)
        cells, mark = _HANDLERS[move.action](self, cell)
        del self._steps[self._move_count :]
        self._steps.append(_Step(move, cells, mark, state))
        self._move_count += 1
        self._position = None
        return cells

    def undo(self) -> Ints:
        """Undo the last move and return the cells whose mark changed."""
        if not self._move_count:
            raise IllegalMove("cannot undo: no move was made")
        self._move_count -= 1
        step = self._steps[self._move_count]
        self._safe_left += int((self._marks[step.cells] >= 0).sum())
        self._marks[step.cells] = step.mark_before
        self.layout, self.outcome, self.exploded, self.continues = step.state_before
        self._position = None
        return step.cells

    def redo(self) -> Ints:
        """Redo the move that was undone last and return the cells whose mark changed."""
        if self._move_count == len(self._steps):
            raise IllegalMove("cannot redo: no move was undone")
        later = self._steps[self._move_count + 1 :]
        cells = self.play(self._steps[self._move_count].move)
        self._steps.extend(later)
        return cells

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to undo."""
        return self._move_count > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone move to redo."""
        return self._move_count < len(self._steps)

    def _illegal(self, action: str, cell: int, reason: str) -> IllegalMove:
        return IllegalMove(f"cannot {action} {self.board.name(cell)}: {reason}")

    def _reveal(self, cell: int) -> tuple[Ints, int]:
        if self._marks[cell] == FLAG:
            raise self._illegal("reveal", cell, "it is flagged")
        if self._marks[cell] != COVERED:
            raise self._illegal("reveal", cell, "it is revealed already")
        return self._open([cell])

    def _chord(self, cell: int) -> tuple[Ints, int]:
        number = int(self._marks[cell])
        if number < 0:
            raise self._illegal("chord", cell, "it is not revealed")
        around = self.board.around(cell)
        flags = int((self._marks[around] == FLAG).sum())
        if flags != number:
            raise self._illegal(
                "chord", cell, f"its number is {number}, but {flags} neighbours are flagged"
            )
        covered = [int(other) for other in around if self._marks[other] == COVERED]
        if not covered:
            raise self._illegal("chord", cell, "it has no covered neighbour")
        return self._open(covered)

    def _open(self, cells: list[int]) -> tuple[Ints, int]:
        """Reveal covered cells with their openings; a mine ends the game and stays covered."""
        if self.layout is None:
            self.layout = self._layout_for(cells[0])
        board, mines, numbers = self.board, self.layout.mine_mask, self.layout.numbers
        revealed_parts = []
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
                revealed_parts.append(self._queue[:count].copy())
        mines_hit = frozenset(cell for cell in cells if mines[cell])
        revealed = np.concatenate(revealed_parts) if revealed_parts else np.empty(0, dtype=np.int32)
        self._safe_left -= len(revealed)
        if mines_hit:
            self.outcome, self.exploded = "lost", self.exploded | mines_hit
        elif self._safe_left == 0:
            self.outcome = "won"
        return revealed, COVERED

    def _layout_for(self, first: int) -> Layout:
        """Return the layout for a first click, cached for redo: generating it may be slow."""
        if self._last_layout is None or self._last_layout[0] != first:
            self._last_layout = first, self._layout_source(first)
        return self._last_layout[1]

    def _flag(self, cell: int) -> tuple[Ints, int]:
        return self._set_mark("flag", cell, COVERED, FLAG, "it is not covered")

    def _unflag(self, cell: int) -> tuple[Ints, int]:
        return self._set_mark("unflag", cell, FLAG, COVERED, "it is not flagged")

    def _set_mark(
        self, action: str, cell: int, old: int, new: int, reason: str
    ) -> tuple[Ints, int]:
        if self._marks[cell] != old:
            raise self._illegal(action, cell, reason)
        self._marks[cell] = new
        return np.array([cell], dtype=np.int32), old

    def _continue(self, _: int) -> tuple[Ints, int]:
        """Continue after a loss: flag the mines that exploded and count the continuation."""
        if self.outcome != "lost":
            raise IllegalMove("cannot continue: the game is not lost")
        cells = np.array(sorted(self.exploded), dtype=np.int32)
        cells = cells[self._marks[cells] == COVERED]
        self._marks[cells] = FLAG
        self.continues += 1
        self.outcome = "won" if self._safe_left == 0 else "playing"
        return cells, COVERED

    def __repr__(self) -> str:
        text = f"{self.board}/{self.mines}, {self._move_count} moves, {self.outcome}"
        if self.continues:
            text += f", continued {self.continues} times"
        return f"<Game {text}>"

    def _repr_svg_(self) -> str | None:
        # Imported here because render is a layer above.
        from sapper.render.svg import position_svg

        if len(self.board) > MAX_NOTEBOOK_CELLS:
            return None
        exploded = sorted(self.exploded)
        glyphs, colours = dict.fromkeys(exploded, "mine"), dict.fromkeys(exploded, "lost")
        return position_svg(self.position, glyphs=glyphs, colours=colours)


# A handler makes a move and returns the cells that it changed, and the mark that they all had.
_HANDLERS: dict[str, Callable[[Game, int], tuple[Ints, int]]] = {
    "reveal": Game._reveal,
    "flag": Game._flag,
    "unflag": Game._unflag,
    "chord": Game._chord,
    "continue": Game._continue,
}
