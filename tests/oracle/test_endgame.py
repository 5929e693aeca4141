"""The search of end games against the enumeration of all strategies."""

import random
from fractions import Fraction

import pytest

from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.engine.budget import Budget
from sapper.players.endgame.perfect import perfect
from sapper.players.endgame.solve import endgame
from tests.oracle.naive_endgame import best_chances, solutions
from tests.random_positions import KINDS, random_position


def tiny_positions(kind, count, seed, most_covered=8, most_solutions=24):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = random_position(kind, rng, most_covered)
        if position.mines is not None and 0 < (position.marks < 0).sum() <= 12:
            position = position.without_flags()
            if 1 < len(solutions(position)) <= most_solutions:
                found.append(position)
    return found


def agree(position: Position) -> None:
    solved = endgame(position)
    value, moves = best_chances(position)
    assert solved.value == value, position
    # Covered cells that the search leaves out are certain mines, which are never revealed.
    assert {c: moves[c] for c in solved.moves} == dict(solved.moves), position
    assert moves[solved.best] == value, position


@pytest.mark.parametrize("kind", KINDS)
def test_values_and_moves_are_those_of_all_strategies(kind):
    for position in tiny_positions(kind, 15, seed=f"endgame {kind}"):
        agree(position)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_tiny_positions_equal_the_reference(kind):
    for position in tiny_positions(
        kind, 300, seed=f"many {kind}", most_covered=9, most_solutions=40
    ):
        agree(position)


@pytest.mark.plain
@pytest.mark.parametrize("kind", ("square", "hexagonal", "graph"))
def test_a_few_positions_as_plain_python(kind):
    for position in tiny_positions(kind, 4, seed=f"plain {kind}"):
        agree(position)


RECORDS = {
    "3x3/3": ("33/84", "33/56", "1/1"),
    "4x4/4": ("961/1820", "961/1365", "34/35"),
    "4x4/5": ("1461/4368", "1461/3003", "20/21"),
    "5x5/3": ("1798/2300", "1798/2024", "512/560"),
    "6x6/3": ("6427/7140", "6427/6545", "2921/2925"),
}


@pytest.mark.parametrize("size", RECORDS)
def test_small_boards_have_their_known_values(size):
    for promise, expected in zip(("any", "safe", "zero"), RECORDS[size], strict=True):
        assert str(perfect(Rules.parse(size, "square", promise))) == expected


@pytest.mark.slow
def test_five_by_five_with_five_mines():
    found = [
        perfect(Rules.parse("5x5/5", "square", promise), budget=Budget(300))
        for promise in ("any", "safe", "zero")
    ]
    assert [str(one) for one in found] == ["27271/53130", "27271/42504", "3500/4368"]


@pytest.mark.parametrize(
    ("tiling", "size"), [("hexagonal", "3x3/2"), ("triangular-edge", "3x2/2"), ("torus", "3x3/2")]
)
def test_perfect_play_equals_all_strategies_on_covered_boards(tiling, size):
    rules = Rules.parse(size, tiling, "any")
    position = Position.initial(rules.board, rules.mines)
    value, moves = best_chances(position)
    found = perfect(rules)
    assert found.value == value
    assert found.first == tuple(c for c in sorted(moves) if moves[c] == value)
    for cell in rules.board.cells:
        assert perfect(rules, cell).value == moves.get(cell, Fraction(0))
