"""Where games of a campaign are played: the compiled player, and help where it cannot go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from sapper.infer.budget import DEFAULT, MOST_SECONDS, Budget, Cancel
from sapper.infer.odds import engine
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.codes import (
    ANSWERED,
    ASKING,
    FREE,
    GROW,
    HESITATING,
    HYBRID,
    LEARNED,
    MINE,
    PATIENT,
    SHREWD,
    THINKING,
    THOUGHTFUL,
)
from sapper.kernels.odds.position import Position
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play import games as kernel
from sapper.model.board import Ints
from sapper.model.frame import BLANK, Frame
from sapper.model.rules import Rules
from sapper.play.games.by_hand import ByHand
from sapper.play.games.campaign import Campaign
from sapper.play.learned.memory import make_learner
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import weights_for
from sapper.play.patient.memory import make_rollout
from sapper.play.patient.ponder import ponder
from sapper.play.patient.settings import PatientSettings
from sapper.play.players import PLAYERS, Player
from sapper.play.shrewd.memory import asks_networks, make_shrewd
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.play.thoughtful.memory import make_thought
from sapper.play.thoughtful.settings import ThoughtfulSettings

FIELDS: tuple[str, ...] = kernel.FIELDS


def play_games(campaign: Campaign, budget: Budget = DEFAULT, cancel: Cancel | None = None) -> Ints:
    """The games of a campaign, a row each in the order of its seeds, a column for each of FIELDS.

    A pure function of the campaign; the budget holds for each question to the engine.
    """
    player = PLAYERS.find(campaign.player)
    return seat(campaign, player, budget=budget).play(campaign.seeds, cancel or Cancel())


class Seat(Protocol):
    """Where one thread plays games of a campaign."""

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """The games of these seeds, a row each, a column for each of FIELDS."""


def seat(
    campaign: Campaign, player: Player, *, check: bool = False, budget: Budget = DEFAULT
) -> Seat:
    """A seat for a player: at the compiled twin, or move by move where it has none."""
    player.check_settings(campaign.settings)
    if player.twin is None:
        return ByHand(campaign, player, check=check, budget=budget)
    return Arena(campaign, player.twin, check=check, budget=budget)


class Arena:
    """The memory of one thread that plays games of a campaign."""

    def __init__(
        self,
        campaign: Campaign,
        twin: int,
        *,
        check: bool = False,
        budget: Budget = DEFAULT,
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
        may_hold = np.delete(everywhere, list(self._rules.kept_free(first)))
        memory = reserve(self._rules, first, may_hold, log)
        memory.player, memory.checked = self._kind, check
        if self._kind == THOUGHTFUL:
            memory.thought = make_thought(
                self._rules.board, ThoughtfulSettings().but(self._settings)
            )
        if self._kind == LEARNED:
            self._let_learn(memory)
        if self._kind == SHREWD:
            self._let_judge(memory, ShrewdSettings().but(self._settings))
        if self._kind == PATIENT:
            self._patience = PatientSettings().but(self._settings)
            self._let_judge(memory, self._patience)
            board = self._rules.board
            memory.thought.most_interior = self._patience.most_interior(len(board))
            self._rollout = make_rollout(board, self._patience)
        return memory

    def _let_learn(self, memory: kernel.Arena) -> None:
        """The network for this board; where there is none, the player is `thoughtful`."""
        board = self._rules.board
        weights = weights_for(board)
        if weights is None:
            memory.player = THOUGHTFUL
            memory.thought = make_thought(board, ThoughtfulSettings())
            return
        settings = LearnedSettings().but(self._settings)
        memory.learner = make_learner(board, weights, settings, memory.position)

    def _let_judge(self, memory: kernel.Arena, settings: ShrewdSettings) -> None:
        """A thought with the networks for this board; where there are none, the thought alone."""
        board = self._rules.board
        if asks_networks(board, settings):
            memory.shrewd, memory.by_network = make_shrewd(board, settings), True
            memory.thought = memory.shrewd.t
        else:
            memory.thought = make_thought(board, settings)

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """Play the games of these seeds, helping where the engine cannot help itself."""
        board, limit, memory = self._rules.board, self._budget.start(cancel), self._memory
        rows = np.zeros((len(seeds), len(FIELDS)), dtype=np.int32)
        memory.out, memory.seed, memory.at, memory.phase = view(rows), seeds.start, 0, 0
        with engine.borrow(limit, trust_flags=True) as ws:
            ws.fit(len(board), len(board.neighbours))
            while status := kernel.run(memory, ws, len(seeds)):
                if status == HESITATING:
                    self._think_over(cancel)
                elif status >= GROW:
                    thinking = memory.phase == THINKING
                    engine.enlarge(memory.thought.p.general if thinking else ws, status, limit)
                else:
                    engine.check(ws, status, limit)
                    self._answer(ws, cancel)
        return rows

    def _think_over(self, cancel: Cancel) -> None:
        """Let roll-outs confirm or change the guess; with samples to count, time does not."""
        memory, patience = self._memory, self._patience
        budget = self._budget if patience.seconds else replace(self._budget, seconds=MOST_SECONDS)
        marks = np.asarray(memory.marks)
        found = ponder(self._rollout, memory.thought, marks, patience, budget.start(cancel))
        if found is not None:
            memory.thought.chosen = found.winner(patience.gate)
        memory.phase |= ANSWERED

    def _answer(self, ws: Workspace, cancel: Cancel) -> None:
        """Floating point could not hold the magnitudes: let `analyse` answer by fractions."""
        memory = self._memory
        marks = np.asarray(memory.marks)
        uncounted = self._kind == HYBRID and memory.phase == ASKING
        frame = Frame(self._rules.board, marks, None if uncounted else self._rules.mines)
        write_answer(memory, ws, analyse(frame, budget=self._budget, cancel=cancel))


def reserve(rules: Rules, first: int, may_hold: Ints, log: Ints | None = None) -> kernel.Arena:
    """The kernel's memory for games with mines on *may_hold*; moves go into *log* if given."""
    board, n = rules.board, len(rules.board)
    marks = np.full(n, BLANK, dtype=np.int32)
    memory = kernel.Arena(
        view(board.offsets),
        view(board.neighbours),
        view(marks),
        make_ladder(board, marks),
        Position(board.offsets, board.neighbours, None),
        view(may_hold),
        rules.mines,
        first,
    )
    if log is not None:
        memory.log_moves(view(log))
    return memory


def write_answer(memory: kernel.Arena, ws: Workspace, analysis: Analysis) -> None:
    """Write what `analyse` found where the engine would have written it."""
    cells = len(analysis.frame.board)
    np.asarray(ws.odds)[:cells] = analysis.probability
    know = np.zeros(cells, dtype=np.uint8)
    know[analysis.flag_cells], know[analysis.reveal_cells] = MINE, FREE
    np.asarray(ws.know)[:cells] = know
    memory.position.by_general = True
    memory.phase |= ANSWERED
