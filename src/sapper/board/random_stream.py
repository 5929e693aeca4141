"""A stream of random choices from a seed: the same on every machine, version and release.

One stream stands under deals, players' luck, paper tables, openings and no-guess boards:
xoshiro256** seeded by SplitMix64; a number below a bound comes from its high 32 bits by Lemire's
method. docs/formats.md writes it down in full, and golden deals in the tests hold it fast.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.errors import RulesError
from sapper.kernels import view
from sapper.kernels.board.layout import next_random, place_mines, random_below, seed_state

SEEDS = 2**64


class RandomStream:
    """Random choices, one after the other; `state` is what a kernel goes on with."""

    def __init__(self, seed: int):
        self.state = view(np.empty(4, dtype=np.uint64))
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start again, from this seed."""
        if not 0 <= seed < SEEDS:
            raise RulesError(f"expected a seed from 0 to {SEEDS - 1}, got {seed}")
        seed_state(seed, self.state)

    def below(self, bound: int) -> int:
        """A uniform number in 0..bound-1, for a bound below 2**32."""
        return int(random_below(self.state, bound))

    def happens(self, chance: float) -> bool:
        """True with that probability; takes one word of the stream."""
        return (int(next_random(self.state)) >> 11) * 2.0**-53 < chance

    def shuffled(self, cells: Ints) -> Ints:
        """The cells in random order."""
        order = np.array(cells, dtype=np.int32)
        if len(order):
            scratch = np.zeros(int(order.max()) + 1, dtype=np.uint8)
            place_mines(self.state, view(order), len(order), view(scratch))
        return order

    def mines(self, allowed: Ints, count: int, cells: int) -> npt.NDArray[np.uint8]:
        """So many mines on cells drawn from *allowed*, ascending, of a board with so many cells.

        The cells are shuffled by Fisher-Yates from the front; the first of them become the mines.
        """
        mines = np.zeros(cells, dtype=np.uint8)
        place_mines(self.state, view(np.array(allowed, dtype=np.int32)), count, view(mines))
        return mines
