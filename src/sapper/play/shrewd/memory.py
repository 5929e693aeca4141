"""The kernel's memory for `shrewd`: a thought, and networks that see the same position."""

from __future__ import annotations

import numpy as np

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.kernels import view
from sapper.kernels.codes import GROW
from sapper.kernels.play import shrewd as kernel
from sapper.model.board import Board, Ints
from sapper.play.learned.memory import make_learner, make_network
from sapper.play.learned.patches import patch_of
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import Weights, second_weights_for, weights_for
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.play.thoughtful.memory import make_thought

# What two moves ahead promise is a number that a network sees if it takes as many as this.
SEES_AHEAD = 22


def asks_networks(board: Board, settings: ShrewdSettings) -> bool:
    """Whether there is a network for a board, and it is to be asked."""
    return settings.network and weights_for(board) is not None


def make_shrewd(
    board: Board,
    settings: ShrewdSettings,
    first: Weights | None = None,
    second: Weights | None = None,
) -> kernel.Shrewd:
    """Room for guesses on a board; the networks are those of the package unless given."""
    given = first is not None
    first = first or weights_for(board)
    second = second if given else second_weights_for(board)
    assert first is not None
    shrewd = kernel.Shrewd()
    shrewd.t = make_thought(board, settings)
    wide = LearnedSettings(end_game=0, candidates=settings.many, ratio=settings.many_ratio)
    shrewd.first = make_learner(board, first, wide, shrewd.t.p)
    many = shrewd.first.looks.most
    shrewd.order = view(np.zeros(many + 1, np.int32))
    shrewd.keep, shrewd.keep_ahead = settings.keep, min(settings.keep_ahead, len(board))
    shrewd.kept = view(np.zeros(1 + shrewd.keep_ahead + many, np.int32))
    shrewd.first_weight, shrewd.ahead_weight = settings.first_weight, settings.ahead
    shrewd.influence_weight, shrewd.margin = settings.influence, settings.margin
    shrewd.decides = second is not None and settings.second_weight > 0
    if second is None:
        shrewd.first_weight += settings.second_weight
    shrewd.ahead = settings.ahead > 0
    if second is not None and shrewd.decides:
        symmetries = len(patch_of(second.tiling).symmetries)
        shrewd.second = make_network(second, max(1, min(settings.images, symmetries)))
        shrewd.second_weight = settings.second_weight
        shrewd.ahead |= second.scalars >= SEES_AHEAD
    return shrewd


def judge(shrewd: kernel.Shrewd, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    general = shrewd.t.p.general
    general.cancel, general.seconds = view(limit.flag), limit.left
    status: int = kernel.run(shrewd, view(marks), mines, trust)
    while status >= GROW:
        engine.enlarge(general, status, limit)
        status = kernel.run(shrewd, view(marks), mines, trust)
    return status
