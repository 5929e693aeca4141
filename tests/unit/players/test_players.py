"""Players: moves, guesses and their reasons."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle import naive
from tests.strategies import boards, layouts

from sapper import COVERED, FLAG, PLAYERS, TILINGS, Budget, Game, Position, Rules, advise
from sapper.errors import Contradiction, IllegalMove
from sapper.games.watch import MoveTally, watch
from sapper.kernels import STATUS
from sapper.players.guess import MAX_CANDIDATES, Guess, RandomGuesser, least_risk

pytestmark = pytest.mark.plain
NAMES = list(PLAYERS)


def played(game, player, first, seed=1):
    tally, row = MoveTally(), PLAYERS.find(player)
    if player == "patient":  # as plain Python every sample takes its time
        row = row.with_settings({"samples": 2})
    return list(watch(game, player=row, first=first, seed=seed, tally=tally)), tally


def advice(text, player="careful", mines=None):
    position = Position.parse(text, mines=mines)
    return advise(position, player).text(position)


def test_careful_says_where_nothing_can_tell_two_cells_apart():
    assert advice("1 2 #\n# # #", mines=2) == (
        "reveal r1c3: guess at 50% risk: pure 50/50 with r2c3: nothing can tell these two apart"
    )
    # The number of r1c4 tells whether r1c3 is a mine, although the risk is 50% too.
    assert advice("# 1 # # #", mines=2) == (
        "reveal r1c1: guess at 50% risk: no covered cell is safer, and 3 others are as safe"
    )


def test_advice_has_its_reason():
    assert advice("1 # # # #", mines=1) == "reveal r1c3: certain by the engine"
    assert advice("# # # #\n1 2 1 1", mines=2) == "reveal r1c2: strategy 7 on r2c3 and r2c4"
    # One of r1c1, r1c2 is a mine, so is one of the six others.
    expected = "reveal r1c4: guess at 25% risk: no covered cell is safer, and 3 others are as safe"
    assert advice("# # # #\n1 # # #", mines=2) == expected
    assert advice("1 # #\n# # #\n# # #") == (
        "reveal r1c2: guess at 33.3% risk: no cell next to a number is safer"
    )
    assert advice("# # #\n# # #\n# # #") == "reveal r1c1: guess, one of 9 covered cells"
    expected = "reveal r1c1: guess at 100% risk: the only cell left"
    assert advice("#", "random", mines=1) == expected
    position = Position.parse("# #")
    assert Guess(0, 1, 0.5, None).describe(position) == "guess at 50% risk"
    assert Guess(0, 1, 1e-7, (1, 0.25)).describe(position) == (
        "guess at less than 0.1% risk: the safest cell; next is r1c2 at 25%"
    )


def test_probabilities_that_tie_go_to_fewest_neighbours_then_frontier_then_lowest_index():
    position = Position.parse("# # # #\n# 1 # #\n# # # #\n# # # #")
    risk = np.where(position.marks < 0, 0.25, np.nan)
    for raised, name in (
        ([], "r1c1"),
        ([0, 3, 12, 15], "r1c2"),  # the corners
        ([1, 2], "r2c1"),  # of the sides r2c1 and r3c1 are next to the number, r2c4 is not
        ([4, 8], "r2c4"),
    ):
        risk[raised] = 0.3
        assert position.board.name(least_risk(position, risk).cell) == name
    position = Position.parse("# # #")
    probabilities = np.array([1 / 3 + 1e-15, 1 / 3, 1 / 3 - 1e-16])
    guess = least_risk(position, probabilities)
    assert (guess.cell, guess.among, guess.next_best[0]) == (0, 3, 2)
    probabilities = np.array([1 / 3 + 1e-6, 1 / 3, 1 / 3])
    assert least_risk(position, probabilities).cell == 2


def test_flagged_cells_are_no_candidates_and_the_others_are_in_the_order_of_their_risk():
    guess = least_risk(Position.parse("F####"), np.array([0.1, 0.5, 0.4, 0.3, 0.6]))
    assert (guess.cell, guess.risk, guess.among, guess.next_best) == (3, 0.3, 1, (2, 0.4))
    assert [candidate.cell for candidate in guess.candidates] == [3, 2, 1, 4]
    wide = least_risk(Position.parse("#" * 60), np.linspace(0.9, 0.1, 60))
    assert [c.cell for c in wide.candidates] == list(range(59, 59 - MAX_CANDIDATES, -1))


def test_flags_are_trusted_on_request_only():
    position = Position.parse("# 1 # #", mines=1)
    agent = PLAYERS.find("careful").start(position, 0)
    agent.update({3: FLAG})
    assert agent.choose(Budget().start()).text(position) == "unflag r1c4: certain by the engine"
    agent.update({3: COVERED})
    assert agent.choose(Budget().start()).text(position) == "reveal r1c4: certain by the engine"
    position = Position.parse("# 1 F # #", mines=2)
    assert advise(position, trust_flags=True).text(position) == "reveal r1c1: strategy 2 on r1c2"
    assert not advise(position).certain
    with pytest.raises(Contradiction):
        advise(Position.parse("F 1 F #", mines=2), trust_flags=True)


def test_advice_without_a_cell_to_reveal_is_an_error():
    with pytest.raises(IllegalMove, match="every cell is revealed or a certain mine"):
        advise(Position.parse("1 #", mines=1))
    with pytest.raises(IllegalMove):
        advise(Position.parse("0 0", mines=0), "random")


def test_random_guesses_come_from_the_documented_generator():
    position = Position.initial(Rules.parse("5x5/5").board)
    words = naive.random_words(7 ^ 0x706C61796572)
    guesser = RandomGuesser(7)
    for _ in range(50):
        assert guesser.guess(position).cell == naive.below(words, 25)


@pytest.mark.parametrize("name", NAMES)
def test_every_player_ends_its_games_on_every_tiling(name):
    # Roll-outs in plain Python take long.
    slow = name == "patient" and STATUS != "compiled"
    for tiling, seed in product(TILINGS, range(1 if slow else 3)):
        rules = Rules.parse("6x5/6", tiling, "safe")
        game = Game.new(rules, seed)
        steps, tally = played(game, name, rules.board.middle, seed)
        assert game.over and tally.moves == len(steps)
        assert all(game.layout.mine_mask[s.move.cell] for s in steps if s.move.action == "flag")
        if game.outcome == "lost":
            assert steps[-1].reason.by == "guess"


@given(layouts(boards(3)), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_careful_player_moves_as_counting_solutions_says(layout, random):
    """Compare every reveal with the reference: a certain one if there is any, else its guess."""
    safe = [c for c in layout.board.cells if not layout.mine_mask[c]]
    if not safe:
        return
    position = None
    for step in watch(
        Game.from_layout(layout), player="careful", first=random.choice(safe), seed=0
    ):
        if step.move.action == "reveal" and position is not None:
            solutions = naive.counted_solutions(position)
            risk = naive.probabilities(position, solutions)
            if 0 in risk.values():
                assert risk[step.move.cell] == 0
                assert step.reason.by != "guess"
            else:
                assert step.move.cell == naive.careful_guess(position, solutions)
                assert step.reason.risk == pytest.approx(float(risk[step.move.cell]))
        position = step.position


@pytest.mark.parametrize("name", ["careful", "human"])
@pytest.mark.parametrize("tiling", TILINGS)
def test_playthroughs_match_the_golden_files(golden, name, tiling):
    game = Game.new(Rules.parse("8x6/9", tiling, "safe"), 5)
    steps, tally = played(game, name, 0, 5)
    lines = [*(step.text for step in steps), str(game.position), tally.summary(game)]
    golden(f"watch/{tiling}-player-{name}.txt", "\n".join(lines) + "\n")
