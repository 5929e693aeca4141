"""The end game's search against plain enumeration of all strategies."""

import random
from fractions import Fraction

import pytest

from sapper.infer.budget import Budget
from sapper.model.frame import Frame
from sapper.model.rules import Rules
from sapper.play.endgame.frames import endgame
from sapper.play.endgame.perfect import perfect
from tests.frames import KINDS, random_frame
from tests.oracle.naive_endgame import best_chances, placements


def tiny_frames(kind, count, seed, most_blanks=8, most_placements=24):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        frame = random_frame(kind, rng, most_blanks)
        if frame.mines is not None and 0 < (frame.marks < 0).sum() <= 12:
            frame = frame.without_flags()
            if 1 < len(placements(frame)) <= most_placements:
                found.append(frame)
    return found


def agree(frame: Frame) -> None:
    solved = endgame(frame)
    value, moves = best_chances(frame)
    assert solved.value == value, frame
    # Blanks that the search leaves out are certain mines, of which no reveal is worth asking.
    assert {c: moves[c] for c in solved.moves} == dict(solved.moves), frame
    assert moves[solved.best] == value, frame


@pytest.mark.parametrize("kind", KINDS)
def test_values_and_moves_are_those_of_all_strategies(kind):
    for frame in tiny_frames(kind, 15, seed=f"endgame {kind}"):
        agree(frame)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_tiny_frames(kind):
    for frame in tiny_frames(kind, 300, seed=f"many {kind}", most_blanks=9, most_placements=40):
        agree(frame)


@pytest.mark.plain
@pytest.mark.parametrize("kind", ("square", "hexagonal", "graph"))
def test_a_few_frames_as_plain_python(kind):
    for frame in tiny_frames(kind, 4, seed=f"plain {kind}"):
        agree(frame)


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
def test_perfect_play_equals_all_strategies_on_blank_boards(tiling, size):
    rules = Rules.parse(size, tiling, "any")
    frame = Frame.blank(rules.board, rules.mines)
    value, moves = best_chances(frame)
    found = perfect(rules)
    assert found.value == value
    assert found.first == tuple(c for c in sorted(moves) if moves[c] == value)
    for cell in rules.board.cells:
        assert perfect(rules, cell).value == moves.get(cell, Fraction(0))
