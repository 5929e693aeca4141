"""The player `thoughtful`: shapes of fifty-fifties, guesses and explanations."""

from fractions import Fraction
from itertools import combinations, islice, permutations
from math import inf, nan

import pytest
from tests.boards import star

import sapper
from sapper import Board, NotationError, Position, RulesError, tiling
from sapper.games.campaign import Campaign
from sapper.kernels import view
from sapper.kernels.players.fifty_fifty import FiftyFiftyShapes
from sapper.players.guess import FiftyFifty, GuessFact
from sapper.players.registry import PLAYERS
from sapper.players.thoughtful import ThoughtfulSettings, thoughtful_guesser, two_steps_away
from sapper.sentences import plain_text

NO_END_GAME = ThoughtfulSettings(end_game=0, thin_end_game=0.0, apart=False)


def shape(one, other, enablers):
    """Return a shape from the names of its cells."""
    sides = frozenset(frozenset(side.split()) for side in (one, other))
    return sides, frozenset(enablers.split())


def shapes_of(board, max_enablers=3):
    """Return every shape as sets of names: one side, the other, the enablers."""
    shapes = FiftyFiftyShapes(view(board.offsets), view(board.neighbours), max_enablers)
    found = set()
    for i in range(shapes.count):
        cells = [int(shapes.cell[4 * i + j]) for j in range(4)]
        start, stop = shapes.enabler_start[i], shapes.enabler_start[i + 1]
        enablers = [int(shapes.enabler[j]) for j in range(start, stop)]
        groups = [[c for c in side if c >= 0] for side in (cells[:2], cells[2:], enablers)]
        found.add(shape(*(" ".join(map(board.name, group)) for group in groups)))
    assert len(found) == shapes.count
    return found


def test_fifty_fifty_shapes_and_their_enablers():
    enablers = "r3c3 r4c3 r5c3 r3c6 r4c6 r5c6"
    assert shape("r4c4", "r4c5", enablers) in shapes_of(tiling("square", 8, 8))
    corners = "r3c3 r3c6 r6c3 r6c6"
    assert shape("r4c4 r5c5", "r4c5 r5c4", corners) in shapes_of(tiling("square", 8, 8))
    board = Board.from_edges([("a", "h"), ("b", "h"), ("h", "x")])
    assert shape("a", "b", "") in shapes_of(board)
    assert not shapes_of(Board.from_edges(combinations([f"v{i}" for i in range(80)], 2)))
    assert not shapes_of(star(80))


def test_two_steps_away_is_two_cells_along_a_row_or_column():
    board = tiling("square", 9, 9)
    start, cells = two_steps_away(board)
    middle = board.cell("r5c5")
    names = [board.name(int(c)) for c in cells[start[middle] : start[middle + 1]]]
    assert names == ["r3c5", "r5c3", "r5c7", "r7c5"]


def test_unavoidable_fifty_fifty_is_guessed_at_once():
    path = [(f"p{i}", f"p{i + 1}") for i in range(8)]
    board = Board.from_edges([("a", "h"), ("b", "h"), *path])
    position = Position.initial(board, 4).with_marks({board.cell("h"): 1})
    guess = thoughtful_guesser(NO_END_GAME).guess(position)
    assert board.name(guess.cell) == "a" and guess.risk == pytest.approx(0.5)
    assert guess.fifty_fifties == (FiftyFifty((0,), (2,), (), pytest.approx(1.0)),)
    text = plain_text(guess.explanation, board.names)
    assert text == "safe, or half of a 50/50 with b that nothing can avoid"
    apart = thoughtful_guesser(ThoughtfulSettings()).guess(position)
    assert apart.facts == (GuessFact("part", own=0.5),)


def test_cell_of_least_risk_is_called_the_safest():
    position = Position.initial(tiling("torus", 16, 16), 40)
    assert sapper.advise(position, "thoughtful").reason.facts == (GuessFact("safest"),)


def test_end_game_has_its_value_and_the_other_candidates():
    position = Position.parse(".1###\n133##\n#3#2#\n#####", mines=6)
    guess = sapper.advise(position, "thoughtful").reason
    assert str(guess.value) == "8/11" and guess.candidates[0].value == guess.value
    assert guess.risk == pytest.approx(2 / 11)
    assert [str(other.value) for other in guess.candidates[1:3]] == ["8/11", "7/11"]


def test_safest_cell_is_guessed_where_no_cell_gives_information():
    # Covered cells touch numbers only, so each shows a zero. The solutions are bd, be and ac.
    edges = ["ha", "hb", "ib", "ic", "jc", "jd", "je"]
    for order in islice(permutations("abcde"), 0, None, 5):
        board = Board.from_edges(map(tuple, edges), cells=[*order, *"hij"])
        position = Position.of(board, dict.fromkeys("hij", 1), mines=2)
        guess = sapper.advise(position, "thoughtful").reason
        assert guess.risk == pytest.approx(1 / 3) and guess.value == Fraction(1, 3)
        assert board.name(guess.cell) == next(name for name in order if name != "b")


def test_mine_count_and_trusted_flags_are_respected():
    position = Position.parse("1 # #\n1 # #\n# # 2")
    assert sapper.advise(position, "thoughtful").move == sapper.advise(position, "careful").move
    position = Position.parse("F 1 # # #", mines=2)
    advice = sapper.advise(position, "thoughtful", trust_flags=True)
    assert advice.certain and advice.move.cell == 2


def test_settings_change_the_games_and_are_checked():
    usual = ThoughtfulSettings()
    changed = usual.replace({"blend": 1, "coin_tosses": False})
    assert repr((changed.blend, changed.coin_tosses)) == "(1.0, False)"
    for wrong in ({"weight": 1.0}, {"nodes": 0.5}):
        with pytest.raises((NotationError, RulesError)):
            usual.replace(wrong)
    for name, value in (("progress", inf), ("blend", nan), ("nodes", 10**20)):
        with pytest.raises(NotationError, match=rf"^{name}: expected from 0 to 1e9, got "):
            usual.replace({name: value})
    with pytest.raises(NotationError, match=r"^apart: expected true or false, got 1$"):
        ThoughtfulSettings(apart=1)
    player = PLAYERS["thoughtful"].with_settings({"look_ahead": False})
    assert "look_ahead=False" in str(Campaign.of("9x9/14", player, 5, 1))
