"""The seeds of the games after the first: a stream of their own for each environment."""

from __future__ import annotations

import numpy as np

from sapper.board.random_stream import SEEDS
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.board.random import next_random, seed_state
from sapper.kernels.games.environments import EPISODES_SALT, SEED_SHIFT


class EpisodeSeeds:
    """The seeds that follow a seed: 48 bits each, the same everywhere.

    The stream of `sapper.board.random_stream` from the seed XOR 0x657069736F646573 ('episodes');
    the vectorised environment has one for each of its games.

    >>> episodes = EpisodeSeeds(1)
    >>> episodes.next(), episodes.next()
    (164669040365667, 50133775171482)
    """

    def __init__(self, seed: int):
        if not 0 <= seed < SEEDS:
            raise RulesError(f"expected a seed from 0 to {SEEDS - 1}, got {seed}")
        # An array and no view of one: an environment can be copied in the middle of a game.
        self._state = np.empty(4, dtype=np.uint64)
        seed_state(seed ^ EPISODES_SALT, view(self._state))

    def next(self) -> int:
        """The seed of the next game."""
        return int(next_random(view(self._state))) >> SEED_SHIFT
