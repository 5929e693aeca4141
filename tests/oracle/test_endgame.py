"""The search of end games against the enumeration of all strategies."""

import random
from fractions import Fraction

import pytest

from sapper import Board, Budget, OutOfBudget, Position, Rules, endgame, perfect
from tests.oracle.naive import counted_solutions
from tests.oracle.naive_endgame import best_chances
from tests.random_positions import KINDS, random_position
from tests.sampling import cases


@pytest.mark.plain
@pytest.mark.parametrize("kind", KINDS)
def test_values_and_moves_are_those_of_all_strategies(kind):
    rng, count = random.Random(f"endgame {kind}"), cases(15, plain=2)
    while count:
        position = random_position(kind, rng, max_covered=8).without_flags()
        if position.mines is None or not 0 < len(position.covered) <= 12:
            continue
        if 1 < len(counted_solutions(position)) <= 24:
            solved = endgame(position)
            value, moves = best_chances(position)
            assert solved.value == moves[solved.best] == value, position
            # Covered cells that the search leaves out are certain mines, which are never revealed.
            assert {c: moves[c] for c in solved.moves} == dict(solved.moves), position
            count -= 1


def test_independent_parts_are_solved_one_by_one():
    # Together they have 2**40 solutions.
    edges = [(f"hub{i}", f"leaf{i}{side}") for i in range(40) for side in "ab"]
    numbers = {f"hub{i}": 1 for i in range(40)}
    solved = endgame(Position.of(Board.from_edges(edges), numbers, mines=40))
    assert solved.value == Fraction(1, 2**40)


@pytest.mark.parametrize(
    ("size", "problem"),
    [
        ("9x9/10", r"needs more than 2 GB: a list of 1,878,392,407,320 solutions; for more memory"),
        (
            "30x30/200",
            r"about 10\^206 solutions are too many to search; for an estimate use win_ch",
        ),
    ],
)
def test_error_for_a_large_end_game_states_how_many_solutions_it_has(size, problem):
    rules = Rules.parse(size)
    with pytest.raises(OutOfBudget, match=problem):
        endgame(Position.initial(rules.board, rules.mines))


@pytest.mark.parametrize(
    ("size", "values"),
    [
        ("3x3/3", ["33/84", "33/56", "1/1"]),
        ("4x4/4", ["961/1820", "961/1365", "34/35"]),
        ("4x4/5", ["1461/4368", "1461/3003", "20/21"]),
        ("5x5/3", ["1798/2300", "1798/2024", "512/560"]),
        ("6x6/3", ["6427/7140", "6427/6545", "2921/2925"]),
        pytest.param("5x5/5", ["27271/53130", "27271/42504", "3500/4368"], marks=pytest.mark.slow),
    ],
)
def test_small_boards_have_their_known_values(size, values):
    games = [Rules.parse(size, "square", rule) for rule in ("any", "safe", "zero")]
    assert [str(perfect(rules, budget=Budget(300))) for rules in games] == values


def test_perfect_play_equals_all_strategies_on_covered_boards():
    for tiling, size in [("hexagonal", "3x3/2"), ("triangular-edge", "3x2/2"), ("torus", "3x3/2")]:
        rules = Rules.parse(size, tiling, "any")
        position = Position.initial(rules.board, rules.mines)
        value, moves = best_chances(position)
        best = perfect(rules)
        assert best.value == value
        assert best.first == tuple(c for c in sorted(moves) if moves[c] == value)
        for cell in rules.board.cells:
            assert perfect(rules, cell).value == moves.get(cell, Fraction(0))
