"""The gain of roll-outs at the guesses of games by `shrewd`."""

import numpy as np
import pytest
from training import advantage

LINE = ("9x9/16", "safe", "r1c1")


@pytest.fixture(scope="module")
def guesses():
    """Return the number of games of a worker, and the rows of their guesses."""
    player = "patient:samples=40,first_error=0.05"
    return advantage.work(advantage.Task(LINE, player, 1, 1e9, samples=20, max_games=40))


def test_guesses_of_real_games_are_recorded_with_gain_and_cost(guesses):
    games, rows = guesses
    interior, seconds, gain = rows.T
    assert games == 40 and len(rows) > 20
    assert (interior < 81 * 15 / 16).all() and (seconds >= 0).all()
    assert 0 < (gain != 0).sum() < len(rows) and (abs(gain) < 1).all()


def test_report_sums_up_gains_by_the_size_of_the_interior(monkeypatch):
    rows = np.array([[3, 0.1, 0.02], [20, 0.2, 0.0], [500, 0.3, -0.01]])
    monkeypatch.setattr(advantage, "ProcessPoolExecutor", InThisProcess)
    monkeypatch.setattr(advantage, "work", lambda task: (50, rows))
    report = advantage.measure(LINE, "patient", 1.0, workers=2, samples=10)
    total, *parts = report
    assert (total["games"], total["guesses"], total["changed"]) == (100, 6, 4)
    assert total["gain"] == pytest.approx(100 * 2 * 0.01 / 100)
    assert total["gain error"] == pytest.approx(100 * (2 * 5e-4) ** 0.5 / 100, abs=1e-4)
    assert total["seconds a game"] == pytest.approx(0.012)
    assert sum(part["guesses"] for part in parts) == 6
    assert sum(part["gain"] for part in parts) == pytest.approx(total["gain"])


class InThisProcess:
    """A pool of workers that runs its tasks at once."""

    def __init__(self, workers, mp_context):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def map(self, function, tasks):
        return map(function, tasks)
