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
from sapper.players.patient import PatientGuesser, PatientSettings
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
    answer = guess(without_networks(samples=60))
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
    comparison.expect([0.0, -0.025], error)
    assert comparison.lead(1, 0) == pytest.approx((0.05, error / 2**0.5))
    assert comparison.lead(0, 1) == pytest.approx((-0.05, error / 2**0.5))
    assert comparison.result(1).rate - comparison.result(0).rate == pytest.approx(0.05)
    comparison.expect([0.0, -0.225], error)
    assert comparison.winner() == 0


def test_comparison_drops_candidates_that_cannot_gain():
    unsampled = Comparison([5, 6, 7], [0.1, 0.1, 0.1])
    unsampled.expect([0.0, -0.01, -0.2], 0.02)
    unsampled.drop(0.001)
    assert unsampled.left == [0, 1] and not unsampled.decided
    # The mean of the positive part of a standard normal number is 0.3989.
    unsampled.expect([0.0, 0.0, 0.0], 0.02)
    for least_gain, left in ((0.0079, [0, 1]), (0.008, [0])):
        unsampled.drop(least_gain)
        assert unsampled.left == left
    same = comparison_of([0.5, 0.4], [0.5, 0.4])
    same.drop(1e-9)
    assert same.left == [0] and same.decided and same.winner() == 0
    ahead = comparison_of([0.5, 0.4, 0.5, 0.4], [0.2, 0.3, 0.3, 0.2], [0.9, 0.9, 0.8, 0.9])
    ahead.drop(1e-6)
    assert ahead.left == [2] and ahead.winner() == 2


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
