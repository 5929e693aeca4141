"""The kernel's memory for roll-outs: a table for the inner player, its end games, and a memo."""

from __future__ import annotations

import numpy as np

from sapper.infer.odds import engine
from sapper.infer.slagle.compiled import make_ladder
from sapper.kernels import view
from sapper.kernels.codes import LEARNED, THOUGHTFUL
from sapper.kernels.play import games
from sapper.kernels.play import rollouts as kernel
from sapper.kernels.play.guessing import EndGame
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
    arena, inner = _make_arena(board), INNER[settings.inner]
    weights = weights_for(board) if inner == LEARNED else None
    wide = LearnedSettings(end_game=0, candidates=settings.many, ratio=settings.many_ratio)
    return kernel.Rollout(
        engine.make_position(board),
        arena,
        EndGame(
            *(len(board), ROWS, SETS),
            few_placements=settings.inner_end_game,
            thin_placements=0.0,
            apart=False,
            most_nodes=MOST_NODES,
            most_work=MOST_WORK,
        ),
        make_thought(board, settings) if inner == THOUGHTFUL else None,
        make_learner(board, weights, wide, arena.position) if weights is not None else None,
        settings.worth,
        MEMO,
    )


def _make_arena(board: Board) -> games.Arena:
    """A table at which games go on from a frame; where mines may lie does not matter there."""
    marks = np.full(len(board), BLANK, dtype=np.int32)
    return games.Arena(
        *(view(board.offsets), view(board.neighbours), view(marks), make_ladder(board, marks)),
        engine.make_position(board),
        view(np.zeros(1, np.int32)),
        0,
        0,
    )
