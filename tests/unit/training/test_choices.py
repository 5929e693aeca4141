"""Recorded choices and the weights that are fitted to them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from training import choices, shrewd_weights


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the choices of a few games on a small board."""
    where = tmp_path_factory.mktemp("choices")
    lines = (("9x9/16", "zero", "r3c3"), ("9x9/16", "safe", "r1c1"))
    task = choices.Task(str(where), 0, seconds=0.01, samples=4, opening=1.0)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("LINES", lines), ("LINE_ORDER", (0, 1)), ("GAMES_PER_SHARD", 12)):
            patch.setattr(choices, name, value)
        assert choices.work(task) > 0
        assert choices.work(task) > 0
    return where


def test_worker_resumes_after_its_last_shard_with_other_seeds(folder):
    names = sorted(path.name for path in folder.glob("*.npz"))
    assert names == ["choices-00-0000.npz", "choices-00-0001.npz"]
    seeds = [set(np.load(folder / name)["position"][:, -1].tolist()) for name in names]
    assert seeds[0] and seeds[1] and not seeds[0] & seeds[1]
    assert min(seeds[0] | seeds[1]) >= choices.FIRST_SEED


def test_recorded_choices_are_complete_and_within_their_bounds(folder):
    for path in folder.glob("*.npz"):
        shard = np.load(path)
        start = shard["start"]
        for first, stop in pairwise(start):
            chosen = shard["chosen"][first:stop]
            assert (chosen & 1).sum() == 1 and ((chosen & 2) > 0).sum() == 1
            assert len(set(shard["cell"][first:stop].tolist())) == stop - first
    shard = np.load(folder / "choices-00-0000.npz")
    assert (shard["first"] != 0).any()
    assert ((shard["influence"] >= 0) & (shard["influence"] <= shard["probabilities"] + 1e-9)).all()
    # A following cell is revealed only if this one is safe.
    assert (shard["follow"] <= 1 - shard["probabilities"] + 1e-9).all()
    assert (shard["safest"] >= shard["follow"] - 1e-9).all()


def test_fit_recovers_the_weights_that_made_the_rates(folder):
    found = shrewd_weights.load_choices(folder)
    wanted = np.array([0.3, 0.5, 0.1, 0.2])
    invented = replace(found, rate=found.terms @ wanted)
    weights, _ = shrewd_weights.fit_weights(invented, np.ones(len(invented.rate), bool))
    assert weights == pytest.approx(wanted, abs=1e-6)
    gain = shrewd_weights.gains(invented, invented.rate, 0.0)
    assert (gain >= 0).all() and gain.max() > 0
    assert (shrewd_weights.gains(invented, invented.rate, 9.0) == 0).all()
    lines = shrewd_weights.report(folder)
    assert all(f"{name} " in lines[0] for name in shrewd_weights.TERMS)
    assert len(lines) == 1 + len(shrewd_weights.MARGINS)
