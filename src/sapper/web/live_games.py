"""Games in play: sessions in memory, with every move on disk before it is answered.

Sessions are a cache of the store. A session that was dropped, or that differs from the disk because
a write failed, is replayed from its events when it is next needed.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from anyio import CapacityLimiter, to_thread
from cachetools import LRUCache
from starlette.requests import Request

from sapper.board.board import Board, Ints
from sapper.board.move import Move
from sapper.board.rules import format_size, level_of
from sapper.engine.budget import Cancel
from sapper.errors import Conflict, IllegalMove, NotFound, OutOfBudget
from sapper.games.session import HINT, PAUSE, Clock, GameResult, Session
from sapper.games.setup import GameSetup
from sapper.generators.layouts import layout_generators
from sapper.serialize.games import load_session
from sapper.web.server import limits
from sapper.web.server.http import owner_of
from sapper.web.server.workers import CancellableBudget
from sapper.web.storage.database import CHANGED_ELSEWHERE
from sapper.web.storage.store import GameRow, ResultRow, Store

MAX_CONCURRENT_LOADS = 2
# The page reports every two seconds while the clock runs.
AWAY_SECONDS = 6.0

NO_LAYOUT_FOUND = (
    "no such board was found in time: try fewer mines, a larger board, or allow guesses"
)

# Question marks are the user's notes and not part of a game, so undo does not change them. One
# document stores those of the games that were marked most recently.
QUESTION_MARKS_DOCUMENT = "question-marks"
MAX_MARKED_GAMES = 100
MAX_MARKED_CELLS = 500

MarkedCells = Annotated[
    list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(max_length=MAX_MARKED_CELLS)
]
QuestionMarks = dict[str, MarkedCells]


class GameClock:
    """The clock of a game, which stops when no window has reported for AWAY_SECONDS.

    It stops at the last report: a browser that crashed cannot pause its game. Before the first
    report, as with clients other than the page, it does not stop.
    """

    def __init__(self, clock: Clock = time.monotonic):
        self._clock = clock
        self._last_report = math.inf  # no window has reported
        self._away_seconds = 0.0

    def __call__(self) -> float:
        """Return a time in seconds that does not advance while the user is away."""
        now = self._clock()
        return (self._last_report if self._is_away(now) else now) - self._away_seconds

    def report(self) -> None:
        """Record that a window has the game open."""
        now = self._clock()
        if self._is_away(now):
            self._away_seconds += now - self._last_report
        self._last_report = now

    def record_request(self) -> None:
        """Record a request for the game; it counts as a report if a window has reported before."""
        if self._last_report < math.inf:
            self.report()

    def _is_away(self, now: float) -> bool:
        return now - self._last_report > AWAY_SECONDS


@dataclass
class LiveGame:
    """A game in memory."""

    row: GameRow
    session: Session
    budget: CancellableBudget
    clock: GameClock
    question_marks: tuple[int, ...] = ()
    """The covered cells with a question mark."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    help_given: set[str] = field(default_factory=set)
    """The kinds of help given after `help_event_count` events, so that each counts once."""
    help_event_count: int = -1


class Games:
    """All games of the store, the recent ones in memory."""

    def __init__(self, store: Store):
        self.store = store
        self._live = LRUCache[str, LiveGame](limits.MAX_WEIGHT_IN_MEMORY, getsizeof=_weight)
        self._loading: dict[str, asyncio.Lock] = {}
        # Reading a long game takes a second and a broken replay twenty: moves must not wait for it.
        self.load_limiter = CapacityLimiter(MAX_CONCURRENT_LOADS)

    async def new(self, owner: str, setup: GameSetup) -> LiveGame:
        """Start a new game."""
        budget, clock = CancellableBudget(), GameClock()
        session = Session(setup, layout_generators=layout_generators(budget), clock=clock)
        return await self._add(owner, session, budget, clock)

    async def open(self, owner: str, text: str) -> LiveGame:
        """Continue a saved game; a finished game that is stored already is not added again."""
        clock = GameClock()

        def load() -> Session:
            return load_session(
                text, max_cells=limits.MAX_CELLS, max_events=limits.MAX_EVENTS, clock=clock
            )

        session = await to_thread.run_sync(load, limiter=self.load_limiter)
        if session.game.over:
            header = session.setup.format()
            existing = await to_thread.run_sync(
                self.store.find_identical, owner, header, session.log
            )
            if existing is not None:
                return await self.get(owner, existing)
        return await self._add(owner, session, CancellableBudget(), clock)

    async def get(self, owner: str, game: str) -> LiveGame:
        """Return a game of the owner, from memory or from disk."""
        live = await self._get(game)
        if live.row.owner != owner:
            raise _not_found(game)
        return live

    async def _get(self, game: str) -> LiveGame:
        if game in self._live:
            return self._live[game]
        async with self._loading.setdefault(game, asyncio.Lock()):
            if game not in self._live:
                try:
                    self._live[game] = await to_thread.run_sync(self._load, game)
                finally:
                    self._loading.pop(game, None)
        return self._live[game]

    async def act(
        self,
        owner: str,
        game: str,
        action: Move | str,
        after: int | None,
        cancel: Cancel | None = None,
    ) -> tuple[LiveGame, Ints]:
        """Apply a move or another event; it is on disk when this returns.

        *after* is how many events the client has seen; Conflict is raised if there are more.
        *cancel* ends the search of a layout generator: then OutOfBudget is raised, and the game has
        not changed.
        """
        live = await self.get(owner, game)
        async with live.lock:
            session = live.session
            # While this waited for the lock, the game may have been dropped and loaded again.
            stale = self._live.get(game) is not live
            if stale or (after is not None and after != count_board_events(session)):
                raise Conflict(_conflict_message(session, after))
            if len(session.log) >= limits.MAX_EVENTS:
                raise IllegalMove(f"a game has at most {limits.MAX_EVENTS:,} moves")
            had_ended = session.result is not None
            if is_quick(session):
                changed = session.act(action)
            else:
                changed = await self._act_in_thread(live, action, cancel)
            self._live[game] = live  # it has become larger
            result = None if had_ended else session.result
            try:
                repeated = await self.store.add_event(
                    game,
                    len(session.log) - 1,
                    session.log[-1],
                    updated=time.time(),
                    finished=session.game.over,
                    repeated=live.row.repeated,
                    owner=owner,
                    result=None if result is None else _result_row(live, result),
                )
            except BaseException:
                self._live.pop(game, None)
                raise
            if repeated != live.row.repeated:
                live.row = msgspec.structs.replace(live.row, repeated=repeated)
            return live, changed

    async def _act_in_thread(
        self, live: LiveGame, action: Move | str, cancel: Cancel | None
    ) -> Ints:
        with live.budget.cancelled_by(cancel):
            try:
                return await to_thread.run_sync(live.session.act, action)
            except OutOfBudget as error:
                raise OutOfBudget(NO_LAYOUT_FOUND) from error

    async def count_hint(self, live: LiveGame, event_count: int, kinds: Collection[str]) -> None:
        """Count help that was given after *event_count* events, once for each kind of help."""
        if event_count != live.help_event_count:
            live.help_event_count, live.help_given = event_count, set()
        if not live.help_given.issuperset(kinds):
            await self.act(live.row.owner, live.row.id, HINT, event_count)
            live.help_given.update(kinds)

    async def set_question_marks(self, live: LiveGame, cells: tuple[int, ...]) -> None:
        """Store the cells with a question mark."""
        live.question_marks = cells
        game = live.row.id
        await self.store.update_document(
            live.row.owner,
            QUESTION_MARKS_DOCUMENT,
            lambda document: with_question_marks(document, game, cells),
        )

    async def _add(
        self, owner: str, session: Session, budget: CancellableBudget, clock: GameClock
    ) -> LiveGame:
        header = session.setup.format()
        played = await to_thread.run_sync(self.store.has_been_played, owner, header)
        now = time.time()
        row = GameRow(
            id=secrets.token_urlsafe(9),
            created=now,
            updated=now,
            setup=header,
            title=title_of(session.setup),
            # The moves of an opened game have shown its layout before.
            repeated=played or bool(session.log),
            finished=session.game.over,
            owner=owner,
        )
        for deleted in await self.store.add_game(row, session.log):
            self._live.pop(deleted, None)
        live = self._live[row.id] = LiveGame(row, session, budget, clock)
        return live

    def _load(self, game: str) -> LiveGame:
        stored = self.store.game(game)
        if stored is None:
            raise _not_found(game)
        row, events = stored
        budget, clock = CancellableBudget(), GameClock()
        generators = layout_generators(budget)
        session = load_session(row.setup, layout_generators=generators, clock=clock)
        for event in events:
            session.replay(event.milliseconds, event.text)
        document = self.store.document(row.owner, QUESTION_MARKS_DOCUMENT)
        cells = question_marks_of(document, game, session.game.board)
        return LiveGame(row, session, budget, clock, cells)


def games_of(request: Request) -> Games:
    """Return all games of the server."""
    games: Games = request.app.state.games
    return games


def store_of(request: Request) -> Store:
    """Return the store of the server."""
    return games_of(request).store


async def live_game(request: Request) -> LiveGame:
    """Return the game in the path of a request."""
    live = await games_of(request).get(owner_of(request), request.path_params["game"])
    live.clock.record_request()
    return live


def is_quick(session: Session) -> bool:
    """Return whether a move takes less time than a thread switch: 10 us against 70 us on Expert.

    The first reveal may take long, because a generator searches for a layout.
    """
    return session.game.layout is not None and len(session.game.board) <= limits.QUICK_CELLS


def count_board_events(session: Session) -> int:
    """Return the number of events without pauses and hints, which change nothing on the board."""
    return len(session.log) - session.pauses - session.hints


def title_of(setup: GameSetup) -> str:
    """Return the title of a game in lists: its level, or tiling and size."""
    rules = setup.rules
    if rules.board.tiling is None:
        title = f"Graph of {len(rules.board)} cells, {rules.mines} mines"
    else:
        size = format_size(rules)
        level = level_of(size)
        if rules.board.tiling == "square" and level is not None:
            title = level.capitalize()
        else:
            title = f"{rules.board.tiling.capitalize()} {level or size}"
    return title if setup.generator == "plain" else f"{title}, no guessing"


def _not_found(game: str) -> NotFound:
    # The same message for a game of another owner, so that ids cannot be probed.
    return NotFound(f"you have no game {game!r:.60}")


def _weight(live: LiveGame) -> int:
    """Return the memory that a game takes, in cells."""
    return len(live.session.game.board) + limits.EVENT_WEIGHT * len(live.session.log)


def _conflict_message(session: Session, after: int | None) -> str:
    """Describe the moves that a client has not seen, after the first *after* events."""
    moves = [event.text for event in session.log if event.text not in (PAUSE, HINT)]
    missed = moves[after:] if after is not None else []
    if not missed:
        return CHANGED_ELSEWHERE
    count = "a move" if len(missed) == 1 else f"{len(missed)} moves, the last"
    return f"{CHANGED_ELSEWHERE}: {count}: {missed[-1]}"


def _result_row(live: LiveGame, result: GameResult) -> ResultRow:
    """Return the stored result of a game that has just ended."""
    setup = live.session.setup
    rules = setup.rules
    on_tiling = rules.board.tiling is not None
    return ResultRow(
        id=live.row.id,
        finished=time.time(),
        tiling=rules.board.tiling or "graph",
        size=format_size(rules) if on_tiling else f"{len(rules.board)}/{rules.mines}",
        rule=rules.rule,
        generator="layout" if setup.layout is not None else setup.generator,
        seed="" if setup.seed is None else str(setup.seed),
        outcome=result.outcome,
        milliseconds=result.milliseconds,
        clicks=result.clicks,
        three_bv=result.three_bv,
        helped=result.helped,
        repeated=live.row.repeated,
    )


def question_marks_of(document: Any, game: str, board: Board) -> tuple[int, ...]:
    """Return the marked cells of a game that are on its board."""
    cells = document.get(game, ()) if isinstance(document, dict) else ()
    return tuple(cell for cell in cells if 0 <= cell < len(board))


def with_question_marks(document: Any, game: str, cells: Sequence[int]) -> dict[str, list[int]]:
    """Return the document with the cells of a game, without the oldest of too many games."""
    others = document if isinstance(document, dict) else {}
    games = {name: marked for name, marked in others.items() if name != game}
    if cells:
        games[game] = list(cells)
    return dict(list(games.items())[-MAX_MARKED_GAMES:])


def merge_question_marks(stored: QuestionMarks, imported: QuestionMarks) -> dict[str, list[int]]:
    """Merge two documents; of a game in both, keep the stored cells."""
    return dict([*{**imported, **stored}.items()][-MAX_MARKED_GAMES:])
