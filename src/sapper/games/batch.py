"""Where games of a campaign are played: the compiled player, and help where it cannot go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from sapper.board.board import Ints
from sapper.board.position import COVERED, Position
from sapper.board.rules import Rules
from sapper.engine import workspace
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import DEFAULT_BUDGET, MAX_SECONDS, Budget, Cancel
from sapper.games.campaign import Campaign
from sapper.games.python_runner import PythonRunner
from sapper.kernels import view
from sapper.kernels.codes import (
    ANSWERED,
    ASKING,
    GROW,
    HYBRID,
    LEARNED,
    MINE,
    NEEDS_ROLLOUTS,
    PATIENT,
    SAFE,
    SHREWD,
    THINKING,
    THOUGHTFUL,
)
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.games import whole_games as kernel
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.learned_settings import LearnedSettings
from sapper.players.learned_state import make_learned_state
from sapper.players.networks import weights_for
from sapper.players.patient_settings import PatientSettings
from sapper.players.patient_state import make_rollout_state
from sapper.players.registry import PLAYERS, Player
from sapper.players.rollouts import compare_by_rollouts
from sapper.players.shrewd_settings import ShrewdSettings
from sapper.players.shrewd_state import make_shrewd_state, uses_networks
from sapper.players.thoughtful_settings import ThoughtfulSettings
from sapper.players.thoughtful_state import make_thoughtful_state
from sapper.solvers.human import make_human_state

FIELDS: tuple[str, ...] = kernel.FIELDS


def play_games(
    campaign: Campaign, budget: Budget = DEFAULT_BUDGET, cancel: Cancel | None = None
) -> Ints:
    """The games of a campaign, a row each in the order of its seeds, a column for each of FIELDS.

    A pure function of the campaign; the budget holds for each question to the engine.
    """
    player = PLAYERS.find(campaign.player)
    return make_runner(campaign, player, budget=budget).play(campaign.seeds, cancel or Cancel())


class GameRunner(Protocol):
    """Where one thread plays games of a campaign."""

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """The games of these seeds, a row each, a column for each of FIELDS."""


def make_runner(
    campaign: Campaign, player: Player, *, check: bool = False, budget: Budget = DEFAULT_BUDGET
) -> GameRunner:
    """A seat for a player: at the compiled twin, or move by move where it has none."""
    player.check_settings(campaign.settings)
    if player.twin is None:
        return PythonRunner(campaign, player, check=check, budget=budget)
    return Arena(campaign, player.twin, check=check, budget=budget)


class Arena:
    """The memory of one thread that plays games of a campaign."""

    def __init__(
        self,
        campaign: Campaign,
        twin: int,
        *,
        check: bool = False,
        budget: Budget = DEFAULT_BUDGET,
        log: Ints | None = None,
    ):
        self._rules = campaign.rules
        self._kind = twin
        self._settings = campaign.settings
        self._budget = budget
        self._memory = self._reserve(campaign.first, check, log)

    @property
    def log_count(self) -> int:
        """How many moves of the last game stand in the log."""
        return int(self._memory.log_count)

    def _reserve(self, first: int, check: bool, log: Ints | None) -> kernel.Arena:
        everywhere = np.arange(len(self._rules.board), dtype=np.int32)
        may_hold = np.delete(everywhere, list(self._rules.mine_free_cells(first)))
        memory = make_state(self._rules, first, may_hold, log)
        memory.player, memory.checked = self._kind, check
        if self._kind == THOUGHTFUL:
            memory.thoughtful_state = make_thoughtful_state(
                self._rules.board, ThoughtfulSettings().but(self._settings)
            )
        if self._kind == LEARNED:
            self._attach_learner(memory)
        if self._kind == SHREWD:
            self._attach_networks(memory, ShrewdSettings().but(self._settings))
        if self._kind == PATIENT:
            self._patience = PatientSettings().but(self._settings)
            self._attach_networks(memory, self._patience)
            board = self._rules.board
            memory.thoughtful_state.max_interior = self._patience.max_interior(len(board))
            self._rollout = make_rollout_state(board, self._patience)
        return memory

    def _attach_learner(self, memory: kernel.Arena) -> None:
        """The network for this board; where there is none, the player is `thoughtful`."""
        board = self._rules.board
        weights = weights_for(board)
        if weights is None:
            memory.player = THOUGHTFUL
            memory.thoughtful_state = make_thoughtful_state(board, ThoughtfulSettings())
            return
        settings = LearnedSettings().but(self._settings)
        memory.learned_state = make_learned_state(board, weights, settings, memory.tracked)

    def _attach_networks(self, memory: kernel.Arena, settings: ShrewdSettings) -> None:
        """A thought with the networks for this board; where there are none, the thought alone."""
        board = self._rules.board
        if uses_networks(board, settings):
            memory.shrewd, memory.by_network = make_shrewd_state(board, settings), True
            memory.thoughtful_state = memory.shrewd.t
        else:
            memory.thoughtful_state = make_thoughtful_state(board, settings)

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """Play the games of these seeds, helping where the engine cannot help itself."""
        board, limit, memory = self._rules.board, self._budget.start(cancel), self._memory
        rows = np.zeros((len(seeds), len(FIELDS)), dtype=np.int32)
        memory.out, memory.seed, memory.at, memory.phase = view(rows), seeds.start, 0, 0
        with workspace.borrow_workspace(limit, trust_flags=True) as ws:
            ws.fit(len(board), len(board.neighbours))
            while status := kernel.run(memory, ws, len(seeds)):
                if status == NEEDS_ROLLOUTS:
                    self._run_rollouts(cancel)
                elif status >= GROW:
                    thinking = memory.phase == THINKING
                    workspace.enlarge(
                        memory.thoughtful_state.p.general if thinking else ws, status, limit
                    )
                else:
                    workspace.check_status(ws, status, limit)
                    self._answer(ws, cancel)
        return rows

    def _run_rollouts(self, cancel: Cancel) -> None:
        """Let roll-outs confirm or change the guess; with samples to count, time does not."""
        memory, patience = self._memory, self._patience
        budget = self._budget if patience.seconds else replace(self._budget, seconds=MAX_SECONDS)
        marks = np.asarray(memory.marks)
        found = compare_by_rollouts(
            self._rollout, memory.thoughtful_state, marks, patience, budget.start(cancel)
        )
        if found is not None:
            memory.thoughtful_state.chosen = found.winner(patience.gate)
        memory.phase |= ANSWERED

    def _answer(self, ws: Workspace, cancel: Cancel) -> None:
        """Floating point could not hold the magnitudes: let `analyse` answer by fractions."""
        memory = self._memory
        marks = np.asarray(memory.marks)
        uncounted = self._kind == HYBRID and memory.phase == ASKING
        position = Position(self._rules.board, marks, None if uncounted else self._rules.mines)
        write_answer(memory, ws, analyse(position, budget=self._budget, cancel=cancel))


def make_state(rules: Rules, first: int, may_hold: Ints, log: Ints | None = None) -> kernel.Arena:
    """The kernel's memory for games with mines on *may_hold*; moves go into *log* if given."""
    board, n = rules.board, len(rules.board)
    marks = np.full(n, COVERED, dtype=np.int32)
    memory = kernel.Arena(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        make_human_state(board, marks),
        TrackedPosition(board.offsets, board.neighbours, None),
        view(may_hold),
        rules.mines,
        first,
    )
    if log is not None:
        memory.log_moves(view(log))
    return memory


def write_answer(memory: kernel.Arena, ws: Workspace, analysis: Analysis) -> None:
    """Write what `analyse` found where the engine would have written it."""
    cells = len(analysis.position.board)
    np.asarray(ws.probabilities)[:cells] = analysis.probability_array
    know = np.zeros(cells, dtype=np.uint8)
    know[analysis.certain_mine_cells], know[analysis.safe_cells] = MINE, SAFE
    np.asarray(ws.known)[:cells] = know
    memory.tracked.by_general = True
    memory.phase |= ANSWERED
