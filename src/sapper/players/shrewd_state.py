"""The kernel's memory for `shrewd`: a thought, and networks that see the same position."""

from __future__ import annotations

from sapper.board.board import Board, Ints
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.players import shrewd as kernel
from sapper.kernels.players.learned import LearnedState
from sapper.players.learned_settings import LearnedSettings
from sapper.players.learned_state import make_features, make_network
from sapper.players.networks import Weights, second_weights_for, weights_for
from sapper.players.shrewd_settings import ShrewdSettings
from sapper.players.thoughtful_state import make_thoughtful_state


def uses_networks(board: Board, settings: ShrewdSettings) -> bool:
    """Whether there is a network for a board, and it is to be asked."""
    return settings.network and weights_for(board) is not None


def make_shrewd_state(
    board: Board,
    settings: ShrewdSettings,
    first: Weights | None = None,
    second: Weights | None = None,
) -> kernel.ShrewdState:
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
    thoughtful_state = make_thoughtful_state(board, settings)
    wide = LearnedSettings(candidates=settings.many, ratio=settings.many_ratio)
    return kernel.ShrewdState(
        thoughtful_state,
        LearnedState(thoughtful_state, make_features(board, wide), make_network(first)),
        None if second is None else make_network(second, settings.images),
        keep=settings.keep,
        keep_ahead=settings.keep_ahead,
        first_weight=first_weight,
        second_weight=settings.second_weight,
        ahead_weight=settings.ahead,
        influence_weight=settings.influence,
        margin=settings.margin,
    )


def choose_shrewd(
    shrewd: kernel.ShrewdState, marks: Ints, mines: int, trust: bool, limit: Limit
) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    position = view(marks), mines, trust
    return workspace.run_within(limit, shrewd.t.p.general, lambda: kernel.run(shrewd, *position))
