"""Paired comparison of two campaigns on the same layouts, also as a sequential test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sapper.errors import NotationError
from sapper.games.campaign import Campaign
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import WorkerPool
from sapper.lab.shards import Bits, common_ranges
from sapper.lab.statistics import PAIRS_PER_LOOK, PairedCounts, Sprt

PAIRS_IN_MEMORY = 1 << 16
FIRST_ROUND = 16 * PAIRS_PER_LOOK
"""Pairs to play in the first round of a sequential test. Later rounds play a quarter of the pairs
so far, which limits the pairs that are played after the decision."""


@dataclass(frozen=True)
class CampaignResults:
    """A campaign with the file that contains its results."""

    results: ResultFile
    campaign: Campaign

    @classmethod
    def of(cls, results: ResultFile) -> CampaignResults:
        """Return the only campaign of a file."""
        return cls(results, results.only_campaign())

    @property
    def stored_seeds(self) -> list[range]:
        """The seeds whose games the file contains."""
        return self.results.stored_seeds(self.campaign)

    def won_bits(self, seeds: range) -> Bits:
        """Return whether each game of these seeds was won."""
        return self.results.won_bits(self.campaign, seeds)


@dataclass(frozen=True)
class SprtResult:
    """The result of a sequential test; `decision` is None if it remained undecided."""

    pairs: PairedCounts
    decision: str | None
    fixed_size: int
    """The pairs that a test of fixed size needs for the same error rates."""

    @property
    def saved(self) -> int:
        """The games saved against a test of fixed size, both players together; may be negative."""
        return 2 * (self.fixed_size - self.pairs.games)


def compare(a: CampaignResults, b: CampaignResults) -> PairedCounts:
    """Count the pairs of games on the layouts that both campaigns have played.

    A pair is one layout, played by each of the two players.
    """
    _check_layouts(a, b)
    pairs = PairedCounts()
    for seeds in common_ranges(a.stored_seeds, b.stored_seeds):
        for start in range(seeds.start, seeds.stop, PAIRS_IN_MEMORY):
            pairs += _count_pairs(a, b, range(start, min(start + PAIRS_IN_MEMORY, seeds.stop)))
    if not pairs.games:
        raise NotationError(f"{a.results.path} and {b.results.path} have no seeds in common")
    return pairs


def run_sprt(
    a: CampaignResults,
    b: CampaignResults,
    test: Sprt,
    pool: WorkerPool,
    max_pairs: int,
    report: Callable[[PairedCounts], None] = lambda pairs: None,
) -> SprtResult:
    """Play pairs in the order of their seeds until *test* decides, at most *max_pairs*.

    Starts at the first seed that both files contain, or else at the first seed of *a*. The games
    are added to the two files.
    """
    _check_layouts(a, b)
    start = (common_ranges(a.stored_seeds, b.stored_seeds) or a.stored_seeds)[0].start
    pairs = PairedCounts()
    while pairs.games < max_pairs:
        quarter = pairs.games // 4 // PAIRS_PER_LOOK * PAIRS_PER_LOOK
        size = min(max(FIRST_ROUND, quarter), max_pairs - pairs.games)
        seeds = range(start + pairs.games, start + pairs.games + size)
        for side in (a, b):
            run_campaign(side.results, side.campaign.with_seeds(seeds), pool)
        for first in range(seeds.start, seeds.stop, PAIRS_PER_LOOK):
            pairs += _count_pairs(a, b, range(first, min(first + PAIRS_PER_LOOK, seeds.stop)))
            decision = test.decide(pairs)
            if decision is not None:
                return SprtResult(pairs, decision, test.fixed_size(pairs))
        report(pairs)
    return SprtResult(pairs, None, test.fixed_size(pairs))


def _count_pairs(a: CampaignResults, b: CampaignResults, seeds: range) -> PairedCounts:
    won_a, won_b = a.won_bits(seeds), b.won_bits(seeds)
    both, either = int((won_a & won_b).sum()), int((won_a | won_b).sum())
    wins_a, wins_b = int(won_a.sum()), int(won_b.sum())
    return PairedCounts(both, wins_a - both, wins_b - both, len(seeds) - either)


def _check_layouts(a: CampaignResults, b: CampaignResults) -> None:
    if (a.campaign.rules, a.campaign.first) != (b.campaign.rules, b.campaign.first):
        raise NotationError(f"the campaigns have different layouts: {a.campaign} and {b.campaign}")
