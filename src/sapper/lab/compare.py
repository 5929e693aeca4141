"""Two campaigns on the same deals, pair by pair; and played on until a difference is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sapper.errors import NotationError
from sapper.lab.results import Results
from sapper.lab.run import run_campaign
from sapper.lab.runners import Crew
from sapper.lab.shards import Bits
from sapper.lab.spans import common
from sapper.lab.sprt import LOOK, Sprt
from sapper.lab.statistics import Pairs
from sapper.play.games.campaign import Campaign

AT_ONCE = 1 << 16
"""Pairs whose bits are in memory at the same time."""
FIRST_STRETCH = 16 * LOOK
"""Pairs to play before the first look beyond what the files hold; later stretches are a quarter
of what was played, so that no more than that is played in vain."""


@dataclass(frozen=True)
class Side:
    """A campaign with the file that holds its results."""

    results: Results
    campaign: Campaign

    @classmethod
    def of(cls, results: Results) -> Side:
        """The one campaign of a file."""
        return cls(results, results.the_campaign())

    def bits(self, seeds: range) -> Bits:
        """Whether each game of these seeds was won."""
        return self.results.bits(self.campaign, seeds)


@dataclass(frozen=True)
class Contest:
    """How a sequential test came out; `decision` is None where the pairs were not enough."""

    pairs: Pairs
    decision: str | None
    fixed_size: int
    """Pairs that a test of fixed size needs for the same errors."""

    @property
    def saved(self) -> int:
        """Games that the decision did not need, of both players together; below 0: more."""
        return 2 * (self.fixed_size - self.pairs.games)


def compare(a: Side, b: Side) -> Pairs:
    """The pairs of all deals that both have played."""
    _check_deals(a, b)
    found = Pairs()
    for span in common(a.results.held(a.campaign), b.results.held(b.campaign)):
        for start in range(span.start, span.stop, AT_ONCE):
            found += _pairs(a, b, range(start, min(start + AT_ONCE, span.stop)))
    if not found.games:
        raise NotationError(
            f"expected some seeds in both files, got none in {a.results.path} and {b.results.path}"
        )
    return found


def contest(
    a: Side,
    b: Side,
    test: Sprt,
    crew: Crew,
    most: int,
    tell: Callable[[Pairs], None] = lambda pairs: None,
) -> Contest:
    """Look at pair after pair in the order of their seeds, and play on, until *test* decides.

    The pairs begin at the first seed that both files hold, else at the first of the first file;
    what is played goes into the two files. Undecided after *most* pairs.
    """
    _check_deals(a, b)
    start = _first_seed(a, b)
    pairs = Pairs()
    while pairs.games < most:
        stretch = min(max(FIRST_STRETCH, pairs.games // 4 // LOOK * LOOK), most - pairs.games)
        seeds = range(start + pairs.games, start + pairs.games + stretch)
        for side in (a, b):
            run_campaign(side.results, side.campaign.on(seeds), crew)
        for at in range(seeds.start, seeds.stop, LOOK):
            pairs += _pairs(a, b, range(at, min(at + LOOK, seeds.stop)))
            decision = test.decide(pairs)
            if decision is not None:
                return Contest(pairs, decision, test.fixed_size(pairs))
        tell(pairs)
    return Contest(pairs, None, test.fixed_size(pairs))


def _pairs(a: Side, b: Side, seeds: range) -> Pairs:
    won_a, won_b = a.bits(seeds), b.bits(seeds)
    both, either = int((won_a & won_b).sum()), int((won_a | won_b).sum())
    wins_a, wins_b = int(won_a.sum()), int(won_b.sum())
    return Pairs(both, wins_a - both, wins_b - both, len(seeds) - either)


def _first_seed(a: Side, b: Side) -> int:
    held_a, held_b = a.results.held(a.campaign), b.results.held(b.campaign)
    both = common(held_a, held_b)
    return (both or held_a)[0].start


def _check_deals(a: Side, b: Side) -> None:
    if a.campaign.deals != b.campaign.deals:
        raise NotationError(
            f"expected two campaigns on the same deals, got {a.campaign} and {b.campaign}"
        )
