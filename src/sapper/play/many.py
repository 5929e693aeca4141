"""Whole games by the thousand: the compiled players, on several threads.

Game i plays the deal of seed + i, so any game of a run can be looked at again by itself:
`sapper watch` plays it move by move, with the same moves.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from sapper.errors import RulesError
from sapper.infer.budget import Budget, Cancel
from sapper.infer.odds import engine
from sapper.infer.odds.analysis import analyse
from sapper.infer.slagle.compiled import make_workspace
from sapper.kernels import view
from sapper.kernels.codes import GROW
from sapper.kernels.play import games as kernel
from sapper.model.board import Ints
from sapper.model.deal import SEEDS, fresh_seed
from sapper.model.frame import BLANK, Frame
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.play.players import find_player
from sapper.play.tally import GamesTally

FIELDS: tuple[str, ...] = kernel.FIELDS
# So many games are played between two looks at what the user wants; a thread keeps their rows.
MOST_AT_ONCE = 512
DEFAULT = Budget()


def play_many(
    size: str | Rules,
    player: str = "careful",
    games: int = 1000,
    seed: int | None = None,
    rule: str | None = None,
    first: str | int | None = None,
    threads: int = 1,
    *,
    tiling: str = "square",
    check: bool = False,
    budget: Budget = DEFAULT,
    progress: Callable[[int], None] | None = None,
) -> GamesTally:
    """Play whole games, game i on the deal of seed + i, and add them up.

    *size* is a level, a size such as 30x16/99, or Rules; *rule* and *first* are as in `deal`.
    With *check*, losses while a certain reveal existed are counted; that costs one more question
    to the engine for each lost game. *progress* is called with the number of games done so far.
    *budget* holds for each question to the engine.

    >>> play_many("beginner", games=100, seed=1, rule="safe", first="r1c1").wins
    92
    """
    games, threads = operator.index(games), operator.index(threads)
    table = _Table.set(size, player, seed, rule, first, tiling, check, budget)
    sums = np.zeros(len(FIELDS), dtype=np.int64)
    done = 0
    started = perf_counter()
    for rows in table.rows(games, threads):
        sums += rows.sum(axis=0)
        done += len(rows)
        if progress is not None:
            progress(done)
    seconds = perf_counter() - started
    won, guesses, reveals, asked, blunders = sums.tolist()
    return GamesTally(
        rules=table.rules,
        first=table.first,
        player=player,
        seed=table.seed,
        games=games,
        wins=won,
        guesses=guesses,
        reveals=reveals,
        asked=asked,
        blunders=blunders if check else None,
        seconds=seconds,
        threads=threads,
    )


def play_each(
    size: str | Rules,
    player: str = "careful",
    games: int = 1000,
    seed: int | None = None,
    rule: str | None = None,
    first: str | int | None = None,
    threads: int = 1,
    *,
    tiling: str = "square",
    check: bool = False,
    budget: Budget = DEFAULT,
) -> Any:
    """The same games as `play_many`, one row each: a numpy array with a column for each of FIELDS.

    For comparing players game by game on the same deals.
    """
    table = _Table.set(size, player, seed, rule, first, tiling, check, budget)
    rows = list(table.rows(operator.index(games), operator.index(threads)))
    return np.concatenate(rows) if rows else np.empty((0, len(FIELDS)), dtype=np.int32)


def moves_of(
    rules: Rules, player: str, seed: int, first: int | None = None, budget: Budget = DEFAULT
) -> tuple[list[Move], bool]:
    """All moves of one game by the compiled player, flags included, and whether it was won."""
    table = _Table.set(rules, player, seed, None, first, "square", False, budget)
    log = np.empty(2 * len(rules.board) + 1, dtype=np.int32)
    (rows,) = table.rows(1, 1, log)
    count = int(log[-1])
    moves = [Move("reveal", c) if c >= 0 else Move("flag", -1 - c) for c in log[:count].tolist()]
    return moves, bool(rows[0, 0])


@dataclass(frozen=True)
class _Table:
    """What all games of a run share."""

    rules: Rules
    first: int
    kind: int
    seed: int
    check: bool
    budget: Budget

    @classmethod
    def set(
        cls,
        size: str | Rules,
        player: str,
        seed: int | None,
        rule: str | None,
        first: str | int | None,
        tiling: str,
        check: bool,
        budget: Budget,
    ) -> _Table:
        if isinstance(size, Rules):
            rules = size if rule is None else Rules(size.board, size.mines, rule)  # type: ignore[arg-type]
        else:
            rules = Rules.parse(size, tiling, rule or "zero")
        cell = rules.board.middle if first is None else rules.board.cell(first)
        rules.check_first(cell)
        number = fresh_seed() if seed is None else operator.index(seed)
        kind = kernel.KINDS[find_player(player).name]
        return cls(rules, cell, kind, number, check, budget)

    def rows(self, games: int, threads: int, log: Ints | None = None) -> Iterator[Any]:
        """The rows of all games in order, some hundred games at a time."""
        if games < 0:
            raise RulesError(f"expected at least 0 games, got {games}")
        if threads < 1:
            raise RulesError(f"expected at least 1 thread, got {threads}")
        if not 0 <= self.seed <= SEEDS - max(games, 1):
            raise RulesError(
                f"expected seeds from 0 to {SEEDS - 1}, got {self.seed} to {self.seed + games - 1}"
            )
        step = max(1, min(MOST_AT_ONCE, -(-games // (4 * threads))))
        pieces = ((i, min(i + step, games)) for i in range(0, games, step))
        cancel = Cancel()
        idle: list[Any] = []

        def play(piece: tuple[int, int]) -> Any:
            try:
                arena = idle.pop()
            except IndexError:
                arena = self._arena(log)
            rows = self._play(arena, *piece, cancel)
            if log is not None:
                log[-1] = arena.log_count
            idle.append(arena)
            return rows

        if threads == 1:
            yield from map(play, pieces)
            return
        with ThreadPoolExecutor(threads) as pool:
            waiting: deque[Future[Any]] = deque()
            try:
                for piece in pieces:
                    waiting.append(pool.submit(play, piece))
                    if len(waiting) > 2 * threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            except BaseException:
                cancel.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _arena(self, log: Ints | None) -> Any:
        board, n = self.rules.board, len(self.rules.board)
        marks = np.full(n, BLANK, dtype=np.int32)
        may_hold = np.delete(np.arange(n, dtype=np.int32), list(self.rules.kept_free(self.first)))
        arena: Any = kernel.Arena()
        arena.rules = make_workspace(board, marks)
        arena.offsets, arena.neighbours = view(board.offsets), view(board.neighbours)
        arena.marks = view(marks)
        arena.may_hold, arena.allowed = view(may_hold), view(may_hold.copy())
        arena.hints, arena.flood = (view(np.zeros(n, dtype=np.int32)) for _ in range(2))
        arena.mines = view(np.zeros(n, dtype=np.uint8))
        arena.state, arena.luck = (view(np.zeros(4, dtype=np.uint64)) for _ in range(2))
        arena.cells, arena.mine_count, arena.first = n, self.rules.mines, self.first
        arena.player, arena.checked, arena.seed = self.kind, self.check, self.seed
        arena.logged = log is not None
        arena.log = view(np.empty(1, dtype=np.int32) if log is None else log)
        arena.phase = 0
        return arena

    def _play(self, arena: Any, start: int, past: int, cancel: Cancel) -> Any:
        """Play games start..past, helping where the engine cannot help itself."""
        board, budget = self.rules.board, self.budget
        rows = np.zeros((past - start, len(FIELDS)), dtype=np.int32)
        arena.out, arena.at, arena.phase = view(rows), start, 0
        with engine.borrow(budget, cancel, trust_flags=True) as ws:
            ws.fit(len(board), len(board.neighbours))
            while status := kernel.run(arena, ws, past):
                if status >= GROW:
                    engine.enlarge(ws, status, budget)
                else:
                    engine.check(ws, status, budget)
                    self._answer(arena, ws, cancel)
        return rows

    def _answer(self, arena: Any, ws: Any, cancel: Cancel) -> None:
        """Floating point could not hold the magnitudes: let `analyse` answer by fractions."""
        marks = np.asarray(arena.marks)
        uncounted = self.kind == kernel.KINDS["hybrid"] and arena.phase == kernel.QUESTION
        frame = Frame(self.rules.board, marks, None if uncounted else self.rules.mines)
        analysis = analyse(frame, budget=self.budget, cancel=cancel)
        np.asarray(ws.odds)[: len(marks)] = analysis.probability
        know = np.zeros(len(marks), dtype=np.uint8)
        know[analysis.flag_cells], know[analysis.reveal_cells] = 1, 2
        np.asarray(ws.know)[: len(marks)] = know
        arena.phase |= kernel.ANSWER_GIVEN
