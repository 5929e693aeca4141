"""The kernel's memory for `learned`: what a board and a network have once, and room to think."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.kernels import view
from sapper.kernels.odds.position import Position
from sapper.kernels.play import features, learned, network
from sapper.kernels.play.guessing import EndGame, Guesser
from sapper.model.board import Board, Ints
from sapper.play.learned.patches import patch_of, patch_table
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import Weights

# Rooms of an end game: rows at least and at most, sets that its memo holds, work of one search.
ROWS = 256
MOST_ROWS = 8192
MEMO = 1 << 17
MOST_WORK = 400_000_000


def make_learner(
    board: Board,
    weights: Weights,
    settings: LearnedSettings,
    position: Position | None = None,
    images: int = 1,
) -> learned.Learner:
    """Room for guesses on a board; *position* is one that the caller follows a game with.

    *images* of the symmetries of a patch are averaged: 1 is the patch as it is.
    """
    end_game = EndGame(
        *(len(board), max(ROWS, min(settings.end_game, MOST_ROWS)), MEMO),
        few_placements=settings.end_game,
        thin_placements=0.0,
        apart=settings.apart,
        most_nodes=settings.nodes,
        most_work=MOST_WORK,
    )
    guesser = Guesser(engine.make_position(board) if position is None else position, end_game)
    return learned.Learner(guesser, make_looks(board, settings), make_network(weights, images))


def make_looks(board: Board, settings: LearnedSettings) -> features.Looks:
    """What a network sees on a board."""
    table = patch_table(board).reshape(-1)
    return features.Looks(view(board.offsets), view(table), settings.candidates, settings.ratio)


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


def choose(learner: learned.Learner, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    frame = view(marks), mines, trust
    return engine.within(limit, learner.t.p.general, lambda: learned.run(learner, *frame))
