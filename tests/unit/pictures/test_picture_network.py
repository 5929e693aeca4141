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


def channels_of(pixels):
    """Return the input of the network, computed pixel by pixel."""
    size, values = network.CELL, pixels.astype(float)
    channels = np.zeros((*pixels.shape[:2], 6))
    channels[..., :3] = (values - values.mean()) / (values.std() + 8)
    for y in range(0, len(pixels), size):
        for x in range(0, pixels.shape[1], size):
            cell = values[y : y + size, x : x + size]
            medians = [sorted(cell[..., c].ravel())[size * size // 2 - 1] for c in range(3)]
            deviation = cell - medians
            # The twelfth largest of the pixels' deviations is the contrast of the cell.
            contrast = sorted(np.abs(deviation).max(axis=2).ravel())[-12]
            scaled = deviation / max(contrast, network.NOISE)
            channels[y : y + size, x : x + size, 3:] = np.clip(scaled, -1.5, 1.5)
    return channels


def attended(weights, name, x):
    """Return the sum of each cell's vector and its attention to all cells, cell by cell."""
    cells = x.reshape(-1, x.shape[2]).astype(float)
    normed = [(cell - cell.mean()) / np.sqrt(cell.var() + 1e-5) for cell in cells]
    normed = np.array(normed) * weights[f"{name}.norm.weight"] + weights[f"{name}.norm.bias"]
    inward = normed @ weights[f"{name}.inward.weight"].T + weights[f"{name}.inward.bias"]
    queries, keys, values = np.split(inward, 3, axis=1)
    width = cells.shape[1] // network.HEADS
    mixed = np.zeros_like(cells)
    for i, query in enumerate(queries):
        for start in range(0, cells.shape[1], width):
            head = slice(start, start + width)
            attention = np.exp(keys[:, head] @ query[head] / np.sqrt(width))
            mixed[i, head] = attention @ values[:, head] / attention.sum()
    outward = mixed @ weights[f"{name}.outward.weight"].T + weights[f"{name}.outward.bias"]
    return (cells + outward).reshape(x.shape)


def log_probabilities(weights, name, x):
    logits = x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def test_network_agrees_with_its_definition():
    board = np.asarray(draw_board(Skin(), ["1#.", "F23"], network.CELL))[..., :3].copy()
    board[:20, :20] //= 100  # a cell without contrast: noise is not amplified
    channels = channels_of(board)
    assert np.allclose(network.prepare(board), channels, atol=1e-4)
    weights = network._weights()
    x = channels.astype(np.float32)
    for i, (stride, pad) in enumerate(((1, 1), (2, 1), (1, 1), (2, 1), (1, 1), (5, 0), (1, 0))):
        kernel, bias = weights[f"pixels{i}.weight"], weights[f"pixels{i}.bias"]
        x = network._convolve(x, kernel, bias, stride, pad)
    alone, joint = network.classify(board)
    assert np.allclose(alone, log_probabilities(weights, "alone", x), atol=1e-3)
    for i in range(3):
        x = attended(weights, f"attention{i}", x).astype(np.float32)
        x += network._convolve(x, weights[f"conv{i}.weight"], weights[f"conv{i}.bias"], 1, 1)
    assert np.allclose(joint, log_probabilities(weights, "final", x), atol=1e-3)
