"""The kernel's memory for roll-outs: a table for the inner player, its end games, and a memo."""

from __future__ import annotations

import numpy as np

from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.codes import CAREFUL, LEARNED, THOUGHTFUL
from sapper.kernels.odds.position import Position
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play import games, listing
from sapper.kernels.play import rollouts as kernel
from sapper.kernels.play.endgame import Ending
from sapper.model.board import Board
from sapper.model.frame import BLANK
from sapper.play.learned.memory import make_learner
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import weights_for
from sapper.play.patient.settings import INNER, PatientSettings
from sapper.play.thoughtful.memory import make_thought

# Rooms of an end game's placements and sets, and of stuck frames that are remembered.
ROWS = 2048
SETS = 1 << 17
MEMO = 1 << 18
# Limits of one end game inside a roll-out; beyond them the inner player guesses on.
MOST_NODES = 3_000
MOST_WORK = 2_000_000


def make_rollout(board: Board, settings: PatientSettings) -> kernel.Rollout:
    """Room for roll-outs on a board, with these settings."""
    n = len(board)
    rollout = kernel.Rollout()
    rollout.general = _workspace(board)
    rollout.p = Position(board.offsets, board.neighbours, _workspace(board))
    rollout.p.make_room()
    rollout.arena = _make_arena(board, rollout.general)
    rollout.listing = listing.Listing(n, ROWS, 64 * ROWS)
    rollout.ending = Ending(n, ROWS, SETS)
    rollout.inner = INNER[settings.inner]
    if rollout.inner == THOUGHTFUL:
        rollout.thought = make_thought(board, settings)
    weights = weights_for(board) if rollout.inner == LEARNED else None
    if weights is not None:
        inner = LearnedSettings(end_game=0, candidates=settings.many, ratio=settings.many_ratio)
        rollout.learner = make_learner(board, weights, inner, rollout.arena.position)
    elif rollout.inner == LEARNED:
        rollout.inner = CAREFUL
    rollout.few_placements = float(min(settings.inner_end_game, ROWS))
    rollout.worth = settings.worth
    rollout.most_nodes, rollout.most_work = MOST_NODES, MOST_WORK
    rollout.marks = view(np.zeros(n, np.int32))
    rollout.sample = view(np.zeros(n, np.uint8))
    rollout.state = view(np.zeros(4, np.uint64))
    rollout.way_key = view(np.zeros(n + 1, np.uint64))
    rollout.way_lift = view(np.zeros(n + 1))
    rollout.memo_key = view(np.zeros(MEMO, np.uint64))
    rollout.memo_value = view(np.zeros(MEMO))
    rollout.memo_age = view(np.zeros(MEMO, np.int32))
    rollout.memo_room = MEMO
    return rollout


def _workspace(board: Board) -> Workspace:
    made = Workspace()
    made.fit(len(board), len(board.neighbours))
    return made


def _make_arena(board: Board, general: Workspace) -> games.Arena:
    """A table at which games go on from a frame; where mines may lie does not matter there."""
    marks = np.full(len(board), BLANK, dtype=np.int32)
    return games.Arena(
        *(view(board.offsets), view(board.neighbours), view(marks), make_ladder(board, marks)),
        Position(board.offsets, board.neighbours, general),
        view(np.zeros(1, np.int32)),
        0,
        0,
    )
