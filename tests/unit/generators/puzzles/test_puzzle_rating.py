"""First ratings: harder proofs are rated higher, by the terms of the formula."""

from statistics import median

import pytest
from tests.puzzle_checks import generate_puzzles

from sapper import DIFFICULTIES, Position, explain
from sapper.generators.ratings import MAX_RATING, MIN_RATING, puzzle_rating, typical_rating


def test_numbers_distance_and_mine_count_raise_the_rating():
    for rows, move, moves, mines, rating in [
        ("# 1", "flag r1c1", 1, None, 900),
        ("# 1", "flag r1c1", 4, None, 780),
        # r1c1 is two steps and r2c1 one step from r3c1: on average half a step more than one.
        ("1##\n1##\n###", "reveal r3c1", 1, None, 900 + 350 + 40),
        # The one mine is next to the 1, so r1c4, two steps from it, is safe.
        ("#1##", "reveal r1c4", 1, 1, 900 + 250 + 80),
    ]:
        proof = explain(Position.parse(rows, mines), move, trust_flags=True)
        assert puzzle_rating(proof, moves).rating == rating


def test_typical_ratings_are_near_the_medians():
    for difficulty in DIFFICULTIES:
        puzzles = generate_puzzles(difficulty, "square", 12, seed=30)
        ratings = [puzzle.rating for puzzle in puzzles]
        assert MIN_RATING <= min(ratings) <= max(ratings) <= MAX_RATING
        assert typical_rating(difficulty) == pytest.approx(median(ratings), abs=200)
    assert typical_rating("added") == typical_rating("four")
