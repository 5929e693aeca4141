"""Reviews by win chance: against every layout of small boards, sums, chords, budgets and ends."""

from math import sqrt

import numpy as np
import pytest
from tests.sessions import all_layouts, in_python, played_game, random_session, session_on, wins_of

from sapper import Budget, Game, Layout, Move, OutOfBudget, RulesError, review
from sapper.games.play_many import Z_95
from sapper.games.win_estimates import WinChance
from sapper.games.win_review import MoveWinReview, WinReview, _error, _stratified_mean, win_review
from sapper.serialize.games import review_json, review_lines, win_line

SAMPLES = 400


def win_chances(move):
    """Return the win chances of `careful` before and after a reviewed move, over every layout."""
    player, position = in_python("careful"), move.position.without_flags()
    rows = all_layouts(position)
    before = wins_of(player, position, rows).mean()
    if move.move.action == "reveal":
        return before, wins_of(player, position, rows, move.move.cell).mean()
    wins = 0
    for row in rows:  # make the chord on each layout, and continue from what it shows
        game = Game.from_layout(Layout(position.board, row))
        for cell in move.position.flags.tolist():
            game.play(Move("flag", cell))
        for cell in position.revealed.tolist():
            if game.position.marks[cell] < 0:
                game.play(Move("reveal", cell))
        game.play(move.move)
        if game.over:
            wins += game.outcome == "won"
        else:
            wins += wins_of(player, game.position.without_flags(), row[None]).sum()
    return before, wins / len(rows)


def check_against_every_layout(session):
    game_review = review(session)
    win = win_review(game_review, player="careful", samples=SAMPLES, seed=3)
    deviation = variance = 0.0
    for move, estimate in zip(game_review.moves, win.moves, strict=True):
        before, after = win_chances(move)
        cost = before - after
        if move.move_class == "certain":
            assert before == pytest.approx(after, abs=1e-12)  # a certain move costs nothing
            assert estimate.cost == 0
        else:
            error = sqrt(max(before * (1 - before), 0.01) / SAMPLES)
            assert abs(estimate.before - before) < 4.5 * error
            least_error = 0.2 / sqrt(SAMPLES)
            assert abs(estimate.cost - cost) < 4.5 * max(estimate.error, least_error)
        deviation += estimate.cost - cost
        variance += estimate.error**2
    assert win.error == pytest.approx(sqrt(variance))
    assert abs(deviation) < 4.5 * max(win.error, 0.01)
    return game_review


def test_costs_agree_with_every_layout():
    classes_and_actions = set()
    for seed in (4, 5, 11):
        game_review = check_against_every_layout(random_session(seed))
        classes_and_actions |= {(move.move_class, move.move.action) for move in game_review.moves}
    assert {move_class for move_class, _ in classes_and_actions} >= {
        "certain",
        "only-guess",
        "mistake",
    }
    flags = ("flag r1c1", "flag r2c1", "flag r1c2")
    session = session_on("**..\n*...\n....", "reveal r1c4", *flags, "chord r2c2")
    game_review = check_against_every_layout(session)
    assert game_review.moves[-1].move.action == "chord" and 0 < game_review.moves[-1].risk < 1


def test_chord_that_must_lose_costs_the_whole_win_chance():
    events = ("reveal r1c1", "flag r1c5", "flag r2c5", "chord r2c4")
    game_review = review(session_on("...*.\n.....\n....*", *events))
    move = game_review.moves[-1]
    estimate = win_review(game_review, player="careful", samples=50).moves[-1]
    assert (move.move.action, move.risk, estimate.after) == ("chord", 1.0, 0.0)
    assert (estimate.cost, estimate.luck, estimate.severity) == (estimate.before, 0.0, "blunder")


def test_result_minus_start_is_luck_minus_cost():
    for seed, player in [(2, "random"), (3, "careful"), (4, "careful")]:
        game_review = review(played_game("16x16/40", seed, player))
        win = win_review(game_review, samples=40)
        inner = win.moves[1:]
        assert win.moves[0] == MoveWinReview()  # the rule keeps the first click safe
        assert [a.after for a in inner[:-1]] == [b.before for b in inner[1:]]
        result = float(game_review.outcome == "won")
        assert (win.start, win.end) == (inner[0].before, result)
        total = sum(estimate.luck for estimate in inner) - sum(estimate.cost for estimate in inner)
        assert total == pytest.approx(result - win.start, abs=1e-12)
        assert (win.luck - win.cost) == pytest.approx(result - win.start, abs=1e-12)
        assert win.cost == pytest.approx(sum(estimate.cost for estimate in inner), abs=1e-12)


def test_moves_of_the_reference_player_cost_nothing():
    game_review = review(played_game("16x16/50", 0, "learned"))
    assert any(move.move_class != "certain" for move in game_review.moves)
    win = win_review(game_review, player="learned", samples=30)
    assert (win.cost, win.error, win.player, win.samples) == (0, 0, "learned", 30)
    assert {estimate.severity for estimate in win.moves} == {None}


def test_certain_moves_between_estimates_are_interpolated():
    game_review = review(played_game("16x16/40", 4, "careful"))
    win = win_review(game_review, samples=40)
    steps = [estimate.after - estimate.before for estimate in win.moves[1:11]]
    assert all(move.move_class == "certain" for move in game_review.moves[:12])
    # The first estimates are at the start and before the tenth certain move.
    assert steps[:9] == pytest.approx([steps[0]] * 9) and steps[9] != pytest.approx(steps[0])


def test_moves_after_a_loss_or_an_undo_do_not_count():
    session = session_on("*..\n...\n..*", "reveal r1c1", "undo", "reveal r2c2")
    win = win_review(review(session), player="careful", samples=50)
    assert (win.moves[0].after, win.end, win.moves[1]) == (0.0, 0.0, MoveWinReview())
    assert win.start + win.luck - win.cost == pytest.approx(0)
    session = session_on("*..\n...\n..*", "reveal r2c2", "undo", "reveal r1c1")
    win = win_review(review(session), player="careful", samples=50)
    assert win.end == win.moves[0].after > 0 and win.moves[1] == MoveWinReview()


def test_game_won_or_lost_by_its_first_click_has_no_chain():
    game = Game.new("2x2/3", 1, "r1c1", rule="safe")
    win = win_review(review(game), samples=10)
    assert (win.start, win.end, win.cost, win.luck) == (1.0, 1.0, 0.0, 0.0)
    empty = win_review(review(Game.new("beginner", 1)), samples=10)
    assert (empty.moves, empty.start, empty.luck) == ((), None, None)
    assert "not known" in win_line(empty)


def test_ended_budget_gives_none_and_a_cancelled_review_an_error(cancelled):
    game_review = review(played_game("16x16/40", 4, "careful"))
    win = win_review(game_review, samples=10, budget=Budget(seconds=1e-9))
    assert {estimate.before for estimate in win.moves[:-1]} == {None} and win.luck is None
    assert (win.moves[-1].after, win.end) == (win.end, float(game_review.outcome == "won"))
    assert review_json(game_review, win)["win_luck"] is None
    with pytest.raises(OutOfBudget):
        win_review(game_review, samples=10, cancel=cancelled)
    with pytest.raises(RulesError):
        win_review(game_review, samples=0)


def test_severity_follows_the_thresholds_unless_it_may_be_noise():
    for cost, error, severity in [
        (0.019, 0.0, None),
        (0.02, 0.01, "inaccuracy"),
        (0.02, 0.011, None),
        (0.05, 0.01, "mistake"),
        (0.10, 0.01, "blunder"),
        (0.10, 0.06, None),
        (-0.3, 0.0, None),
        (None, 0.0, None),
    ]:
        assert MoveWinReview(0.5, 0.4, cost, error).severity == severity


def test_json_and_text_have_costs_and_luck():
    game_review = review(played_game("16x16/40", 2, "random"))
    win = win_review(game_review, samples=40)
    answer = review_json(game_review, win)
    keys = ("win_before", "win_after", "win_cost", "win_luck", "severity")
    for move, estimate in zip(answer["moves"], win.moves, strict=True):
        assert [move[key] for key in keys] == [
            estimate.before, estimate.after, estimate.cost, estimate.luck, estimate.severity
        ]  # fmt: skip
    assert (answer["win_cost"], answer["win_luck"]) == (win.cost, win.luck)
    worst = max(range(1, len(win.moves)), key=lambda i: win.moves[i].cost)
    assert win.moves[worst].severity == "blunder"
    line = next(x for x in review_lines(game_review, win) if x.startswith(f"{worst + 1}. "))
    assert f"blunder (-{100 * win.moves[worst].cost:.1f} points of win chance)" in line
    without = review_json(game_review)
    assert {without["win_cost"], without["moves"][1]["win_before"]} == {None}
    even = WinReview((), 0.25, 1.0, -0.0001, 0.0, "careful", 9)
    assert win_line(even) == (
        "win chance by careful: from 25.0% to 100.0%; +0.0 (±0.0) by choices, +75.0 by luck"
    )


def test_standard_error_of_a_win_chance_is_that_of_its_interval():
    chance = WinChance(0.5, 0.5 - 0.03 * Z_95, 0.5 + 0.03 * Z_95, 100, False, None, "careful")
    assert _error(chance) == pytest.approx(0.03)


def test_stratified_mean_does_not_depend_on_how_often_a_mine_was_sampled():
    at_mine, elsewhere = np.array([1.0, 3.0]), np.array([5.0, 6.0, 7.0])
    values = np.concatenate([at_mine, elsewhere])
    mine = np.array([True] * 2 + [False] * 3)
    mean, error = _stratified_mean(values, mine, 0.25)
    assert mean == pytest.approx(0.25 * 2 + 0.75 * 6)
    assert error == pytest.approx(sqrt(0.25**2 * 2 / 2 + 0.75**2 * 1 / 3))
    # Too few samples with a mine: all are taken together.
    mine[0] = False
    mean, error = _stratified_mean(values, mine, 0.25)
    assert mean == pytest.approx(values.mean())
    assert error == pytest.approx(values.std(ddof=1) / sqrt(5))
