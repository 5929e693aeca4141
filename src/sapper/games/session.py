"""A session: one sitting at a game, with everything that must survive an undo.

A session is a log of events; the game, the clock and the counters follow from replaying it.
Saving writes the log and loading replays it. The wall clock is an argument, read only when an
event happens. The text of a session is the header of `setup` and a line for each event:

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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from sapper.board.board import MAX_CELLS, Ints
from sapper.board.move import ACTIONS, Move
from sapper.board.position import Position
from sapper.errors import IllegalMove, NotationError
from sapper.games.game import Game, Outcome
from sapper.games.setup import GameSetup, LayoutGenerators, read_setup, split_saved_game
from sapper.kernels import view
from sapper.kernels.board import count_numbers, label_regions
from sapper.values import check_type

Clock = Callable[[], float]

# The events of a session that are not moves of the game.
UNDO, REDO, HINT, PAUSE = "undo", "redo", "hint", "pause"
CONTROL_EVENTS = (UNDO, REDO, HINT, PAUSE)
CLICKS = tuple(action for action, has_cell in ACTIONS.items() if has_cell)
REVEALING_ACTIONS = ("reveal", "chord")

_EVENT = re.compile(r"(\d{1,9})\.(\d{3})\s+(.+)", re.ASCII)
_NO_CELLS: Ints = np.empty(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """An event and its time in milliseconds of play, without pauses."""

    milliseconds: int
    text: str
    """A move such as 'reveal r1c1', or one of CONTROL_EVENTS."""
    move: Move | None = field(default=None, compare=False)
    """The move, in a log; None for a control event."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An event of a session with the positions before and after it."""

    event: SessionEvent
    position: Position
    after: Position
    lost: bool
    """Whether the event lost the game."""

    @property
    def move(self) -> Move | None:
        """The move of the event; None for a control event."""
        return self.event.move

    @property
    def seconds(self) -> float:
        """The time of the event in seconds of play."""
        return self.event.milliseconds / 1000


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game first ended; statistics keep it even if that move is undone."""

    outcome: Outcome
    milliseconds: int
    clicks: int
    three_bv: int
    helped: bool


class Session:
    """A game with undo, redo, a clock and a log that can be saved.

    The clock runs from the first reveal to the end of the game, except while it is paused.
    *layout_generators* replace those of the package.
    """

    def __init__(
        self,
        setup: GameSetup,
        *,
        layout_generators: LayoutGenerators | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        check_type(setup, GameSetup, "the setup of a game")
        self.setup = setup
        self.game = Game(setup, layout_generators)
        self.log: list[SessionEvent] = []
        self.clicks = 0
        """The number of moves on cells, including those that were undone."""
        self.undos = 0
        self.pauses = 0
        self.hints = 0
        """The number of hints requested."""
        self.losses = 0
        """The number of losses, including those that were undone."""
        self.helped = False
        """Whether a hint, a loss or the undo of a reveal has given the user information."""
        self.result: GameResult | None = None
        self._clock = clock
        self._layout_generators = layout_generators
        self._played = 0
        """The milliseconds played up to the last event."""
        self._running_since: float | None = None
        self._done: list[Move] = []
        self._undone: list[Move] = []

    @property
    def position(self) -> Position:
        """The current position, as the player sees it."""
        return self.game.position

    @property
    def running(self) -> bool:
        """Whether the clock is running."""
        return self._running_since is not None

    @property
    def milliseconds(self) -> int:
        """The time played."""
        if self._running_since is None:
            return self._played
        return self._played + max(0, round(1000 * (self._clock() - self._running_since)))

    @property
    def three_bv(self) -> int:
        """The 3BV of the revealed part; after a win, that of the layout."""
        return revealed_three_bv(self.position)

    @property
    def efficiency(self) -> float | None:
        """The 3BV of the revealed part per click; None before the first click."""
        return self.three_bv / self.clicks if self.clicks else None

    def act(self, event: Move | str) -> Ints:
        """Apply an event now and return the cells whose mark changed.

        *event* is a move, as a value or as text, or one of CONTROL_EVENTS.
        """
        check_type(event, (Move, str), "a move such as 'reveal r1c1'")
        return self._apply(event, self.milliseconds)

    def pause(self) -> None:
        """Stop the clock until the next event or `resume`; the pause is logged."""
        if self.running:
            self.act(PAUSE)

    def resume(self) -> None:
        """Start the clock again if the game has begun and is not over."""
        if not self.running and self.game.layout is not None and not self.game.over:
            self._running_since = self._clock()

    def save(self) -> str:
        """Return the session as text, which `load` reads."""
        return self._text(self.log)

    def save_before(self, reveal: int) -> str:
        """Return the session as text up to a reveal or chord, which are counted from 1.

        Raises IllegalMove if there are fewer.
        """
        indices = [
            i
            for i, event in enumerate(self.log)
            if event.move is not None and event.move.action in REVEALING_ACTIONS
        ]
        if not 1 <= reveal <= len(indices):
            raise IllegalMove(f"expected a move from 1 to {len(indices)}, got {reveal}")
        return self._text(self.log[: indices[reveal - 1]])

    def _text(self, events: list[SessionEvent]) -> str:
        lines = [f"{event.milliseconds / 1000:.3f} {event.text}\n" for event in events]
        return self.setup.format() + "\n" * bool(lines) + "".join(lines)

    @classmethod
    def load(
        cls,
        text: str,
        *,
        layout_generators: LayoutGenerators | None = None,
        clock: Clock = time.monotonic,
        max_cells: int = MAX_CELLS,
        max_events: int | None = None,
    ) -> Session:
        """Read the text of `save`; the clock of the session is paused."""
        check_type(text, str, "text")
        header, lines = split_saved_game(text)
        setup = read_setup(header, max_cells)
        session = cls(setup, layout_generators=layout_generators, clock=clock)
        if max_events is not None and len(lines) > max_events:
            raise NotationError(f"expected at most {max_events} events, got {len(lines)}")
        for number, line in lines:
            session._replay_line(number, line)
        session._running_since = None
        return session

    def history(self) -> Iterator[HistoryEntry]:
        """Yield each event with the positions before and after it, by replaying the log."""
        setup, generators = self.setup, self._layout_generators
        if self.game.layout is not None and not self.undos:
            # Saves a generator's long search. After an undo the first click may have differed.
            setup = replace(setup, layout=self.game.layout)
        replayed = Session(setup, layout_generators=generators, clock=lambda: 0.0)
        for event in tuple(self.log):
            position, losses = replayed.position, replayed.losses
            replayed.replay(event.milliseconds, event.move or event.text)
            yield HistoryEntry(event, position, replayed.position, replayed.losses > losses)

    def replay(self, milliseconds: int, event: Move | str) -> None:
        """Apply an event of a stored log; times must not decrease."""
        if milliseconds < self._played:
            raise NotationError(f"expected times in ascending order, got {milliseconds / 1000:.3f}")
        self._apply(event, milliseconds)
        self._running_since = None

    def _replay_line(self, number: int, line: str) -> None:
        match = _EVENT.fullmatch(line)
        if match is None:
            example = f"'1.250 reveal {self.game.board.name(0)}'"
            raise NotationError(
                f"line {number}: expected an event such as {example}, got {line!r:.60}"
            )
        try:
            self.replay(int(match[1] + match[2]), match[3])
        except (NotationError, IllegalMove) as error:
            raise NotationError(f"line {number}: {error}") from None

    def _apply(self, event: Move | str, milliseconds: int) -> Ints:
        if isinstance(event, str) and event not in CONTROL_EVENTS:
            event = Move.parse(event, self.game.board)
        if isinstance(event, Move):
            changed = self._make_move(event)
            logged = SessionEvent(milliseconds, event.format(self.game.board), event)
        else:
            changed = _CONTROL_HANDLERS[event](self)
            logged = SessionEvent(milliseconds, event)
        self._played, self._running_since = milliseconds, None
        self.log.append(logged)
        if logged.text != PAUSE:
            layout, outcome = self.game.layout, self.game.outcome
            if self.game.over and self.result is None and layout is not None:
                clicks, three_bv, helped = self.clicks, layout.three_bv, self.helped
                self.result = GameResult(outcome, milliseconds, clicks, three_bv, helped)
                self.helped |= outcome == "lost"
            self.resume()
        return changed

    def _make_move(self, move: Move) -> Ints:
        changed = self.game.play(move)
        self._done.append(move)
        self._undone.clear()
        self.clicks += move.action in CLICKS
        self._count_loss()
        return changed

    def _undo(self) -> Ints:
        changed = self.game.undo()
        move = self._done.pop()
        self._undone.append(move)
        self.undos += 1
        self.helped |= move.action in REVEALING_ACTIONS
        return changed

    def _redo(self) -> Ints:
        changed = self.game.redo()
        self._done.append(self._undone.pop())
        self._count_loss()
        return changed

    def _hint(self) -> Ints:
        if self.game.over:
            raise IllegalMove(f"cannot give a hint: the game is {self.game.outcome}")
        self.hints += 1
        self.helped = True
        return _NO_CELLS

    def _pause(self) -> Ints:
        self.pauses += 1
        return _NO_CELLS

    def _count_loss(self) -> None:
        self.losses += self.game.outcome == "lost"

    def __repr__(self) -> str:
        return f"<Session {self.game!r}, {self.milliseconds / 1000:.1f} s>"


_CONTROL_HANDLERS: dict[str, Callable[[Session], Ints]] = {
    UNDO: Session._undo,
    REDO: Session._redo,
    HINT: Session._hint,
    PAUSE: Session._pause,
}


def revealed_three_bv(position: Position) -> int:
    """Count the openings of a position and the numbers that touch none of them.

    This follows from the position alone, so it reveals nothing about covered cells. After a win it
    is the 3BV of the layout.
    """
    board = position.board
    zeros = (position.marks == 0).astype(np.uint8)
    adjacent_zeros = np.zeros(len(board), dtype=np.int32)
    labels = np.zeros(len(board), dtype=np.int32)
    queue = np.empty(len(board), dtype=np.int32)
    graph = view(board.offsets), view(board.neighbours)
    count_numbers(*graph, view(zeros), view(adjacent_zeros))
    openings = int(label_regions(*graph, view(zeros), view(labels), view(queue)))
    return openings + int(((position.marks > 0) & (adjacent_zeros == 0)).sum())
