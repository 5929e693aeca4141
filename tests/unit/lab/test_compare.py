"""Paired comparison of two campaigns on the same layouts."""

import pytest

from sapper import NotationError
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab.compare import (
    A_BETTER,
    B_BETTER,
    NO_DIFFERENCE,
    CampaignResults,
    PairedCounts,
    Sprt,
    compare,
    run_sprt,
)
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import worker_pool


@pytest.fixture
def make_results(tmp_path):
    """Play some seeds of 9x9/16 and return the results."""
    opened = []

    def make(player, seeds, **options):
        chosen = {"size": "9x9/16", "rule": "safe", "first": "r1c1", **options}
        one = Campaign.of(**chosen, player=player, games=1, seed=0)
        results = ResultFile(tmp_path / f"{len(opened)}-{player}", write=True)
        opened.append(results)
        with worker_pool("threads", 2) as workers:
            run_campaign(results, one.with_seeds(seeds), workers)
        return CampaignResults.of(results)

    yield make
    for results in opened:
        results.close()


def expected_counts(a, b, seeds):
    won_a, won_b = (
        play_each("9x9/16", player, len(seeds), seeds.start, "safe", "r1c1")[:, 0] > 0
        for player in (a, b)
    )
    both, neither = (won_a & won_b).sum(), (~won_a & ~won_b).sum()
    only_a, only_b = (won_a & ~won_b).sum(), (~won_a & won_b).sum()
    return PairedCounts(*map(int, (both, only_a, only_b, neither)))


def test_pairs_are_counted_over_the_common_seeds(make_results):
    found = compare(make_results("human", range(0, 900)), make_results("hybrid", range(100, 1200)))
    assert found == expected_counts("human", "hybrid", range(100, 900))
    assert found.only_a > 0 and found.only_b > 0


def test_different_layouts_are_refused(make_results):
    a = make_results("human", range(5))
    for options in ({"first": "r1c2"}, {"rule": "zero"}, {"size": "9x9/15"}):
        with pytest.raises(NotationError, match="the campaigns have different layouts"):
            compare(a, make_results("human", range(5), **options))
    with pytest.raises(NotationError, match="have no seeds in common"):
        compare(a, make_results("careful", range(5, 9)))


@pytest.mark.parametrize(
    ("a", "b", "decision"),
    [
        ("human", "careful", B_BETTER),
        ("careful", "human", A_BETTER),
        ("careful", "careful", NO_DIFFERENCE),
    ],
)
def test_sequential_test_plays_until_it_decides(make_results, a, b, decision):
    one, other = make_results(a, range(50, 60)), make_results(b, range(50, 70))
    with worker_pool("threads", 2) as workers:
        found = run_sprt(one, other, Sprt(6.0), workers, max_pairs=100_000)
        again = run_sprt(one, other, Sprt(6.0), workers, max_pairs=100_000)
    assert found == again and found.decision == decision
    assert found.pairs == expected_counts(a, b, range(50, 50 + found.pairs.games))
    played = sum(len(seeds) for side in (one, other) for seeds in side.stored_seeds)
    assert played >= 2 * found.pairs.games
    assert found.saved == 2 * found.fixed_size - played


def test_sequential_test_may_remain_undecided(make_results):
    with worker_pool("threads", 2) as workers:
        found = run_sprt(
            make_results("human", range(9)),
            make_results("hybrid", range(9)),
            Sprt(0.01),
            workers,
            max_pairs=200,
        )
    assert found.decision is None and found.pairs.games == 200
