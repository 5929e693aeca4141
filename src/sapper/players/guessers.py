"""Guesses by a compiled guesser: its states are reused, its choice is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from sapper.board.board import Board, Ints
from sapper.board.position import Position
from sapper.engine import workspace
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.kernels import view
from sapper.kernels.players import guessing
from sapper.kernels.players.guessing import GuesserState
from sapper.players.guess import Guess, covered_cells, least_risk

MAX_BOARDS = 4
"""Boards (with settings) for which idle states are kept."""

S = TypeVar("S")
M = TypeVar("M")


class StatePool(Generic[S, M]):
    """A pool of idle guesser states by board and settings, which take long to make."""

    def __init__(self, make: Callable[[Board, S], M]):
        self._make = make
        self._idle: dict[tuple[Board, S], list[M]] = {}

    @contextmanager
    def borrow(self, board: Board, settings: S) -> Iterator[M]:
        """Lend a state to this thread; after an error it is not reused."""
        key = board, settings
        try:
            state = self._idle.get(key, []).pop()
        except IndexError:
            state = self._make(board, settings)
        yield state
        if len(self._idle) < MAX_BOARDS or key in self._idle:
            self._idle.setdefault(key, []).append(state)


class CompiledGuesser(Generic[S]):
    """A compiled guesser with its settings, which chooses a cell and explains the choice."""

    def __init__(
        self,
        pool: StatePool[S, GuesserState],
        explain: Callable[[Position, GuesserState, S, Limit], Guess],
        settings: S,
    ):
        self._pool = pool
        self._explain = explain
        self._settings = settings

    def guess(self, position: Position, limit: Limit | None = None) -> Guess:
        """Return the best reveal; flags of the position are trusted.

        Without a mine count, and if floating point cannot represent the numbers of solutions, that
        is the covered cell of least probability.
        """
        limit = limit or DEFAULT_BUDGET.start()
        covered_cells(position)
        if position.mines is not None:
            with self._pool.borrow(position.board, self._settings) as state:
                if choose(state, position.marks, position.mines, True, limit) == workspace.OK:
                    return self._explain(position, state, self._settings, limit)
        return least_risk(
            position, analyse(position, trust_flags=True, budget=limit).probability_array
        )


def choose(state: GuesserState, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let a guesser choose; return OK, or the status of an engine that has no answer."""
    array = view(marks)
    return workspace.run_within(
        limit, state.p.general, lambda: guessing.run(state, array, mines, trust)
    )
