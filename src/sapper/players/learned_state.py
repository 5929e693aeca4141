"""The kernel's memory for `learned`: what a board and a network have once, and room to think."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.players import features, learned, network
from sapper.kernels.players.guessing import EndGameSolver, GuesserState
from sapper.kernels.tracked.state import TrackedPosition
from sapper.players.learned_settings import LearnedSettings
from sapper.players.networks import Weights
from sapper.players.patches import patch_of, patch_table

# Rooms of an end game: rows at least and at most, sets that its memo holds, work of one search.
ROWS = 256
MAX_ROWS = 8192
MEMO = 1 << 17
MAX_WORK = 400_000_000


def make_learned_state(
    board: Board,
    weights: Weights,
    settings: LearnedSettings,
    tracked: TrackedPosition | None = None,
    images: int = 1,
) -> learned.LearnedState:
    """Room for guesses on a board; *position* is one that the caller follows a game with.

    *images* of the symmetries of a patch are averaged: 1 is the patch as it is.
    """
    end_game = EndGameSolver(
        *(len(board), max(ROWS, min(settings.end_game, MAX_ROWS)), MEMO),
        max_solutions=settings.end_game,
        max_sparse_solutions=0.0,
        apart=settings.apart,
        max_nodes=settings.nodes,
        max_work=MAX_WORK,
    )
    guesser = GuesserState(workspace.make_tracked(board) if tracked is None else tracked, end_game)
    return learned.LearnedState(
        guesser, make_features(board, settings), make_network(weights, images)
    )


def make_features(board: Board, settings: LearnedSettings) -> features.Features:
    """What a network sees on a board."""
    table = patch_table(board).reshape(-1)
    return features.Features(view(board.offsets), view(table), settings.candidates, settings.ratio)


def make_network(weights: Weights, images: int = 1) -> network.Network:
    """The network as the kernel wants it; *images* is 1 at least, and no more than there are."""
    symmetries = patch_of(weights.tiling).symmetries[: max(1, images)]

    def real(name: str, parts: int = 1) -> npt.NDArray[np.float64]:
        return view(weights.real(name).reshape(-1) / parts)

    # Sums of rows come in 32nds of a weight, scalars in 4096ths.
    return network.Network(
        image=view(np.ascontiguousarray(symmetries.reshape(-1))),
        images=len(symmetries),
        scale=2.0 ** -(weights.shifts["rows"] + 5),
        rows=view(weights.arrays["rows"].reshape(-1)),
        from_scalars=real("from_scalars", 4096),
        first_bias=real("first_bias"),
        middle=real("middle"),
        second_bias=real("second_bias"),
        last=real("last"),
        skip=real("skip", 4096),
        last_bias=float(weights.real("last_bias")[0]),
    )


def choose(
    learned_state: learned.LearnedState, marks: Ints, mines: int, trust: bool, limit: Limit
) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    position = view(marks), mines, trust
    return workspace.run_within(
        limit, learned_state.t.p.general, lambda: learned.run(learned_state, *position)
    )
