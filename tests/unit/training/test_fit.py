"""The fit with numpy, and a whole round of training without PyTorch."""

import json

import numpy as np
import pytest
from training import check, data
from training.__main__ import main
from training.data import Part
from training.fit import Settings, fit, gains, starting_weights
from training.fit_numpy import Fitter
from training.positions import Positions
from training.weights import read_weights

from sapper.kernels import view
from sapper.kernels.players import network
from sapper.kernels.players.features import CODE_COUNT
from sapper.players.learned import make_network
from sapper.players.networks import Weights, patch_of

SMALL = Settings(first=6, second=4, epochs=14, batch=32, rate=1e-2, warm_up=10, seconds=600)


def synthetic_positions(count, rng):
    """Return positions whose targets depend on the probability and on a number next to it."""
    records = 6 * count
    patch = rng.integers(0, CODE_COUNT, (records, 81), dtype=np.uint8)
    patch[:, 39] = rng.choice([1, 2, 9], records)
    patch[:, 41] = patch[:, 31] = patch[:, 49] = patch[:, 39]
    scalar = rng.integers(0, 4096, (records, 20)).astype(np.int16)
    probabilities = scalar[:, 0] / 4096
    target = (-0.5 * probabilities + 0.3 * (patch[:, 39] == 2)).astype(np.float32)
    start, part = np.arange(0, records + 1, 6), np.zeros(count, np.int16)
    seed = np.arange(count, dtype=np.uint64)
    return Positions(patch, scalar, probabilities, target, start, part, seed)


def test_targets_without_noise_are_learned():
    positions = synthetic_positions(600, np.random.default_rng(3))
    lines = []
    fitted = fit(positions, "square", SMALL, engine="numpy", report=lines.append)
    assert fitted.card["held out"]["explained"] > 0.9
    assert fitted.card["held out"]["gain over least probability, points a position"][0] > 5
    assert fitted.card["by"] == "numpy" and lines


def test_gradients_agree_with_finite_differences_of_the_loss():
    positions = synthetic_positions(5, np.random.default_rng(4))
    settings = Settings(first=3, second=2)
    weights = starting_weights("square", settings)
    fitter = Fitter(positions, weights, patch_of("square").symmetries, SMALL)
    rows = positions.rows(6)
    rows[0, 4:] = -1
    symmetry = np.array([0, 1, 2, 3, 7])
    _, gradients = fitter.loss_and_gradients(rows, symmetry)
    for name, gradient in gradients.items():
        flat = fitter.p[name].reshape(-1)
        k = int(np.abs(gradient).argmax())
        weight = flat[k]
        ends = []
        for step in (1e-5, -1e-5):
            flat[k] = weight + step
            ends.append(fitter.loss_and_gradients(rows, symmetry)[0])
        flat[k] = weight
        assert (ends[0] - ends[1]) / 2e-5 == pytest.approx(gradient.reshape(-1)[k], abs=1e-6), name


def test_kernel_computes_the_values_of_the_fitted_network():
    positions = synthetic_positions(20, np.random.default_rng(5))
    settings = Settings(first=10, second=5, epochs=1, batch=8, seconds=5)
    weights = starting_weights("square", settings)
    fitter = Fitter(positions, weights, patch_of("square").symmetries, settings)
    for rows in np.array_split(positions.rows(6), 4):
        fitter.step(rows, 1e-3)
    made = Weights.of("square", fitter.weights())
    found = np.zeros(len(positions.target))
    inputs = view(positions.patch.reshape(-1)), view(positions.scalar.reshape(-1))
    network.run(make_network(made), *inputs, view(found))
    expected = fitter.values(positions.rows(6)).reshape(-1) + fitter.p["last_bias"][0]
    assert np.abs(found - expected).max() < 2e-3


def test_gain_is_the_difference_to_the_choice_of_least_probability():
    valid = np.array([[True, True, False], [True, True, True]])
    value = np.array([[0.1, 0.3, 9.0], [0.5, 0.2, 0.1]])
    target = np.array([[0.2, 0.7, 5.0], [0.4, 0.9, 0.1]])
    probabilities = np.array([[0.1, 0.2, 0.0], [0.3, 0.2, 0.1]])
    assert gains(value, target, probabilities, valid).tolist() == pytest.approx([0.5, 0.3])


def test_two_rounds_of_training_make_a_network_that_plays(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(data, "mixture", lambda tiling: (Part("7x6/12", "safe", "r1c1", 20),))
    common = ["--folder", str(tmp_path), "--workers", "1"]
    tiny = ["--engine", "numpy", "--first", "8", "--second", "4", "--epochs", "1", "--batch", "16"]
    short = ["--cycles", "2", "--check-seconds", "0.1", "--line", "7x6/8", "safe", "r1c1"]
    monkeypatch.setattr(check, "GAMES_PER_TASK", 10)
    out = tmp_path / "out"
    main(["round", *common, "--out", str(out), *tiny, *short, "--look-ahead"])
    main(["round", *common, "--round", "2", *tiny, *short])
    made = read_weights(tmp_path / "round-2.network")
    assert made.card["went on"] and made.card["rounds"]["2"]["weights"].endswith("round-1.network")
    assert made.card["positions"] > 0 and len(made.card["commit"]) >= 7
    assert json.loads((out / "round-1.json").read_text())["went on"] is False
    assert (out / "round-1.network").read_bytes() == (tmp_path / "round-1.network").read_bytes()
    assert "positions in" in capsys.readouterr().out
