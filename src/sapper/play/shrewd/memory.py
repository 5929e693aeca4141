"""The kernel's memory for `shrewd`: a thought, and networks that see the same position."""

from __future__ import annotations

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.kernels import view
from sapper.kernels.play import shrewd as kernel
from sapper.kernels.play.learned import Learner
from sapper.model.board import Board, Ints
from sapper.play.learned.memory import make_looks, make_network
from sapper.play.learned.settings import LearnedSettings
from sapper.play.learned.weights import Weights, second_weights_for, weights_for
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.play.thoughtful.memory import make_thought


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
    first_weight = settings.first_weight
    if second is None:
        first_weight += settings.second_weight
    elif settings.second_weight <= 0:
        second = None
    thought = make_thought(board, settings)
    wide = LearnedSettings(candidates=settings.many, ratio=settings.many_ratio)
    return kernel.Shrewd(
        thought,
        Learner(thought, make_looks(board, wide), make_network(first)),
        None if second is None else make_network(second, settings.images),
        keep=settings.keep,
        keep_ahead=settings.keep_ahead,
        first_weight=first_weight,
        second_weight=settings.second_weight,
        ahead_weight=settings.ahead,
        influence_weight=settings.influence,
        margin=settings.margin,
    )


def judge(shrewd: kernel.Shrewd, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    frame = view(marks), mines, trust
    return engine.within(limit, shrewd.t.p.general, lambda: kernel.run(shrewd, *frame))
