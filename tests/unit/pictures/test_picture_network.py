"""The network that classifies cells, in numpy."""

import numpy as np
import pytest
from training.pictures.scenes import draw_board
from training.pictures.skins import Skin

from sapper.pictures import network


def test_stripes_of_a_large_board_give_the_same_result_as_the_whole(monkeypatch):
    pixels = np.random.default_rng(1).integers(0, 256, (160, 60, 3)).astype(np.uint8)
    _, whole = network.classify(pixels)
    monkeypatch.setattr(network, "STRIPE_ROWS", 3)
    _, parts = network.classify(pixels)
    assert np.allclose(whole, parts, atol=1e-3)
    assert whole.shape == (8, 3, len(network.CLASSES))
    assert np.allclose(np.exp(whole).sum(axis=2), 1, atol=1e-4)


def test_convolution_agrees_with_its_definition():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(5, 6, 2)).astype(np.float32)
    weight = rng.normal(size=(3, 2, 3, 3)).astype(np.float32)
    bias = rng.normal(size=3).astype(np.float32)
    found = network._convolve(x, weight, bias, 2, 1)
    padded = np.pad(x, ((1, 1), (1, 1), (0, 0)))
    for i in range(3):
        for j in range(3):
            window = padded[2 * i : 2 * i + 3, 2 * j : 2 * j + 3].transpose(2, 0, 1)
            expected = np.maximum((weight * window).sum(axis=(1, 2, 3)) + bias, 0)
            assert found[i, j] == pytest.approx(expected, abs=1e-4)


def test_a_large_board_attends_to_a_sample_of_its_cells(monkeypatch):
    pixels = np.asarray(draw_board(Skin(), ["11..1#", "#1..12", "#2..1#", "##1111"], network.CELL))
    _, whole = network.classify(pixels[..., :3])
    monkeypatch.setattr(network, "MAX_KEYS", 7)
    _, sample = network.classify(pixels[..., :3])
    assert not np.array_equal(whole, sample)
    assert (whole.argmax(axis=-1) == sample.argmax(axis=-1)).all()
