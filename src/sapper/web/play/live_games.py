"""The games in play: sessions in memory, each move on disk before it is answered.

Sessions are a cache of the store. One that is dropped, or that differs from the disk because
a write failed, is played again from its log when it is next asked for.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from anyio import CapacityLimiter, to_thread

from sapper.board.board import Ints
from sapper.board.rules import format_size, level_of
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.errors import Conflict, GameNotFound, IllegalMove
from sapper.games.session import HINT, PAUSE, GameResult, Session
from sapper.games.setup import GameSetup
from sapper.generators.layout_sources import layout_generators
from sapper.serialize.saved_games import load_session
from sapper.web.play import question_marks
from sapper.web.server import limits
from sapper.web.storage.database import CHANGED_ELSEWHERE
from sapper.web.storage.store import GameRow, ResultRow, Store

MAX_CONCURRENT_LOADS = 2


@dataclass(frozen=True)
class CancellableBudget(Budget):
    """The budget of a dealer, whose search ends when the one who waits for it goes away."""

    waits: list[Cancel] = field(default_factory=list, compare=False)
    """The cancel of the move that is being made, if any."""

    def start(self, cancel: Cancel | None = None) -> Limit:
        """Let the clock of a search run from now."""
        return super().start(cancel or next(iter(self.waits), None))

    @contextmanager
    def of(self, cancel: Cancel | None) -> Iterator[None]:
        """While this lasts, *cancel* ends every search."""
        self.waits[:] = [] if cancel is None else [cancel]
        try:
            yield
        finally:
            self.waits.clear()


@dataclass
class LiveGame:
    """A game in memory."""

    row: GameRow
    session: Session
    budget: CancellableBudget
    question_marks: tuple[int, ...] = ()
    """The covered cells with a question mark."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    told: set[str] = field(default_factory=set)
    """The help that was given at the position after `help_at` events, so that it counts once."""
    help_at: int = -1


class Games:
    """All games of the store, the recent ones in memory."""

    def __init__(self, store: Store):
        self.store = store
        self._live: OrderedDict[str, LiveGame] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        # A long game takes a second to read and a broken replay twenty: moves must not wait.
        self.reading = CapacityLimiter(MAX_CONCURRENT_LOADS)
        self._weight = 0

    async def new(self, owner: str, start: GameSetup) -> LiveGame:
        """A new game."""
        budget = _cancellable_budget()
        return await self._adopt(
            owner, Session(start, layout_generators=layout_generators(budget)), budget
        )

    async def read(self, owner: str, text: str) -> LiveGame:
        """A game that goes on where a saved one stood; one that is over is here only once."""

        def load() -> Session:
            return load_session(text, max_cells=limits.MAX_CELLS, max_events=limits.MAX_EVENTS)

        session = await to_thread.run_sync(load, limiter=self.reading)
        known = None
        if session.game.over:  # one that may be played on is a game of its own each time
            header = session.setup.format()
            known = await to_thread.run_sync(self.store.same, owner, header, session.log)
        if known is not None:
            return await self.get(owner, known)
        return await self._adopt(owner, session, _cancellable_budget())

    async def get(self, owner: str, game: str) -> LiveGame:
        """The owner's game of that id, from memory or from disk; nobody else's."""
        live = await self._get(game)
        if live.row.owner != owner:
            raise _unknown(game)
        return live

    async def _get(self, game: str) -> LiveGame:
        if game in self._live:
            self._live.move_to_end(game)
            return self._live[game]
        lock = self._loading.setdefault(game, asyncio.Lock())
        async with lock:
            if game not in self._live:
                try:
                    self._remember(await to_thread.run_sync(self._load, game))
                finally:
                    self._loading.pop(game, None)
        return self._live[game]

    async def act(
        self,
        owner: str,
        game: str,
        what: Callable[[Session], str],
        after: int | None,
        cancel: Cancel | None = None,
    ) -> tuple[LiveGame, Ints]:
        """Let something happen in a game; it is on disk when this returns.

        *after* is how many events the player has `seen`; Conflict where there are more.
        *cancel* ends the search of a dealer; then OutOfBudget, and nothing has happened.
        """
        live = await self.get(owner, game)
        async with live.lock:
            session = live.session
            # While this waited for the lock, the game may have been dropped and read anew.
            stale = self._live.get(game) is not live
            if stale or (after is not None and after != seen(session)):
                raise Conflict(conflict_message(session, after))
            if len(session.log) >= limits.MAX_EVENTS:
                raise IllegalMove(f"expected at most {limits.MAX_EVENTS} moves in a game, got more")
            ended = session.result is not None
            if is_quick(session):
                changed = session.act(what(session))
            else:
                with live.budget.of(cancel):
                    changed = await to_thread.run_sync(lambda: session.act(what(session)))
            self._weight += limits.EVENT_WEIGHT
            result = None if ended else session.result
            try:
                again = await self.store.add_event(
                    game,
                    len(session.log) - 1,
                    session.log[-1],
                    touched=time.time(),
                    over=session.game.over,
                    again=live.row.again,
                    owner=owner,
                    result=None if result is None else score(live, result),
                )
            except BaseException:
                self._forget(game)
                raise
            if again != live.row.again:
                live.row = replace(live.row, again=again)
            return live, changed

    async def tell(self, live: LiveGame, at: int, what: Collection[str]) -> None:
        """Count that help was given after *at* events, unless all of it was given there before."""
        if at != live.help_at:
            live.help_at, live.told = at, set()
        if not live.told.issuperset(what):
            await self.act(live.row.owner, live.row.id, lambda session: HINT, at)
            live.told.update(what)

    async def set_question_marks(self, live: LiveGame, cells: tuple[int, ...]) -> None:
        """Note which cells have a question mark."""
        live.question_marks = cells
        game = live.row.id
        await self.store.change(
            live.row.owner,
            question_marks.DOCUMENT,
            lambda known: question_marks.with_question_marks(known, game, cells),
        )

    async def _adopt(self, owner: str, session: Session, budget: CancellableBudget) -> LiveGame:
        header = session.setup.format()
        played = await to_thread.run_sync(self.store.has_been_played, owner, header)
        now = time.time()
        row = GameRow(
            id=secrets.token_urlsafe(9),
            created=now,
            touched=now,
            start=header,
            title=title_of(session.setup),
            # A game that was read with moves on it has been seen by somebody.
            again=played or bool(session.log),
            over=session.game.over,
            owner=owner,
        )
        for dropped in await self.store.add_game(row, session.log):
            self._forget(dropped)
        live = LiveGame(row, session, budget)
        self._remember(live)
        return live

    def _load(self, game: str) -> LiveGame:
        found = self.store.game(game)
        if found is None:
            raise _unknown(game)
        row, events = found
        budget = _cancellable_budget()
        session = load_session(row.start, layout_generators=layout_generators(budget))
        for event in events:
            session.replay(event.at, event.what)
        noted = self.store.kept(row.owner, question_marks.DOCUMENT)
        return LiveGame(
            row, session, budget, question_marks.question_marks_of(noted, game, session.game.board)
        )

    def _remember(self, live: LiveGame) -> None:
        self._live[live.row.id] = live
        self._weight += weight(live.session)
        for game, other in list(self._live.items()):
            if self._weight <= limits.MAX_WEIGHT_IN_MEMORY:
                break
            if other is not live and not other.lock.locked():
                self._forget(game)

    def _forget(self, game: str) -> None:
        live = self._live.pop(game, None)
        if live is not None:
            self._weight -= weight(live.session)


def _cancellable_budget() -> CancellableBudget:
    return CancellableBudget(DEFAULT_BUDGET.seconds, DEFAULT_BUDGET.memory)


def _unknown(game: str) -> GameNotFound:
    # One sentence for what is not there and what is somebody else's: nobody learns which.
    return GameNotFound(f"expected a game of yours, got {game!r:.60}")


def weight(session: Session) -> int:
    """What a session takes in memory, in cells."""
    return len(session.game.board) + limits.EVENT_WEIGHT * len(session.log)


def is_quick(session: Session) -> bool:
    """Whether a move is less work than handing it to a thread: 10 us against 70 us on Expert.

    The first reveal is not: a dealer may search for long.
    """
    return session.game.layout is not None and len(session.game.board) <= limits.QUICK_CELLS


def seen(session: Session) -> int:
    """How many events a player knows of: a pause is the page's own doing, a hint moves nothing."""
    return len(session.log) - session.pauses - session.hints


def conflict_message(session: Session, after: int | None) -> str:
    """What a player hears who has seen *after* events, and makes a move where there are more."""
    moves = [event.what for event in session.log if event.what not in (PAUSE, HINT)]
    missed = moves[after:] if after is not None else []
    if not missed:
        return CHANGED_ELSEWHERE
    many = "a move" if len(missed) == 1 else f"{len(missed)} moves, the last"
    return f"{CHANGED_ELSEWHERE}: {many}: {missed[-1]}"


def title_of(start: GameSetup) -> str:
    """What a game is called in lists: its level, or tiling and size, and that it needs no guess."""
    rules = start.rules
    if rules.board.tiling is None:
        title = f"Graph of {len(rules.board)} cells, {rules.mines} mines"
    else:
        size = format_size(rules)
        level = level_of(size)
        if rules.board.tiling == "square" and level is not None:
            title = level.capitalize()
        else:
            title = f"{rules.board.tiling.capitalize()} {level or size}"
    return title if start.generator == "plain" else f"{title}, no guessing"


def score(live: LiveGame, result: GameResult) -> ResultRow:
    """The line of the score book for a game that has just ended."""
    start = live.session.setup
    rules = start.rules
    on_tiling = rules.board.tiling is not None
    return ResultRow(
        id=live.row.id,
        finished=time.time(),
        tiling=rules.board.tiling or "graph",
        size=format_size(rules) if on_tiling else f"{len(rules.board)}/{rules.mines}",
        rule=rules.rule,
        deal="layout" if start.layout is not None else start.generator,
        seed="" if start.seed is None else str(start.seed),
        outcome=result.outcome,
        milliseconds=result.milliseconds,
        clicks=result.clicks,
        three_bv=result.three_bv,
        helped=result.helped,
        again=live.row.again,
    )
