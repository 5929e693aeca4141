"""The seeds of the games after the first: a stream of their own for each environment."""

from __future__ import annotations

from sapper.kernels.boards.deal import next_word
from sapper.kernels.play.envs import EPISODES_SALT, SEED_SHIFT
from sapper.model.stream import Stream


class Episodes:
    """The seeds that follow a seed: 48 bits each, the same everywhere.

    The stream of `sapper.model.stream` from the seed XOR 0x657069736F646573 ('episodes');
    the vectorised environment has one for each of its games.

    >>> episodes = Episodes(1)
    >>> episodes.next(), episodes.next()
    (164669040365667, 50133775171482)
    """

    def __init__(self, seed: int):
        # A seed too large must be refused as such, before the salt changes it.
        Stream(seed)
        self._stream = Stream(seed ^ EPISODES_SALT)

    def next(self) -> int:
        """The seed of the next game."""
        return int(next_word(self._stream.state)) >> SEED_SHIFT
