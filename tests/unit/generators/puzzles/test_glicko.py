"""Glicko-2: the published example, and simulated users of known strength."""

import math
import statistics

import pytest
from tests.error_messages import assert_refused

from sapper import RulesError
from sapper.board.random_stream import RandomStream
from sapper.generators.ratings import DEVIATION, Rating, update_rating


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


def is_solved(stream, strength, difficulty):
    """Return whether a simulated user of this strength solves a puzzle, both as Elo ratings."""
    return stream.bernoulli(1 / (1 + 10 ** ((difficulty - strength) / 400)))


def normal(stream):
    """Return a standard normal number (Box-Muller)."""
    u, v = ((stream.below(2**32 - 1) + 1) / 2**32 for _ in range(2))
    return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)


@pytest.mark.parametrize(("puzzle_error", "deviation"), [(0.0, 30.0), (DEVIATION, DEVIATION)])
def test_ratings_converge_within_a_hundred_puzzles(puzzle_error, deviation):
    """*puzzle_error* is the standard deviation of the errors of the puzzles' own ratings."""
    stream, errors = RandomStream(21), []
    for k in range(200):
        user, strength = Rating(), 900 + 1300 * k / 199
        for _ in range(100):
            puzzle = Rating(user.rating + 60 * normal(stream), deviation)
            true_rating = puzzle.rating + puzzle_error * normal(stream)
            user = update_rating(user, [(puzzle, float(is_solved(stream, strength, true_rating)))])
        errors.append(user.rating - strength)
    assert abs(statistics.fmean(errors)) < 15
    assert statistics.pstdev(errors) < 50
