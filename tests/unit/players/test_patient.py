"""The player `patient`: limits of its rollouts, reproducible answers, explanations."""

from itertools import count

import numpy as np
import pytest
from tests.error_messages import assert_refused

import sapper
from sapper import FLAG, NotationError, OutOfBudget
from sapper.engine import workspace
from sapper.engine.budget import Budget
from sapper.players import rollouts
from sapper.players.patient import (
    PatientGuesser,
    PatientSettings,
    explain_rollouts,
    make_rollout_state,
)
from sapper.players.rollouts import Comparison
from sapper.players.thoughtful import ThoughtfulSettings, thoughtful_guesser

# An open position of a 9x9 board: too many solutions to search them all.
COVERED_ROW = "#########\n"
POSITION = sapper.Position.parse(
    3 * COVERED_ROW + "###223###\n###1.1###\n###11111#\n" + 3 * COVERED_ROW, mines=18
)


def flag_certain_mines(position):
    """Flag the certain mines of a position, as an agent does before it asks its guesser."""
    analysis = sapper.analyse(position)
    assert not len(analysis.safe_cells)
    return position.with_marks(dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG))


def guess(settings, position=POSITION, **limits):
    return PatientGuesser(settings).guess(flag_certain_mines(position), Budget(**limits).start())


def without_networks(**settings):
    """Return settings without networks, so that these tests do not depend on the weights."""
    return PatientSettings(
        network=False, **{"inner": "careful", "first_error": 0.05, "least_gain": 0.0, **settings}
    )


def test_every_candidate_is_shown_with_its_rate_error_and_samples():
    answer = guess(without_networks(samples=60, candidates=6))
    assert answer.candidates[0].cell == answer.cell and len(answer.candidates) == 6
    for candidate in answer.candidates:
        assert 0 < candidate.rate < 1 and 0 < candidate.error < 0.2 and candidate.samples >= 50
    kinds = {fact.kind for fact in answer.facts}
    assert kinds & {"about_equal", "all_about_equal", "wins_most", "wins_more"}
    first = thoughtful_guesser(ThoughtfulSettings()).guess(flag_certain_mines(POSITION))
    assert first.cell in {candidate.cell for candidate in answer.candidates}


def test_same_position_and_samples_give_the_same_answer():
    settings = without_networks(samples=40)
    one, two = guess(settings), guess(settings)
    # The states are reused: another position in between must not change the answer.
    guess(settings, POSITION.with_marks({80: 1}))
    assert one == two == guess(settings)
    few, many = (guess(without_networks(samples=n, candidates=2)) for n in (25, 400))
    assert (few.candidates[0].samples, many.candidates[0].samples) == (25, 400)
    assert many.candidates[0].error < few.candidates[0].error / 2


def test_rollouts_end_when_more_of_them_would_gain_too_little():
    all_samples, fewer = (
        guess(without_networks(samples=400, least_gain=gain)).candidates for gain in (0.0, 0.002)
    )
    assert all(candidate.samples == 400 for candidate in all_samples)
    assert 0 < min(candidate.samples for candidate in fewer) < 400
    # Nothing could gain a whole win.
    first = thoughtful_guesser(ThoughtfulSettings()).guess(flag_certain_mines(POSITION))
    assert guess(without_networks(least_gain=1.0)) == first


def test_a_first_choice_that_is_hardly_ever_wrong_is_kept():
    first = thoughtful_guesser(ThoughtfulSettings()).guess(flag_certain_mines(POSITION))
    assert guess(without_networks(first_error=0.05)).cell != first.cell
    assert guess(without_networks(first_error=1e-4)).cell == first.cell
    assert guess(without_networks(first_error=0.05, least_lead=0.1)).cell == first.cell


@pytest.mark.parametrize(
    ("seconds", "limit", "expected_seconds"), [(20.0, 600, 20.0), (1000.0, 30, 30.0)]
)
def test_rollouts_end_after_their_seconds_or_at_the_limit(
    monkeypatch, seconds, limit, expected_seconds
):
    # A clock that advances by a tenth of a second at each call.
    ticks = count()
    monkeypatch.setattr(rollouts, "monotonic", lambda: next(ticks) / 10)
    answer = guess(without_networks(seconds=seconds), seconds=limit)
    assert next(ticks) / 10 == pytest.approx(expected_seconds, rel=0.1)
    assert answer.candidates[0].samples > 100


def test_rollouts_can_be_watched_ended_early_and_cancelled(monkeypatch, cancelled):
    guesser = PatientGuesser(without_networks(seconds=100.0))
    seen = []
    original_drop = Comparison.drop

    def drop(self, least_gain):
        original_drop(self, least_gain)
        if not self.samples:
            return
        seen.append(guesser.progress)
        if len(seen) == 3:
            guesser.finish_early()

    monkeypatch.setattr(Comparison, "drop", drop)
    answer = guesser.guess(flag_certain_mines(POSITION), Budget(seconds=200).start())
    assert len(seen) == 3 and guesser.progress is None
    assert seen[-1].samples < answer.candidates[0].samples + 1
    assert seen[-1].first in {candidate.cell for candidate in seen[-1].results}
    guesser, limit = PatientGuesser(without_networks()), Budget().start(cancelled)
    with pytest.raises(OutOfBudget, match="cancelled"):
        guesser.guess(flag_certain_mines(POSITION), limit)


def test_batch_of_samples_fits_into_the_time_that_is_left(monkeypatch):
    now = 0.0
    monkeypatch.setattr(rollouts, "monotonic", lambda: now)
    clock = rollouts._Clock(1000, 0.5, Budget(seconds=100).start())
    assert clock.batch_size(0) == 1  # nothing is known of the time for a sample
    now = 0.1
    assert not clock.is_over(1)
    assert clock.batch_size(1) == 4  # of a tenth of a second each
    now = 0.2
    assert not clock.is_over(5)
    assert clock.batch_size(5) == rollouts.BATCH  # now 0.025 seconds each, with 0.3 left
    now = 0.495  # 0.0295 each: as far from the end as after another half
    assert clock.is_over(15)


def test_first_guess_is_made_without_an_answer_of_the_engine(monkeypatch):
    monkeypatch.setattr(rollouts.kernel, "run_begin", lambda *_: workspace.IMPRECISE)
    answer = guess(without_networks(samples=60))
    assert {candidate.rate for candidate in answer.candidates} == {None}


def comparison_of(*columns):
    comparison = Comparison(list(range(len(columns))), [0.0] * len(columns))
    values = np.array(columns, dtype=float).T
    comparison.add(values, np.zeros(values.shape, dtype=bool))
    return comparison


def test_comparison_combines_samples_with_what_was_expected():
    first, second = [0.5, 0.4, 0.5, 0.4], [0.6, 0.5, 0.6, 0.6]
    comparison = comparison_of(first, second)
    error = np.std([0.1, 0.1, 0.1, 0.2], ddof=1) / 2
    assert comparison.lead(1, 0) == pytest.approx((0.125, error))
    assert comparison.winner() == 1
    # As precise as the samples: half of the weight each.
    comparison.expect([0.0, -0.025], error / 2.5**0.25)
    assert comparison.lead(1, 0) == pytest.approx((0.05, error / 2**0.5))
    assert comparison.lead(0, 1) == pytest.approx((-0.05, error / 2**0.5))
    assert comparison.result(1).rate - comparison.result(0).rate == pytest.approx(0.05)
    comparison.expect([0.0, -0.225], error / 22.5**0.25)
    assert comparison.winner() == 0


def test_error_of_an_expected_difference_grows_with_its_fourth_root():
    unsampled = Comparison([5, 6, 7, 8], [0.1] * 4)
    unsampled.expect([0.0, -0.01, -0.16, -0.16], 0.02)
    assert unsampled.lead(1, 0) == pytest.approx((-0.01, 0.02))
    assert unsampled.lead(2, 0) == pytest.approx((-0.16, 0.04))
    assert unsampled.lead(2, 3) == pytest.approx((0.0, 0.02 * 0.02**0.25))  # as 0.02 points


def test_comparison_drops_candidates_that_cannot_gain():
    unsampled = Comparison([5, 6, 7], [0.1, 0.1, 0.1])
    unsampled.expect([0.0, -0.01, -0.2], 0.02)
    unsampled.drop(0.001)
    assert unsampled.left == [0, 1] and not unsampled.decided
    # The mean of the positive part of a normal number with the mean -0.5 is 0.1978.
    unsampled.expect([0.0, -0.01, -0.01], 0.02)
    for least_gain, left in ((0.0039, [0, 1]), (0.004, [0])):
        unsampled.drop(least_gain)
        assert unsampled.left == left
    same = comparison_of([0.5, 0.4], [0.5, 0.4])
    same.drop(1e-9)
    assert same.left == [0] and same.decided and same.winner() == 0
    ahead = comparison_of([0.5, 0.4, 0.5, 0.4], [0.2, 0.3, 0.3, 0.2], [0.9, 0.9, 0.8, 0.9])
    ahead.drop(1e-6)
    assert ahead.left == [2] and ahead.winner() == 2


def test_first_choice_is_kept_unless_another_cell_is_far_enough_ahead():
    comparison = comparison_of([0.5, 0.4, 0.5, 0.4], [0.6, 0.5, 0.6, 0.6], [0.6, 0.6, 0.6, 0.6])
    assert comparison.winner() == 2  # ahead by 0.15
    for least_lead, winner in ((0.14, 2), (0.16, 0)):
        comparison.expect([0.0, 0.0, 0.0], np.inf, least_lead)
        assert comparison.winner() == winner
    # The least lead does not make a cell win less often.
    assert comparison.result(2).rate - comparison.result(0).rate == pytest.approx(0.15)
    # The mean of the positive part of a normal number with the mean -1 is 0.0833.
    unsampled = Comparison([5, 6], [0.1, 0.1])
    unsampled.expect([0.0, -0.01], 0.02, 0.01)
    for least_gain, left in ((0.0016, [0, 1]), (0.0017, [0])):
        unsampled.drop(least_gain)
        assert unsampled.left == left


def test_first_choice_stays_in_the_comparison_while_the_lead_may_be_too_small():
    first, noise = np.full(100, 0.5), np.tile([0.1, -0.1], 50)
    comparison = comparison_of(first, first + 0.15 + noise)  # ahead by 0.15, with an error of 0.01
    comparison.expect([0.0, 0.0], np.inf, 0.14)
    comparison.drop(0.0005)
    assert comparison.left == [0, 1] and comparison.winner() == 1
    comparison.expect([0.0, 0.0], np.inf, 0.0)
    comparison.drop(0.0005)
    assert comparison.left == [1]


def test_few_samples_do_not_replace_the_first_choice():
    first = thoughtful_guesser(ThoughtfulSettings()).guess(flag_certain_mines(POSITION))
    for samples in (1, 2, 3, 19):
        assert guess(without_networks(samples=samples)) == first
    compared = guess(without_networks(samples=20)).candidates
    assert {candidate.samples for candidate in compared} == {20}


@pytest.mark.parametrize("first_error", [1e-200, 5e-324])
def test_smallest_first_error_is_combined_with_samples(first_error):
    equal, noisy = comparison_of([0.5] * 30, [0.5] * 30), comparison_of([0.5] * 30, [0.5, 0.7] * 15)
    for comparison in (equal, noisy):
        comparison.expect([0.0, -0.01], first_error)
    assert equal.lead(1, 0) == (0.0, 0.0)
    assert noisy.lead(1, 0) == (-0.01, 0.0)
    noisy.expect([0.0, 0.0], first_error)
    assert noisy.lead(1, 0) == (0.0, 0.0)


def unlucky_samples(count):
    """Return values, hits and bad luck of two cells: the guesses of the first hit 40% mines."""
    random = np.random.default_rng(1)
    luck = random.choice([-0.2, 0.8], count, p=[0.6, 0.4])  # at probability 0.2
    noise = random.normal(0, 0.01, count)
    values = np.array([0.7 - 0.5 * luck + noise, 0.6 + noise]).T
    return values, np.zeros(values.shape, dtype=bool), np.array([luck, np.zeros(count)]).T


def test_luck_of_later_guesses_is_removed_from_the_values():
    values, hits, bad_luck = unlucky_samples(4000)
    plain, corrected, in_parts = (Comparison([3, 4], [0.0, 0.0]) for _ in range(3))
    plain.add(values, hits)
    corrected.add(values, hits, bad_luck)
    assert corrected.lead(0, 1)[0] == pytest.approx(0.1, abs=0.001)
    assert corrected.lead(0, 1)[1] < plain.lead(0, 1)[1] / 10
    in_parts.add(values[:50], hits[:50], bad_luck[:50])
    assert in_parts.lead(0, 1) != corrected.lead(0, 1)
    in_parts.add(values[50:], hits[50:], bad_luck[50:])
    assert in_parts.lead(0, 1) == corrected.lead(0, 1)


def test_samples_in_which_a_candidate_is_a_mine_do_not_change_the_effect_of_luck():
    values, hits, bad_luck = unlucky_samples(4000)
    hits[:2000, 0] = True
    comparison = Comparison([3, 4], [0.5, 0.0])
    comparison.add(np.where(hits, 0.0, values), hits, np.where(hits, 0.0, bad_luck))
    result = comparison.result(0)
    assert result.rate == pytest.approx(0.35, abs=0.001)
    assert result.error < 0.0005


def test_rollouts_pass_on_the_luck_of_their_guesses():
    settings = without_networks(inner_end_game=0)
    state, limit = make_rollout_state(POSITION.board, settings), Budget().start()
    marks = flag_certain_mines(POSITION).marks
    risks = [float(sapper.analyse(POSITION).probability_array[cell]) for cell in (43, 56)]
    comparison, plain = (Comparison([43, 56], risks) for _ in range(2))
    assert rollouts.begin_samples(state, marks, POSITION.mines, 1, limit) == 0
    assert rollouts.add_samples(state, comparison, 200, limit)
    plain.add(np.array(comparison._values).T, np.array(comparison._hits).T)
    assert comparison.lead(0, 1)[1] < 0.9 * plain.lead(0, 1)[1]


def test_reason_says_that_another_cell_wins_a_little_more_often():
    first = thoughtful_guesser(ThoughtfulSettings()).guess(flag_certain_mines(POSITION))
    cells = [first.cell, *(c.cell for c in first.candidates if c.cell != first.cell)][:2]
    comparison = Comparison(cells, [0.1, 0.1])
    values = np.tile([[0.50, 0.506], [0.52, 0.526]], (50, 1))
    comparison.add(values, np.zeros(values.shape, dtype=bool))
    for least_lead, kinds in ((0.008, ["behind", "small_lead"]), (0.001, ["safest", "wins_most"])):
        comparison.expect([0.0, 0.0], np.inf, least_lead)
        answer = explain_rollouts(first, comparison)
        assert answer.cell == comparison.winner() == cells[kinds[0] == "safest"]
        assert [fact.kind for fact in answer.facts] == kinds


def test_rate_of_a_candidate_uses_its_known_probability():
    comparison = Comparison([7], [0.25])
    hits = np.array([[True], [False], [False], [True]])
    comparison.add(np.where(hits, 0.0, 0.8), hits)
    result = comparison.result(0)
    assert result.rate == pytest.approx(0.75 * 0.8)
    assert (result.cell, result.samples) == (7, 4)


def test_bad_settings_are_refused():
    cases = [
        (
            ("inner", "oracle"),
            "^inner: expected careful or thoughtful or learned or shrewd, got 'oracle'",
        ),
        (("candidates", 1), "^candidates: expected 2 or more, got 1"),
        (("samples", 0), "^samples: expected 1 or more, got 0"),
        (("seconds", -1.0), "^seconds: expected from 0 to 1e9, got -1.0"),
        (("inner_candidates", 0), "^inner_candidates: expected 1 or more, got 0"),
        (("first_error", 0), "^first_error: expected more than 0, got 0"),
        (("least_gain", "small"), "^least_gain: expected a number, got 'small'"),
    ]
    assert_refused(lambda case: PatientSettings().replace(dict([case])), cases, NotationError)
    assert PatientSettings(samples=0, seconds=1.0).seconds == 1.0


def test_positions_with_a_larger_interior_have_no_rollouts():
    first = thoughtful_guesser(ThoughtfulSettings()).guess(flag_certain_mines(POSITION))
    assert guess(without_networks(interior=10)) == first
