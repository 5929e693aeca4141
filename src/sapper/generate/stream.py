"""A stream of random choices from a seed: the same on every machine, version and release."""

from __future__ import annotations

import numpy as np

from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.boards.deal import deal_mines, next_word, seed_state
from sapper.model.board import Ints
from sapper.model.deal import SEEDS


class Stream:
    """xoshiro256** seeded by SplitMix64, as for deals."""

    def __init__(self, seed: int):
        if not 0 <= seed < SEEDS:
            raise RulesError(f"expected a seed from 0 to {SEEDS - 1}, got {seed}")
        self._state = np.empty(4, dtype=np.uint64)
        self._view = view(self._state)
        seed_state(seed, self._view)

    def happens(self, chance: float) -> bool:
        """True with that probability; takes one word of the stream."""
        return (int(next_word(self._view)) >> 11) * 2.0**-53 < chance

    def shuffled(self, cells: Ints) -> Ints:
        """The cells in random order."""
        order = np.array(cells, dtype=np.int32)
        if len(order):
            scratch = np.zeros(int(order.max()) + 1, dtype=np.uint8)
            deal_mines(self._view, view(order), len(order), view(scratch))
        return order
