"""Batch play: the games of a campaign by the batch kernel, or move by move in Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import COVERED, Position
from sapper.board.rules import Rules
from sapper.engine import workspace
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit
from sapper.errors import OutOfBudget
from sapper.games.campaign import Campaign
from sapper.games.game import Game
from sapper.games.watch import watch
from sapper.kernels import view
from sapper.kernels.codes import (
    ANALYSING,
    ANSWERED,
    GROW,
    GUESSING,
    MINE,
    NEEDS_ROLLOUTS,
    SAFE,
    WITHOUT_MINE_COUNT,
)
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.games import whole_games as kernel
from sapper.kernels.games.game_state import GameState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.guess import Guess
from sapper.players.player import Compiled, Player
from sapper.solvers.human import make_human_state

Bools = npt.NDArray[np.bool_]
Block = TypeVar("Block")
Result = TypeVar("Result")

FIELDS: tuple[str, ...] = kernel.FIELDS
"""The columns of the results: won, guesses, reveals, analyses and blunders of a game."""


def play_games(
    campaign: Campaign, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> Ints:
    """Play the games of a campaign: a row for each seed in order, a column for each of FIELDS.

    The result depends on the campaign alone; the budget is for each analysis.
    """
    runner = make_runner(campaign.rules, campaign.first, campaign.make_player(), budget=budget)
    return runner.play(campaign.seeds, cancel or Cancel())


def make_runner(
    rules: Rules,
    first: int,
    player: Player,
    *,
    count_blunders: bool = False,
    budget: Budget = DEFAULT_BUDGET,
) -> CompiledRunner | PythonRunner:
    """Return a runner: the batch kernel if the player has a compiled form, else Python.

    *first* is the first cell of the games that it plays from the start.
    """
    if player.compiled is None:
        return PythonRunner(rules, first, player, count_blunders=count_blunders, budget=budget)
    return CompiledRunner(
        rules, first, player, player.compiled, count_blunders=count_blunders, budget=budget
    )


def map_in_order(
    work: Callable[[Block], Result],
    blocks: Iterator[Block],
    threads: int,
    cancel: Cancel | None = None,
) -> Iterator[Result]:
    """Yield the results of the blocks in their order, from several threads.

    When the caller stops early or a block fails, *cancel* is set to end the blocks that still run.
    """
    if threads == 1:
        yield from map(work, blocks)
        return
    with ThreadPoolExecutor(threads) as pool:
        futures: deque[Future[Result]] = deque()
        try:
            for block in blocks:
                futures.append(pool.submit(work, block))
                if len(futures) > 2 * threads:
                    yield futures.popleft().result()
            while futures:
                yield futures.popleft().result()
        except BaseException:
            if cancel is not None:
                cancel.set()
            pool.shutdown(cancel_futures=True)
            raise


class CompiledRunner:
    """A runner that plays games by the batch kernel on one thread."""

    def __init__(
        self,
        rules: Rules,
        first: int,
        player: Player,
        compiled: Compiled,
        *,
        count_blunders: bool = False,
        budget: Budget = DEFAULT_BUDGET,
        log: Ints | None = None,
    ):
        board = rules.board
        cells = np.arange(len(board), dtype=np.int32)
        allowed_cells = np.delete(cells, list(rules.mine_free_cells(first)))
        state = make_game_state(rules, first, allowed_cells, log)
        state.deduction, state.guess = compiled.deduction, compiled.guess
        state.check_losses = count_blunders
        if compiled.make_guesser is not None:
            state.guesser = compiled.make_guesser(board, player.settings, state.tracked)
        if compiled.make_rollouts is not None:
            self._rollouts = compiled.make_rollouts(board, player.settings)
        self._rules, self._budget, self._state = rules, budget, state

    @property
    def log_count(self) -> int:
        """The number of moves of the last game in the log."""
        return int(self._state.log_count)

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """Play the games of these seeds: a row each, a column for each of FIELDS."""
        return self._run(len(seeds), seeds.start, self._budget, cancel)

    def finish(
        self, position: Position, layouts: Bools, first: int, seed: int, limit: Limit
    ) -> Bools:
        """Play on from a position on each layout; return which games were won.

        *first* is the first cell to reveal, or -1 for the choice of the player; *seed* is for
        random guesses.
        """
        self._state.continue_from(view(position.marks), view(layouts.view(np.uint8)))
        self._state.first = first
        won: Bools = self._run(len(layouts), seed, limit, limit.cancel)[:, 0] > 0
        return won

    def _run(self, games: int, seed: int, budget: Budget, cancel: Cancel | None) -> Ints:
        """Run the kernel and serve its requests for memory, roll-outs and exact analyses.

        Return a row for each game.
        """
        board, limit, state = self._rules.board, budget.start(cancel), self._state
        rows = np.zeros((games, len(FIELDS)), dtype=np.int32)
        state.out, state.seed, state.game_index, state.phase = view(rows), seed, 0, 0
        with workspace.borrow_workspace(limit, trust_flags=True) as ws:
            ws.fit(len(board), len(board.neighbours))
            while status := kernel.run(state, ws, games):
                if status == NEEDS_ROLLOUTS:
                    guesser, marks = state.guesser, np.asarray(state.marks)
                    guesser.chosen = self._rollouts.choose(guesser, marks, budget, cancel)
                    state.phase |= ANSWERED
                elif status >= GROW:
                    guessing = state.phase == GUESSING
                    workspace.enlarge(state.guesser.p.general if guessing else ws, status, limit)
                else:
                    workspace.check_status(ws, status, limit)
                    self._analyse_exactly(ws, budget, cancel)
        return rows

    def _analyse_exactly(self, ws: Workspace, budget: Budget, cancel: Cancel | None) -> None:
        """Analyse by exact fractions, because floating point cannot represent the counts."""
        state = self._state
        without_count = state.deduction == WITHOUT_MINE_COUNT and state.phase == ANALYSING
        mines = None if without_count else self._rules.mines
        position = Position(self._rules.board, np.asarray(state.marks), mines)
        write_answer(state, ws, analyse(position, budget=budget, cancel=cancel))


def make_game_state(
    rules: Rules, first: int, allowed_cells: Ints, log: Ints | None = None
) -> GameState:
    """Make the kernel's state for games with mines on *allowed_cells*; *log* receives the moves."""
    board = rules.board
    marks = np.full(len(board), COVERED, dtype=np.int32)
    state = GameState(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        make_human_state(board, marks),
        TrackedPosition(board.offsets, board.neighbours, None),
        view(allowed_cells),
        rules.mines,
        first,
    )
    if log is not None:
        state.log_moves(view(log))
    return state


def write_answer(state: GameState, ws: Workspace, analysis: Analysis) -> None:
    """Write an analysis to the arrays in which the kernel expects the results of the engine."""
    cells = len(analysis.position.board)
    np.asarray(ws.probabilities)[:cells] = analysis.probability_array
    known = np.zeros(cells, dtype=np.uint8)
    known[analysis.certain_mine_cells], known[analysis.safe_cells] = MINE, SAFE
    np.asarray(ws.known)[:cells] = known
    state.tracked.used_general = True
    state.phase |= ANSWERED


class PythonRunner:
    """A runner that plays games move by move with the agent of a player.

    It is about a hundred times slower than the batch kernel.
    """

    def __init__(
        self, rules: Rules, first: int, player: Player, *, count_blunders: bool, budget: Budget
    ):
        self._rules = rules
        self._first = first
        self._player = player
        self._count_blunders = count_blunders
        self._budget = budget

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """Play the games of these seeds as `CompiledRunner.play` does; `analyses` is always 0."""
        rows = np.zeros((len(seeds), len(FIELDS)), dtype=np.int32)
        for row, seed in zip(rows, seeds, strict=True):
            counts = self._play_game(seed, cancel)
            row[:] = [counts.get(name, 0) for name in FIELDS]
        return rows

    def finish(
        self, position: Position, layouts: Bools, first: int, seed: int, limit: Limit
    ) -> Bools:
        """Play on from a position as `CompiledRunner.finish` does."""
        games = (Game.from_layout(Layout(position.board, row)) for row in layouts)
        return np.array([self._finish(game, position, first, seed, limit) for game in games])

    def _finish(self, game: Game, position: Position, first: int, seed: int, limit: Limit) -> bool:
        """Play on from a position; return whether the game was won."""
        for cell in np.flatnonzero(position.marks >= 0).tolist():
            if game.position.marks[cell] < 0:
                game.play(Move("reveal", cell))
        # Zeros also open neighbours that were flagged, and so still covered, in the position.
        marks = game.position.marks
        opened = np.flatnonzero((marks >= 0) & (position.marks < 0)).tolist()
        if game.over:
            return game.outcome == "won"
        agent = self._player.start(position.with_marks({c: int(marks[c]) for c in opened}), seed)
        if first >= 0 and first not in opened:
            move = Move("reveal", first)
        else:
            move = agent.choose(limit).move
        while True:
            changed = game.play(move).tolist()
            if game.over:
                return game.outcome == "won"
            agent.update({cell: int(game.position.marks[cell]) for cell in changed})
            move = agent.choose(limit).move

    def _play_game(self, seed: int, cancel: Cancel) -> dict[str, int]:
        """Play a game and return its fields; `blunders` is 1 if a safe cell existed at the loss."""
        game = Game.new(self._rules, seed)
        position = game.position
        guesses = reveals = blunders = 0
        first, player, budget = self._first, self._player, self._budget
        for step in watch(game, player=player, first=first, seed=seed, budget=budget):
            if cancel.is_set:
                raise OutOfBudget("cancelled before the games were played")
            is_guess = isinstance(step.reason, Guess)
            guesses += is_guess
            reveals += step.move.action == "reveal"
            if is_guess and game.outcome == "lost" and self._count_blunders:
                analysis = analyse(position.without_flags(), budget=budget)
                blunders += len(analysis.safe_cells) > 0
            position = step.position
        won = int(game.outcome == "won")
        return {"won": won, "guesses": guesses, "reveals": reveals, "blunders": blunders}


GameRunner = CompiledRunner | PythonRunner
"""A runner of either class; it plays games on one thread."""
