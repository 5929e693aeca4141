"""First ratings: harder proofs are rated higher, and every number of the formula counts."""

from statistics import median

from tests.puzzle_checks import find_some

from sapper.board.position import Position
from sapper.generators.puzzles.ratings import LEAST, MOST, first_rating
from sapper.proofs.prover import explain


def points(rows, move, moves=1, mines=None):
    proof = explain(Position.parse(rows, mines), move, trust_flags=True)
    return first_rating(proof, moves).rating


def test_a_single_number_alone_is_where_the_scale_begins():
    assert points("# 1", "flag r1c1") == 900


def test_more_moves_are_easier_to_find():
    assert points("# 1", "flag r1c1", moves=4) == 780


def test_two_numbers_are_harder_than_one():
    # r1c1 and r2c1 are one step and two from r3c1: half a step more than the least.
    assert points("1##\n1##\n###", "reveal r3c1") == 900 + 350 + 40


def test_the_mine_count_makes_it_harder():
    # The one mine is next to the 1, so r1c4, two steps from it, is safe.
    assert points("#1##", "reveal r1c4", mines=1) == 900 + 250 + 80


def test_each_difficulty_is_harder_than_the_one_below_by_and_large():
    middle = [
        median(puzzle.rating for puzzle in find_some(difficulty, "square", 12, seed=30))
        for difficulty in ("one", "two", "three", "four")
    ]
    assert middle == sorted(middle)
    assert all(LEAST <= one <= MOST for one in middle)
