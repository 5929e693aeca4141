"""Two campaigns on the same deals, pair by pair; and played on until a difference is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sapper.errors import NotationError
from sapper.games.campaign import Campaign
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import WorkerPool
from sapper.lab.seed_ranges import common
from sapper.lab.shards import Bits
from sapper.lab.sprt import LOOK, Sprt
from sapper.lab.statistics import PairedCounts

AT_ONCE = 1 << 16
"""Pairs whose bits are in memory at the same time."""
FIRST_STRETCH = 16 * LOOK
"""Pairs to play before the first look beyond what the files hold; later stretches are a quarter
of what was played, so that no more than that is played in vain."""


@dataclass(frozen=True)
class CampaignResults:
    """A campaign with the file that holds its results."""

    results: ResultFile
    campaign: Campaign

    @classmethod
    def of(cls, results: ResultFile) -> CampaignResults:
        """The one campaign of a file."""
        return cls(results, results.only_campaign())

    def bits(self, seeds: range) -> Bits:
        """Whether each game of these seeds was won."""
        return self.results.bits(self.campaign, seeds)


@dataclass(frozen=True)
class SprtResult:
    """How a sequential test came out; `decision` is None where the pairs were not enough."""

    pairs: PairedCounts
    decision: str | None
    fixed_size: int
    """Pairs that a test of fixed size needs for the same errors."""

    @property
    def saved(self) -> int:
        """Games that the decision did not need, of both players together; below 0: more."""
        return 2 * (self.fixed_size - self.pairs.games)


def compare(a: CampaignResults, b: CampaignResults) -> PairedCounts:
    """The pairs of all deals that both have played."""
    _check_layouts(a, b)
    found = PairedCounts()
    for span in common(a.results.held(a.campaign), b.results.held(b.campaign)):
        for start in range(span.start, span.stop, AT_ONCE):
            found += _pairs(a, b, range(start, min(start + AT_ONCE, span.stop)))
    if not found.games:
        raise NotationError(
            f"expected some seeds in both files, got none in {a.results.path} and {b.results.path}"
        )
    return found


def run_sprt(
    a: CampaignResults,
    b: CampaignResults,
    test: Sprt,
    worker_pool: WorkerPool,
    most: int,
    tell: Callable[[PairedCounts], None] = lambda pairs: None,
) -> SprtResult:
    """Look at pair after pair in the order of their seeds, and play on, until *test* decides.

    The pairs begin at the first seed that both files hold, else at the first of the first file;
    what is played goes into the two files. Undecided after *most* pairs.
    """
    _check_layouts(a, b)
    start = _first_seed(a, b)
    pairs = PairedCounts()
    while pairs.games < most:
        stretch = min(max(FIRST_STRETCH, pairs.games // 4 // LOOK * LOOK), most - pairs.games)
        seeds = range(start + pairs.games, start + pairs.games + stretch)
        for side in (a, b):
            run_campaign(side.results, side.campaign.on(seeds), worker_pool)
        for at in range(seeds.start, seeds.stop, LOOK):
            pairs += _pairs(a, b, range(at, min(at + LOOK, seeds.stop)))
            decision = test.decide(pairs)
            if decision is not None:
                return SprtResult(pairs, decision, test.fixed_size(pairs))
        tell(pairs)
    return SprtResult(pairs, None, test.fixed_size(pairs))


def _pairs(a: CampaignResults, b: CampaignResults, seeds: range) -> PairedCounts:
    won_a, won_b = a.bits(seeds), b.bits(seeds)
    both, either = int((won_a & won_b).sum()), int((won_a | won_b).sum())
    wins_a, wins_b = int(won_a.sum()), int(won_b.sum())
    return PairedCounts(both, wins_a - both, wins_b - both, len(seeds) - either)


def _first_seed(a: CampaignResults, b: CampaignResults) -> int:
    held_a, held_b = a.results.held(a.campaign), b.results.held(b.campaign)
    both = common(held_a, held_b)
    return (both or held_a)[0].start


def _check_layouts(a: CampaignResults, b: CampaignResults) -> None:
    if a.campaign.deals != b.campaign.deals:
        raise NotationError(
            f"expected two campaigns on the same deals, got {a.campaign} and {b.campaign}"
        )
