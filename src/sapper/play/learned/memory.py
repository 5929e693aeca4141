"""The kernel's memory for `learned`: what a board and a network have once, and room to think."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.kernels import view
from sapper.kernels.codes import GROW, SCALARS
from sapper.kernels.odds.position import Position
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play import features, learned, network
from sapper.kernels.play.endgame import Ending
from sapper.kernels.play.listing import Listing
from sapper.kernels.play.thoughtful import Thought
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
    if position is None:
        workspace = Workspace()
        workspace.fit(len(board), len(board.neighbours))
        position = Position(board.offsets, board.neighbours, workspace)
    learner = learned.Learner()
    learner.t = _make_thought(board, settings, position)
    learner.looks = make_looks(board, settings)
    learner.net = make_network(weights, images)
    learner.value = view(np.zeros(learner.looks.most + 1))
    return learner


def _make_thought(board: Board, settings: LearnedSettings, position: Position) -> Thought:
    """What the end game needs of a thought."""
    rows = max(ROWS, min(settings.end_game, MOST_ROWS))
    thought = Thought()
    thought.p = position
    thought.listing = Listing(len(board), rows, 64 * rows)
    thought.ending = Ending(len(board), rows, MEMO)
    thought.few_placements, thought.thin_placements = float(min(settings.end_game, rows)), 0.0
    thought.most_nodes, thought.most_work = settings.nodes, MOST_WORK
    thought.apart = settings.apart
    return thought


def make_looks(board: Board, settings: LearnedSettings) -> features.Looks:
    """What a network sees on a board."""
    assert board.tiling is not None
    n = len(board)
    most = max(1, min(settings.candidates, n))
    counts = board.neighbour_counts
    looks = features.Looks()
    looks.slots, looks.most, looks.ratio = patch_of(board.tiling).slots, most, settings.ratio
    looks.most_around = max(1, int(counts.max()))
    looks.table = view(patch_table(board).reshape(-1))
    bounded = counts.min() < counts.max()
    looks.corner = view(((counts == counts.min()) & bounded).astype(np.uint8))
    looks.edge = view((counts < counts.max()).astype(np.uint8))
    looks.plane = view(np.zeros(n, np.uint8))
    for name in ("distance", "queue", "need"):
        setattr(looks, name, view(np.zeros(n, np.int32)))
    looks.candidate = view(np.zeros(most + 1, np.int32))
    looks.key = view(np.zeros(most + 1, np.int64))
    looks.scalar = view(np.zeros((most + 1) * SCALARS, np.int16))
    return looks


def make_network(weights: Weights, images: int = 1) -> network.Network:
    """The network as the kernel wants it, with scratch memory of its own."""
    net = network.Network()
    patch = patch_of(weights.tiling)
    net.slots, net.first, net.second = weights.slots, weights.first, weights.second
    net.scalars, net.images = weights.scalars, images
    net.image = view(np.ascontiguousarray(patch.symmetries[:images].reshape(-1)))
    net.rows = view(weights.arrays["rows"].reshape(-1))
    # Sums of rows come in 32nds of a weight, scalars in 4096ths.
    net.scale = 2.0 ** -(weights.shifts["rows"] + 5)
    net.from_scalars = view(_flat(weights, "from_scalars") / 4096)
    net.skip = view(_flat(weights, "skip") / 4096)
    for name in ("first_bias", "middle", "second_bias", "last"):
        setattr(net, name, view(_flat(weights, name)))
    net.last_bias = float(weights.real("last_bias")[0])
    net.sums = view(np.zeros(weights.first, np.int32))
    net.hidden, net.narrow = view(np.zeros(weights.first)), view(np.zeros(weights.second))
    return net


def _flat(weights: Weights, name: str) -> npt.NDArray[np.float64]:
    return np.ascontiguousarray(weights.real(name).reshape(-1))


def choose(learner: learned.Learner, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    general = learner.t.p.general
    general.cancel = view(limit.flag)
    general.seconds = limit.left
    status: int = learned.run(learner, view(marks), mines, trust)
    while status >= GROW:
        engine.enlarge(general, status, limit)
        status = learned.run(learner, view(marks), mines, trust)
    return status
