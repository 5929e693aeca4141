"""Glicko-2: the published example, and impossible ratings."""

import math

import pytest
from tests.error_messages import assert_refused

from sapper import RulesError
from sapper.generators.ratings import Rating, update_rating


def test_update_equals_the_worked_example_of_the_paper():
    others = [Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)]
    after = update_rating(Rating(1500, 200, 0.06), list(zip(others, (1, 0, 0), strict=True)))
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    after = update_rating(Rating(1500, 200, 0.06), [])
    assert after.rating == 1500
    assert after.deviation == pytest.approx(200.2714, abs=1e-3)


def test_impossible_ratings_and_scores_are_refused():
    nan, inf = math.nan, math.inf
    wrong = [(nan, 100, 0.06), (inf, 100, 0.06), (1500, -1, 0.06), (1500, 0, 0.06)]
    wrong += [(1500, nan, 0.06), (1500, 100, 0), (1500, 100, inf)]
    cases = [(values, "expected a") for values in wrong]
    assert_refused(lambda values: Rating(*values), cases, RulesError)
    cases = [(score, "expected a score from 0 to 1") for score in (nan, inf, -1, 1.5)]
    assert_refused(lambda score: update_rating(Rating(), [(Rating(), score)]), cases, RulesError)


def test_surprising_results_raise_the_volatility():
    rating = Rating(1500, 60, 0.06)
    for _ in range(20):
        rating = update_rating(rating, [(Rating(2100, 50), 1)])
    assert rating.volatility > 0.06
    assert rating.rating > 1900
