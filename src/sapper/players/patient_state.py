"""The kernel's memory for roll-outs: a table for the inner player, its end games, and a memo."""

from __future__ import annotations

import numpy as np

from sapper.board.board import Board
from sapper.board.position import COVERED
from sapper.engine import workspace
from sapper.kernels import view
from sapper.kernels.codes import LEARNED, THOUGHTFUL
from sapper.kernels.games import rollouts as kernel
from sapper.kernels.games import whole_games
from sapper.kernels.players.guessing import EndGameSolver
from sapper.players.learned_settings import LearnedSettings
from sapper.players.learned_state import make_learned_state
from sapper.players.networks import weights_for
from sapper.players.patient_settings import INNER, PatientSettings
from sapper.players.thoughtful_state import make_thoughtful_state
from sapper.solvers.human import make_human_state

# Rooms of an end game's solutions and sets, and of stuck positions that are remembered.
ROWS = 2048
SETS = 1 << 17
MEMO = 1 << 18
# Limits of one end game inside a roll-out; beyond them the inner player guesses on.
MAX_NODES = 3_000
MAX_WORK = 2_000_000


def make_rollout_state(board: Board, settings: PatientSettings) -> kernel.RolloutState:
    """Room for roll-outs on a board, with these settings."""
    arena, inner = _make_arena(board), INNER[settings.inner]
    weights = weights_for(board) if inner == LEARNED else None
    wide = LearnedSettings(end_game=0, candidates=settings.many, ratio=settings.many_ratio)
    return kernel.RolloutState(
        workspace.make_tracked(board),
        arena,
        EndGameSolver(
            *(len(board), ROWS, SETS),
            max_solutions=settings.inner_end_game,
            max_sparse_solutions=0.0,
            apart=False,
            max_nodes=MAX_NODES,
            max_work=MAX_WORK,
        ),
        make_thoughtful_state(board, settings) if inner == THOUGHTFUL else None,
        make_learned_state(board, weights, wide, arena.tracked) if weights is not None else None,
        settings.worth,
        MEMO,
    )


def _make_arena(board: Board) -> whole_games.Arena:
    """A table at which games go on from a position; where mines may lie does not matter there."""
    marks = np.full(len(board), COVERED, dtype=np.int32)
    return whole_games.Arena(
        *(view(board.offsets), view(board.neighbours), view(marks), make_human_state(board, marks)),
        workspace.make_tracked(board),
        view(np.zeros(1, np.int32)),
        0,
        0,
    )
