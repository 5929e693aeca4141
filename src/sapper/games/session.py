"""The session: one sitting at a game, with all that must survive an undo.

A session is a log of events, and everything else follows from it by playing the log again:
the game, the clock, the number of undos, hints and deaths. Saving writes the log, loading
replays it.
The wall clock comes in as an argument and is read only when something happens.
Its text is the header of `start`, and a line for each event:

    sapper: game 1
    board: square 9x9
    mines: 10
    rule: zero
    seed: 7

    0.000 reveal r5c5
    1.250 flag r1c2
    2.000 undo
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sapper.board.board import MAX_CELLS, Ints
from sapper.board.move import ACTIONS, Move
from sapper.board.position import Position
from sapper.errors import IllegalMove, NotationError
from sapper.games.game import Game, Outcome
from sapper.games.setup import (
    LAYOUT_GENERATORS,
    GameSetup,
    LayoutGenerators,
    read_setup,
    split_saved_game,
)
from sapper.kernels import view
from sapper.kernels.board.layout import count_numbers, label_regions
from sapper.values import check_type

Clock = Callable[[], float]

# What may happen in a session besides the moves of the game.
UNDO, REDO, HINT, PAUSE = "undo", "redo", "hint", "pause"
CONTROL_EVENTS = (UNDO, REDO, HINT, PAUSE)
# Older saved games have these names.
_RENAMED = {"number": HINT}
CLICKS = tuple(action for action, on_a_cell in ACTIONS.items() if on_a_cell)
REVEALING_ACTIONS = ("reveal", "chord")

_EVENT = re.compile(r"(\d{1,9})\.(\d{3})\s+(.+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """Something that happened, and when: milliseconds of play, pauses left out."""

    at: int
    what: str


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An event of a session with the position that the player saw when it happened."""

    event: SessionEvent
    move: Move | None
    """The move that it is; None for undo, redo, hint and pause."""
    position: Position
    seconds: float
    """When, in seconds of play."""
    lost: bool
    """Whether it lost the game."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game first ended: what a score book keeps, whatever is undone afterwards."""

    outcome: Outcome
    milliseconds: int
    clicks: int
    three_bv: int
    helped: bool


class Session:
    """A game with undo, redo, a clock and a log that can be saved.

    The clock runs from the first reveal to the end of the game, and not while it is paused.
    """

    def __init__(
        self,
        start: GameSetup,
        *,
        layout_generators: LayoutGenerators = LAYOUT_GENERATORS,
        clock: Clock = time.monotonic,
    ) -> None:
        check_type(start, GameSetup, "the start of a game")
        rules = start.rules
        self.start = start
        self.game = Game(rules.board, rules.mines, start.layout_source(layout_generators))
        self.log: list[SessionEvent] = []
        self.clicks = 0
        """Moves on cells; undo does not give them back."""
        self.undos = 0
        self.pauses = 0
        self.hints = 0
        """How often help was asked for."""
        self.deaths = 0
        """How often the game was lost, also where the loss was undone."""
        self.helped = False
        """Whether a hint, a loss, or the undo of a reveal has told what skill should have."""
        self.result: GameResult | None = None
        self._clock = clock
        self._dealers = layout_generators
        self._played = 0
        self._since: float | None = None
        self._done: list[str] = []
        self._undone: list[str] = []

    @property
    def position(self) -> Position:
        """What the player sees now."""
        return self.game.position

    @property
    def running(self) -> bool:
        """Whether the clock runs."""
        return self._since is not None

    @property
    def milliseconds(self) -> int:
        """How long the game has been played."""
        if self._since is None:
            return self._played
        return self._played + max(0, round(1000 * (self._clock() - self._since)))

    @property
    def three_bv(self) -> int:
        """The 3BV of what is revealed; after a win, that of the layout."""
        return revealed_three_bv(self.position)

    @property
    def efficiency(self) -> float | None:
        """The 3BV of what is revealed for each click; None before the first click."""
        return self.three_bv / self.clicks if self.clicks else None

    @property
    def numbers(self) -> int:
        """The same as `hints`, by an older name."""
        return self.hints

    def act(self, what: Move | str) -> Ints:
        """Let an event happen now; answers with the cells whose mark changed.

        *what* is a move, or one of undo, redo, hint and pause.
        """
        check_type(what, (Move, str), "a move such as 'reveal r1c1'")
        text = what if isinstance(what, str) else what.format(self.game.board)
        return self._happen(text, self.milliseconds)

    def pause(self) -> None:
        """Stop the clock until the next event or `resume`; the log remembers where it stood."""
        if self.running:
            self.act(PAUSE)

    def resume(self) -> None:
        """Let the clock run on, if the game has begun and is not over."""
        if not self.running and self.game.layout is not None and not self.game.over:
            self._since = self._clock()

    def save(self) -> str:
        """The session as text; `load` reads it."""
        lines = [f"{event.at / 1000:.3f} {event.what}\n" for event in self.log]
        return self.start.format() + "\n" * bool(lines) + "".join(lines)

    @classmethod
    def load(
        cls,
        text: str,
        *,
        layout_generators: LayoutGenerators = LAYOUT_GENERATORS,
        clock: Clock = time.monotonic,
        max_cells: int = MAX_CELLS,
        max_events: int | None = None,
    ) -> Session:
        """The session that `save` wrote, paused."""
        header, lines = split_saved_game(text)
        session = cls(
            read_setup(header, max_cells), layout_generators=layout_generators, clock=clock
        )
        if max_events is not None and len(lines) > max_events:
            raise NotationError(f"expected at most {max_events} moves, got {len(lines)}")
        for number, line in lines:
            session._reread(number, line)
        session._stop()
        return session

    def history(self) -> Iterator[HistoryEntry]:
        """Every event so far with the position that it met, found by playing the log again."""
        again = Session(self._replay_setup(), layout_generators=self._dealers, clock=lambda: 0.0)
        for event in tuple(self.log):
            position, deaths = again.position, again.deaths
            move = None if event.what in CONTROL_EVENTS else Move.parse(event.what, position.board)
            again.replay(event.at, event.what)
            yield HistoryEntry(event, move, position, event.at / 1000, again.deaths > deaths)

    def _replay_setup(self) -> GameSetup:
        """The start with its layout, where that is known to be the same when played again.

        Some dealers search for long. After an undo the first click may have been another.
        """
        if self.undos or self.game.layout is None:
            return self.start
        return replace(self.start, layout=self.game.layout)

    def replay(self, at: int, what: str) -> None:
        """Let an event of a stored log happen again; *at* may not go back."""
        if at < self._played:
            raise NotationError(f"expected times that do not go back, got {at / 1000:.3f}")
        self._happen(what, at)
        self._stop()

    def _reread(self, number: int, line: str) -> None:
        match = _EVENT.fullmatch(line)
        if match is None:
            example = f"'1.250 reveal {self.game.board.name(0)}'"
            raise NotationError(f"line {number}: expected {example} or the like, got {line!r:.60}")
        try:
            self.replay(int(match[1] + match[2]), match[3])
        except (NotationError, IllegalMove) as error:
            raise NotationError(f"line {number}: {error}") from None

    def _happen(self, what: str, at: int) -> Ints:
        what = _RENAMED.get(what, what)
        changed = self._CONTROL_HANDLERS[what](self) if what in CONTROL_EVENTS else self._move(what)
        self._played = at
        self._since = None
        if what == PAUSE:
            self.log.append(SessionEvent(at, what))
            return changed
        self.log.append(SessionEvent(at, self._done[-1] if what not in CONTROL_EVENTS else what))
        if self.game.over and self.result is None:
            self.result = self._first_result(at)
        self.resume()
        return changed

    def _move(self, text: str) -> Ints:
        move = Move.parse(text, self.game.board)
        changed = self.game.play(move)
        self._done.append(move.format(self.game.board))
        self._undone.clear()
        self.clicks += move.action in CLICKS
        self._count_death()
        return changed

    def _undo(self) -> Ints:
        changed = self.game.undo()
        self._undone.append(self._done.pop())
        self.undos += 1
        self.helped |= self._undone[-1].startswith(REVEALING_ACTIONS)
        return changed

    def _redo(self) -> Ints:
        changed = self.game.redo()
        self._done.append(self._undone.pop())
        self._count_death()
        return changed

    def _hint(self) -> Ints:
        if self.game.over:
            raise IllegalMove(f"cannot give a hint: the game is {self.game.outcome}")
        self.hints += 1
        self.helped = True
        return np.empty(0, dtype=np.int32)

    def _pause(self) -> Ints:
        self.pauses += 1
        return np.empty(0, dtype=np.int32)

    _CONTROL_HANDLERS: Mapping[str, Callable[[Session], Ints]] = {
        UNDO: _undo,
        REDO: _redo,
        HINT: _hint,
        PAUSE: _pause,
    }

    def _count_death(self) -> None:
        self.deaths += self.game.outcome == "lost"

    def _first_result(self, at: int) -> GameResult:
        assert self.game.layout is not None
        result = GameResult(
            self.game.outcome, at, self.clicks, self.game.layout.three_bv, helped=self.helped
        )
        self.helped |= self.game.outcome == "lost"
        return result

    def _stop(self) -> None:
        self._since = None

    def __repr__(self) -> str:
        return f"<Session {self.game!r}, {self.milliseconds / 1000:.1f} s>"


def revealed_three_bv(position: Position) -> int:
    """The 3BV of what a position shows: its openings, and the numbers that touch none of them.

    It follows from the position alone, so showing it tells nothing of what is still hidden.
    After a win it is the 3BV of the layout.
    """
    board = position.board
    zeros = (position.marks == 0).astype(np.uint8)
    near = np.zeros(len(board), dtype=np.int32)
    labels = np.zeros(len(board), dtype=np.int32)
    queue = np.empty(len(board), dtype=np.int32)
    graph = view(board.offsets), view(board.neighbours)
    count_numbers(*graph, view(zeros), view(near))
    openings = int(label_regions(*graph, view(zeros), view(labels), view(queue)))
    return openings + int(((position.marks > 0) & (near == 0)).sum())
