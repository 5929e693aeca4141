"""First ratings: harder proofs are rated higher, by the terms of the formula."""

from statistics import median

from tests.puzzle_checks import generate_puzzles

from sapper import Position, explain
from sapper.generators.puzzles.ratings import MAX_RATING, MIN_RATING, first_rating


def points(rows, move, moves=1, mines=None):
    proof = explain(Position.parse(rows, mines), move, trust_flags=True)
    return first_rating(proof, moves).rating


def test_the_base_rating_is_that_of_a_single_number():
    assert points("# 1", "flag r1c1") == 900


def test_more_moves_lower_the_rating():
    assert points("# 1", "flag r1c1", moves=4) == 780


def test_two_numbers_and_their_distance_raise_the_rating():
    # r1c1 is two steps and r2c1 one step from r3c1: on average half a step more than one.
    assert points("1##\n1##\n###", "reveal r3c1") == 900 + 350 + 40


def test_the_mine_count_raises_the_rating():
    # The one mine is next to the 1, so r1c4, two steps from it, is safe.
    assert points("#1##", "reveal r1c4", mines=1) == 900 + 250 + 80


def test_the_median_rating_rises_with_the_difficulty():
    medians = [
        median(puzzle.rating for puzzle in generate_puzzles(difficulty, "square", 12, seed=30))
        for difficulty in ("one", "two", "three", "four")
    ]
    assert medians == sorted(medians)
    assert all(MIN_RATING <= median <= MAX_RATING for median in medians)
