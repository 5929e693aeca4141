"""Win chances: against every layout of small positions, exact values, moves and bad input."""

from fractions import Fraction

import numpy as np
import pytest
from tests.sessions import all_layouts, in_python, wins_of

from sapper import FLAG, PLAYERS, Game, Move, Position, endgame, perfect, sample, tiling
from sapper.engine.budget import Budget
from sapper.errors import Contradiction, IllegalMove, OutOfBudget, RulesError
from sapper.games.win_chance import (
    FIRST_SAMPLES,
    add_win_chances,
    refine_move_win_chances,
    refine_win_chance,
    win_chance,
)
from sapper.games.win_estimates import BLOCK_SAMPLES, default_player
from sapper.players.guess import Candidate, Guess


def position_of(size, tiling_name, seed):
    """Return the position after the first click of a game."""
    game = Game.new(size, seed, rule="safe", tiling=tiling_name)
    game.play(Move("reveal", len(game.board) // 2))
    return game.position


SMALL_POSITIONS = pytest.mark.parametrize(
    ("tiling_name", "seed"), [("square", 7), ("torus", 2), ("hexagonal", 3), ("triangular", 5)]
)


@pytest.mark.parametrize("player", ["careful", "thoughtful"])
@SMALL_POSITIONS
def test_estimate_agrees_with_the_player_on_every_layout(tiling_name, seed, player):
    position = position_of("4x3/3", tiling_name, seed)
    won = wins_of(in_python(player), position, all_layouts(position)).mean()
    found = win_chance(position, player=player, samples=4000, seed=1)
    assert abs(found.value - won) < 4 * np.sqrt(max(won * (1 - won), 1e-4) / 4000)
    assert found.low <= found.value <= found.high
    assert (found.samples, found.exact, found.fraction, found.player) == (4000, False, None, player)


@pytest.mark.parametrize("player", ["random", "careful", "thoughtful", "learned", "shrewd"])
@pytest.mark.parametrize("tiling_name", ["square", "hexagonal"])
def test_kernel_finishes_games_as_the_python_player_does(tiling_name, player):
    position = position_of("8x8/12", tiling_name, 4)
    rows = sample(position, 8, seed=3)
    for i, row in enumerate(rows):  # game i has the random stream of seed + i
        compiled = wins_of(PLAYERS[player], position, row[None], seed=i)
        assert compiled == wins_of(in_python(player), position, row[None], seed=i)
    if player != "random":
        together = wins_of(PLAYERS[player], position, rows)
        assert together.tolist() == wins_of(in_python(player), position, rows).tolist()


def test_exact_values_are_those_of_perfect_play():
    for rules in ["3x3/2", "4x3/3", "4x4/3"]:
        found = win_chance(Game.new(rules, 1).position)
        assert found.fraction == perfect(rules, rule="any").value
        assert (found.exact, found.player, found.samples) == (True, "perfect", 0)
        assert found.low == found.value == found.high == float(found.fraction)


def test_moves_are_compared_on_the_same_layouts():
    position = position_of("9x9/20", "square", 3)
    covered = position.covered.tolist()
    cells = [*covered[:6], position.board.name(covered[6])]
    found = win_chance(position, moves=cells, player="careful", samples=800, seed=2)
    values = [move.win_chance.value for move in found]
    assert sorted(values, reverse=True) == values
    assert {move.cell for move in found} == set(covered[:7])
    assert (found[0].behind, found[0].error) == (0.0, 0.0)
    for move in found[1:]:
        alone = win_chance(position, moves=[move.cell], player="careful", samples=800, seed=2)
        assert alone[0].win_chance == move.win_chance
        assert move.behind == pytest.approx(values[0] - move.win_chance.value, abs=1e-12)
        # Paired: less than the errors of two independent estimates together.
        width = move.win_chance.high - move.win_chance.low
        first = found[0].win_chance
        assert 0 <= move.error < np.hypot(width, first.high - first.low) / 3.92 * 1.05


@SMALL_POSITIONS
def test_win_chances_of_moves_agree_with_every_layout(tiling_name, seed):
    position = position_of("4x3/3", tiling_name, seed)
    rows = all_layouts(position)
    cells = position.covered.tolist()[:2]
    for move in win_chance(position, moves=cells, player="careful", samples=3000, seed=5):
        safe = rows[~rows[:, move.cell]]
        won = wins_of(in_python("careful"), position, safe, move.cell).sum() / len(rows)
        assert move.risk == pytest.approx(rows[:, move.cell].mean())
        assert abs(move.win_chance.value - won) < 4 * max(np.sqrt(won * (1 - won) / 3000), 1e-3)


def test_interval_of_a_move_is_bounded_by_its_risk():
    position = Position.parse("# 1 . .\n2 2 . .\n# # # #\n# # # #", mines=6)
    found = win_chance(position, moves=["r1c1"], player="careful", samples=100)[0]
    assert (found.risk, found.win_chance.value, found.win_chance.high) == (1.0, 0.0, 0.0)
    position = Position.parse("# # # # #", mines=4)
    for seed in range(8):
        (move,) = win_chance(position, moves=[0], player="careful", samples=1, seed=seed)
        assert move.win_chance.value or move.win_chance.low == 0.0
        assert move.win_chance.high == pytest.approx(0.2)


def test_threads_and_repetitions_give_the_same_estimate():
    position = position_of("16x16/40", "square", 9)
    one = win_chance(position, samples=3 * BLOCK_SAMPLES + 7, seed=4)
    assert win_chance(position, samples=3 * BLOCK_SAMPLES + 7, seed=4, threads=3) == one
    assert win_chance(position, samples=3 * BLOCK_SAMPLES + 7, seed=5) != one


def test_refined_estimates_have_more_and_more_samples():
    position = position_of("16x16/40", "square", 9)
    found = list(refine_win_chance(position, samples=4 * BLOCK_SAMPLES, seed=4))
    samples = [
        FIRST_SAMPLES,
        BLOCK_SAMPLES,
        2 * BLOCK_SAMPLES,
        3 * BLOCK_SAMPLES,
        4 * BLOCK_SAMPLES,
    ]
    assert [estimate.samples for estimate in found] == samples
    assert found[-1] == win_chance(position, samples=4 * BLOCK_SAMPLES, seed=4)
    narrow = list(refine_win_chance(position, width=found[1].high - found[1].low, seed=4))
    assert narrow == found[:2]
    position = position_of("16x16/40", "square", 9)
    moves = position.covered[:3].tolist()
    *_, last = refine_move_win_chances(position, moves, samples=2 * BLOCK_SAMPLES, seed=4)
    assert last == win_chance(position, moves=moves, samples=2 * BLOCK_SAMPLES, seed=4)


def test_moves_of_an_end_game_are_exact():
    position = Position.parse("# # # # #\n# 2 1 2 #\n# # # # #", mines=4)
    cells = position.covered.tolist()
    (rows,) = refine_move_win_chances(position, cells)
    assert rows == win_chance(position, moves=cells)
    assert rows[0].win_chance == win_chance(position)
    solved = endgame(position)
    for move in rows:
        assert move.win_chance.fraction == solved.moves.get(move.cell, 0)
        assert move.behind == pytest.approx(float(solved.value) - move.win_chance.value)


def test_candidates_of_a_guess_get_win_chances_with_their_errors():
    position = position_of("6x6/8", "square", 3)
    cells = [int(cell) for cell in position.covered[:2]]
    guess = Guess(cells[0], 0.2, candidates=tuple(Candidate(cell, 0.2) for cell in cells))
    options = {"samples": 400, "seed": 1}
    found = add_win_chances(guess, position, **options, trust_flags=False, budget=Budget())
    moves = win_chance(position, moves=cells, **options)
    for candidate, move in zip(found.candidates, moves, strict=True):
        chance = move.win_chance
        assert (candidate.cell, candidate.rate) == (move.cell, chance.value)
        assert candidate.samples == chance.samples == 400
        assert candidate.error == pytest.approx((chance.high - chance.low) / 2 / 1.96, rel=1e-3)


def test_kernel_and_python_agree_where_a_zero_has_a_covered_neighbour():
    position = Position.parse("# . . 1 #\n# 1 2 # #\n# # # # #", mines=3)
    rows = all_layouts(position)
    for cell in (-1, 0, 4):
        players = (PLAYERS["careful"], in_python("careful"))
        compiled, python = (wins_of(player, position, rows, cell) for player in players)
        assert compiled.tolist() == python.tolist() and compiled.any()


def test_flags_are_ignored_unless_trusted():
    position = Position.parse("# 1 # # #\n1 1 # # #\n# # # # #", mines=4)
    wrong = position.with_marks({position.board.cell("r3c5"): FLAG})
    assert win_chance(wrong) == win_chance(position)
    assert win_chance(wrong, trust_flags=True) != win_chance(position)


def test_bad_input_is_reported_in_one_line():
    for text, mines, options, error, message in [
        ("# 1 #", None, {}, RulesError, "a win chance needs the mine count"),
        ("# 3 #", 1, {}, Contradiction, "impossible position"),
        ("1 1", 0, {}, Contradiction, ""),
        (". .", 0, {}, IllegalMove, "no win chance: every safe cell is revealed"),
        ("# 1 #", 1, {"samples": 0}, RulesError, "expected 1 to 10,000,000 samples, got 0"),
        ("# 1 #", 1, {"threads": 0}, RulesError, "expected at least 1 thread, got 0"),
        ("# 1 #", 1, {"seed": -1}, RulesError, "expected a seed from 0"),
        ("# 1 #", 1, {"moves": ["r1c2"]}, IllegalMove, "expected a covered cell, got r1c2"),
    ]:
        with pytest.raises(error) as raised:
            win_chance(Position.parse(text, mines=mines), **options)
        assert message in str(raised.value) and "\n" not in str(raised.value)


def test_ended_budget_gives_fewer_samples_or_an_error(cancelled):
    position = position_of("30x16/99", "square", 5)
    with pytest.raises(OutOfBudget):
        win_chance(position, samples=10**6, cancel=cancelled)
    found = win_chance(position, samples=10**6, budget=Budget(seconds=0.3))
    assert BLOCK_SAMPLES <= found.samples < 10**6


def test_default_player_fits_the_board():
    assert default_player(tiling("square", 30, 16)).name == "learned"
    assert default_player(tiling("hexagonal", 30, 16)).name == "thoughtful"
    assert default_player(tiling("hexagonal", 100, 100)).name == "careful"
    assert Fraction(1, 2) == win_chance(Position.parse("# 1 #", mines=1)).fraction
