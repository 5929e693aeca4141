"""Random numbers from a seed, identical on every machine, Python version and release.

Layouts, players, paper puzzles, openings and no-guess boards draw from this generator:
xoshiro256** seeded by SplitMix64; a number below a bound comes from the high 32 bits by Lemire's
method. docs/formats.md specifies it, and golden layouts in the tests check it.
"""

from __future__ import annotations

import secrets

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.errors import NotationError, RulesError
from sapper.kernels import view
from sapper.kernels.board import next_random, place_mines, random_below, seed_state
from sapper.values import check_int

SEED_COUNT = 2**64
"""Seeds are integers from 0 to SEED_COUNT - 1."""


class RandomStream:
    """A stream of random numbers; kernels draw from its `state`."""

    def __init__(self, seed: int):
        self.state = view(np.empty(4, dtype=np.uint64))
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Restart the stream from a seed."""
        seed_state(check_seed(seed), self.state)

    def below(self, bound: int) -> int:
        """Return a uniform integer in 0..bound-1, for a bound below 2**32."""
        return int(random_below(self.state, bound))

    def bernoulli(self, probability: float) -> bool:
        """Return True with the given probability."""
        return (int(next_random(self.state)) >> 11) * 2.0**-53 < probability

    def shuffled(self, cells: Ints) -> Ints:
        """Return the cells in random order."""
        order = np.array(cells, dtype=np.int32)
        if len(order):
            scratch = np.zeros(int(order.max()) + 1, dtype=np.uint8)
            place_mines(self.state, view(order), len(order), view(scratch))
        return order

    def draw_mines(self, allowed: Ints, count: int, cells: int) -> npt.NDArray[np.uint8]:
        """Return a mask over *cells* cells with *count* mines on cells drawn from *allowed*.

        *allowed*, ascending, is shuffled by Fisher-Yates from the front; its first cells become
        the mines.
        """
        mines = np.zeros(cells, dtype=np.uint8)
        place_mines(self.state, view(np.array(allowed, dtype=np.int32)), count, view(mines))
        return mines


def check_seed(seed: int) -> int:
    """Return a seed as an int; raise RulesError if it is out of range."""
    seed = check_int(seed, "a seed")
    if not 0 <= seed < SEED_COUNT:
        raise RulesError(f"expected a seed from 0 to {SEED_COUNT - 1}, got {seed!s:.60}")
    return seed


def seed_range(seed: int | None, count: int) -> range:
    """Return *count* consecutive seeds, starting from a random one unless *seed* is given.

    Raise RulesError if they exceed the highest seed.
    """
    start = random_seed() if seed is None else check_seed(seed)
    if start > SEED_COUNT - count:
        raise RulesError(f"expected seeds below {SEED_COUNT}, got {start} + {count - 1}")
    return range(start, start + count)


def random_seed() -> int:
    """Return a random seed below 2**48."""
    return secrets.randbits(48)


def parse_seed(text: str) -> int:
    """Read a seed from its decimal digits."""
    # At most 20 digits, because int() takes quadratic time in their number.
    is_decimal = text.isascii() and text.isdigit() and len(text) <= 20
    if not is_decimal or int(text) >= SEED_COUNT:
        raise NotationError(f"expected a seed from 0 to {SEED_COUNT - 1}, got {text!r:.60}")
    return int(text)
