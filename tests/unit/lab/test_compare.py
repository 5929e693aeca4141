"""Two campaigns on the same deals."""

import pytest

from sapper import NotationError
from sapper.games.campaign import Campaign
from sapper.games.many import play_each
from sapper.lab.compare import CampaignResults, compare, run_sprt
from sapper.lab.results import ResultFile
from sapper.lab.run import run_campaign
from sapper.lab.runners import worker_pool
from sapper.lab.sprt import A_BETTER, B_BETTER, NO_DIFFERENCE, Sprt
from sapper.lab.statistics import PairedCounts


@pytest.fixture
def side(tmp_path):
    """Opens the results of a player on some seeds of 9x9/16."""
    opened = []

    def make(player, seeds, **wishes):
        asked = {"size": "9x9/16", "rule": "safe", "first": "r1c1", **wishes}
        one = Campaign.of(**asked, player=player, games=1, seed=0)
        results = ResultFile(tmp_path / f"{len(opened)}-{player}", write=True)
        opened.append(results)
        with worker_pool("threads", 2) as workers:
            run_campaign(results, one.on(seeds), workers)
        return CampaignResults.of(results)

    yield make
    for results in opened:
        results.close()


def by_hand(a, b, seeds):
    won_a, won_b = (
        play_each("9x9/16", player, len(seeds), seeds.start, "safe", "r1c1")[:, 0] > 0
        for player in (a, b)
    )
    pairs = list(zip(won_a.tolist(), won_b.tolist(), strict=True))
    return PairedCounts(
        *(
            pairs.count(pair)
            for pair in ((True, True), (True, False), (False, True), (False, False))
        )
    )


def test_the_pairs_are_those_counted_by_hand(side):
    found = compare(side("human", range(0, 900)), side("hybrid", range(100, 1200)))
    assert found == by_hand("human", "hybrid", range(100, 900))
    assert found.only_a > 0 and found.only_b > 0


def test_other_deals_are_refused(side):
    a = side("human", range(5))
    for wishes in ({"first": "r1c2"}, {"rule": "zero"}, {"size": "9x9/15"}):
        with pytest.raises(NotationError, match="expected two campaigns on the same deals, got"):
            compare(a, side("human", range(5), **wishes))
    with pytest.raises(NotationError, match="expected some seeds in both files, got none"):
        compare(a, side("careful", range(5, 9)))


@pytest.mark.parametrize(
    ("a", "b", "decision"),
    [
        ("human", "careful", B_BETTER),
        ("careful", "human", A_BETTER),
        ("careful", "careful", NO_DIFFERENCE),
    ],
)
def test_a_contest_plays_on_until_it_is_decided(side, a, b, decision):
    one, other = side(a, range(50, 60)), side(b, range(50, 70))
    with worker_pool("threads", 2) as workers:
        found = run_sprt(one, other, Sprt(6.0), workers, most=100_000)
        again = run_sprt(one, other, Sprt(6.0), workers, most=100_000)
    assert found == again and found.decision == decision
    assert found.pairs == by_hand(a, b, range(50, 50 + found.pairs.games))
    assert found.saved == 2 * (found.fixed_size - found.pairs.games)


def test_a_contest_may_stay_undecided(side):
    with worker_pool("threads", 2) as workers:
        found = run_sprt(
            side("human", range(9)), side("hybrid", range(9)), Sprt(0.01), workers, most=200
        )
    assert found.decision is None and found.pairs.games == 200
