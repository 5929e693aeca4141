"""The session: one sitting at a game, with all that must survive an undo.

A session is a log of events, and everything else follows from it by playing the log again:
the game, the clock, the number of undos, nudges and deaths. Saving writes the log, loading
replays it.
The wall clock comes in as an argument and is read only when something happens.
The log and its text stand in one file, longer than most: an event is read as it is written.

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

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sapper.errors import IllegalMove, NotationError, RulesError
from sapper.kernels import view
from sapper.kernels.boards.deal import count_hints, label_regions
from sapper.model.board import MAX_CELLS, Board, Ints
from sapper.model.deal import SEEDS, deal
from sapper.model.formats import SAVED_GAME
from sapper.model.frame import Frame
from sapper.model.game import Dealer, Game, Outcome
from sapper.model.json_forms import board_from_json, board_to_json
from sapper.model.layout import Layout
from sapper.model.move import ACTIONS, Move
from sapper.model.rules import Rules
from sapper.model.tilings import tiling
from sapper.values import need

Clock = Callable[[], float]
Dealers = Mapping[str, Callable[[Rules, int], Dealer]]

# Ways to deal, by the name that a saved game carries; layers above add theirs to their own table.
DEALERS: Dealers = {
    "plain": lambda rules, seed: lambda first: deal(rules, seed, first).layout,
}

# What may happen in a session besides the moves of the game.
UNDO, REDO, NUDGE, PAUSE = "undo", "redo", "nudge", "pause"
BESIDES = (UNDO, REDO, NUDGE, PAUSE)
# Older saved games have these names.
_RENAMED = {"hint": NUDGE}
CLICKS = tuple(action for action, on_a_cell in ACTIONS.items() if on_a_cell)
LEARNS = ("reveal", "chord")

# Lines are stripped beforehand: a lazy group before \s* would take quadratic time.
_HEADER = re.compile(r"([a-z]+)\s*:(.*)")
_EVENT = re.compile(r"(\d{1,9})\.(\d{3})\s+(.+)", re.ASCII)
_BOARD = re.compile(r"(\S+)\s+(\d{1,9})x(\d{1,9})", re.ASCII)
_NUMBER = re.compile(r"\d{1,20}", re.ASCII)


@dataclass(frozen=True)
class Start:
    """What fixes a game before its first move: rules with a seed and a way to deal, or a layout."""

    rules: Rules
    seed: int | None = None
    deal: str = "plain"
    layout: Layout | None = None

    @classmethod
    def on(cls, layout: Layout, rule: str = "any") -> Start:
        """A start on a known layout, whatever is clicked first.

        *rule* is what the player was promised, where the layout came from a game that kept it.
        """
        return cls(Rules(layout.board, layout.mine_count, rule), layout=layout)

    @classmethod
    def parse(cls, text: str, *, most_cells: int = MAX_CELLS) -> Start:
        """Read the header of a saved game; `format` writes it."""
        header, events = _split(text)
        if events:
            raise NotationError(f"line {events[0][0]}: expected a header, got {events[0][1]!r:.60}")
        return _read_start(header, most_cells)

    def format(self) -> str:
        """The header of a saved game: the same text for the same start."""
        return "\n".join(_write_start(self)) + "\n"

    def dealer(self, dealers: Dealers = DEALERS) -> Dealer:
        """The dealer that the game will ask once, at its first reveal."""
        if self.layout is not None:
            layout = self.layout
            return lambda first: layout
        if self.deal not in dealers:
            raise NotationError(f"expected a deal ({', '.join(dealers)}), got {self.deal!r:.60}")
        if self.seed is None or not 0 <= self.seed < SEEDS:
            raise NotationError(f"expected a seed from 0 to {SEEDS - 1}, got {self.seed}")
        return dealers[self.deal](self.rules, self.seed)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and when: milliseconds of play, pauses left out."""

    at: int
    what: str


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of a session with the frame that the player saw when it happened."""

    event: Event
    move: Move | None
    """The move that it is; None for undo, redo, nudge and pause."""
    frame: Frame
    seconds: float
    """When, in seconds of play."""
    lost: bool
    """Whether it lost the game."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game first ended: what a score book keeps, whatever is undone afterwards."""

    outcome: Outcome
    milliseconds: int
    clicks: int
    bbbv: int
    helped: bool


class Session:
    """A game with undo, redo, a clock and a log that can be saved.

    The clock runs from the first reveal to the end of the game, and not while it is paused.
    """

    def __init__(
        self, start: Start, *, dealers: Dealers = DEALERS, clock: Clock = time.monotonic
    ) -> None:
        need(start, Start, "the start of a game")
        rules = start.rules
        self.start = start
        self.game = Game(rules.board, rules.mines, start.dealer(dealers))
        self.log: list[Event] = []
        self.clicks = 0
        """Moves on cells; undo does not give them back."""
        self.undos = 0
        self.pauses = 0
        self.nudges = 0
        """How often help was asked for."""
        self.deaths = 0
        """How often the game was lost, also where the loss was undone."""
        self.helped = False
        """Whether a nudge, a loss, or the undo of a reveal has told what skill should have."""
        self.result: Result | None = None
        self._clock = clock
        self._dealers = dealers
        self._played = 0
        self._since: float | None = None
        self._done: list[str] = []
        self._undone: list[str] = []

    @property
    def frame(self) -> Frame:
        """What the player sees now."""
        return self.game.frame

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
    def bbbv(self) -> int:
        """The 3BV of what is revealed; after a win, that of the layout."""
        return revealed_bbbv(self.frame)

    @property
    def efficiency(self) -> float | None:
        """The 3BV of what is revealed for each click; None before the first click."""
        return self.bbbv / self.clicks if self.clicks else None

    @property
    def hints(self) -> int:
        """The same as `nudges`, by an older name."""
        return self.nudges

    def act(self, what: Move | str) -> Ints:
        """Let an event happen now; answers with the cells whose mark changed.

        *what* is a move, or one of undo, redo, nudge and pause.
        """
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
        dealers: Dealers = DEALERS,
        clock: Clock = time.monotonic,
        most_cells: int = MAX_CELLS,
        most_events: int | None = None,
    ) -> Session:
        """The session that `save` wrote, paused."""
        header, lines = _split(text)
        session = cls(_read_start(header, most_cells), dealers=dealers, clock=clock)
        if most_events is not None and len(lines) > most_events:
            raise NotationError(f"expected at most {most_events} moves, got {len(lines)}")
        for number, line in lines:
            session._reread(number, line)
        session._stop()
        return session

    def history(self) -> Iterator[Moment]:
        """Every event so far with the frame that it met, found by playing the log again."""
        again = Session(self._dealt_start(), dealers=self._dealers, clock=lambda: 0.0)
        for event in tuple(self.log):
            frame, deaths = again.frame, again.deaths
            move = None if event.what in BESIDES else Move.parse(event.what, frame.board)
            again.replay(event.at, event.what)
            yield Moment(event, move, frame, event.at / 1000, again.deaths > deaths)

    def _dealt_start(self) -> Start:
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
        changed = self._BESIDES[what](self) if what in BESIDES else self._move(what)
        self._played = at
        self._since = None
        if what == PAUSE:
            self.log.append(Event(at, what))
            return changed
        self.log.append(Event(at, self._done[-1] if what not in BESIDES else what))
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
        self.helped |= self._undone[-1].startswith(LEARNS)
        return changed

    def _redo(self) -> Ints:
        changed = self.game.redo()
        self._done.append(self._undone.pop())
        self._count_death()
        return changed

    def _nudge(self) -> Ints:
        if self.game.over:
            raise IllegalMove(f"cannot give a nudge: the game is {self.game.outcome}")
        self.nudges += 1
        self.helped = True
        return np.empty(0, dtype=np.int32)

    def _pause(self) -> Ints:
        self.pauses += 1
        return np.empty(0, dtype=np.int32)

    _BESIDES: Mapping[str, Callable[[Session], Ints]] = {
        UNDO: _undo,
        REDO: _redo,
        NUDGE: _nudge,
        PAUSE: _pause,
    }

    def _count_death(self) -> None:
        self.deaths += self.game.outcome == "lost"

    def _first_result(self, at: int) -> Result:
        assert self.game.layout is not None
        result = Result(
            self.game.outcome, at, self.clicks, self.game.layout.bbbv, helped=self.helped
        )
        self.helped |= self.game.outcome == "lost"
        return result

    def _stop(self) -> None:
        self._since = None

    def __repr__(self) -> str:
        return f"<Session {self.game!r}, {self.milliseconds / 1000:.1f} s>"


def revealed_bbbv(frame: Frame) -> int:
    """The 3BV of what a frame shows: its openings, and the hints that touch none of them.

    It follows from the frame alone, so showing it tells nothing of what is still hidden.
    After a win it is the 3BV of the layout.
    """
    board = frame.board
    zeros = (frame.marks == 0).astype(np.uint8)
    near = np.zeros(len(board), dtype=np.int32)
    labels = np.zeros(len(board), dtype=np.int32)
    queue = np.empty(len(board), dtype=np.int32)
    graph = view(board.offsets), view(board.neighbours)
    count_hints(*graph, view(zeros), view(near))
    openings = int(label_regions(*graph, view(zeros), view(labels), view(queue)))
    return openings + int(((frame.marks > 0) & (near == 0)).sum())


# The header of a saved game.

_KEYS = ("sapper", "board", "mines", "rule", "deal", "seed", "layout", "click")


def _write_start(start: Start) -> list[str]:
    board = start.rules.board
    shown = str(board) if board.tiling else json.dumps(board_to_json(board), ensure_ascii=False)
    lines = [SAVED_GAME, f"board: {shown}"]
    if start.layout is not None:
        mines = " ".join(board.name(int(c)) for c in start.layout.mine_cells)
        lines.append(f"layout: {mines}".rstrip())
        if start.layout.click is not None:
            lines.append(f"click: {board.name(start.layout.click)}")
        if start.rules.rule != "any":
            lines.append(f"rule: {start.rules.rule}")
        return lines
    lines += [f"mines: {start.rules.mines}", f"rule: {start.rules.rule}"]
    if start.deal != "plain":
        lines.append(f"deal: {start.deal}")
    lines.append(f"seed: {start.seed}")
    return lines


def _read_start(header: Mapping[str, str], most_cells: int) -> Start:
    if "sapper" not in header:
        raise NotationError(f"expected a saved game, which begins {SAVED_GAME!r}, got other text")
    if f"sapper: {header['sapper']}" != SAVED_GAME:
        raise NotationError(f"expected {SAVED_GAME!r}, got {header['sapper']!r:.60}")
    board = _read_board(_need(header, "board"), most_cells)
    if "layout" in header:
        mask = np.zeros(len(board), dtype=np.uint8)
        mask[[board.cell(name) for name in header["layout"].split()]] = 1
        click = board.cell(header["click"]) if "click" in header else None
        return Start.on(Layout(board, mask, click), header.get("rule", "any"))
    rules = Rules(board, _read_number(header, "mines"), header.get("rule", "zero"))
    return Start(rules, _read_number(header, "seed"), header.get("deal", "plain"))


def _read_board(text: str, most_cells: int) -> Board:
    if text.startswith("{"):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise NotationError(f"board: expected JSON, got {error}") from None
        if isinstance(data.get("board"), str):
            return _read_board(data["board"], most_cells)
        board = board_from_json(data)
        if len(board) > most_cells:
            raise RulesError(f"expected at most {most_cells:,} cells, got {len(board):,}")
        return board
    match = _BOARD.fullmatch(text)
    if match is None:
        raise NotationError(f"expected a board such as 'square 9x9', got {text!r:.60}")
    width, height = int(match[2]), int(match[3])
    # Checked before the board is built: a giant one takes seconds and gigabytes.
    if width * height > most_cells:
        raise RulesError(f"expected at most {most_cells:,} cells, got {width}x{height}")
    return tiling(match[1], width, height)


def _read_number(header: Mapping[str, str], key: str) -> int:
    text = _need(header, key)
    if _NUMBER.fullmatch(text) is None:
        raise NotationError(f"{key}: expected a number, got {text!r:.60}")
    return int(text)


def _need(header: Mapping[str, str], key: str) -> str:
    if key not in header:
        raise NotationError(f"expected a header line '{key}: ...', got none")
    return header[key]


def _split(text: str) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """The header lines, and the numbered lines of the events."""
    header: dict[str, str] = {}
    events: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line:
            continue
        match = _HEADER.fullmatch(line)
        if match is None or events:
            events.append((number, line))
        elif match[1] not in _KEYS or match[1] in header:
            known = ", ".join(_KEYS)
            raise NotationError(
                f"line {number}: expected each of {known} at most once, got {match[1]!r:.60}"
            )
        else:
            header[match[1]] = match[2].strip()
    return header, events
