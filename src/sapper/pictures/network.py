"""The network that reads cells, in numpy.

Convolutions over the pixels of a lattice give a vector for each cell. Then, three times, each cell
attends to all others, so that cells that look alike share evidence, and a convolution combines it
with its neighbours.
`training/pictures` has the same network for training.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Floats = npt.NDArray[np.float32]

CELL = 20
"""The width and height in pixels to which cells are scaled."""
CLASSES = "012345678#F*-?"
"""What a cell can be: zero to 8, covered, flag, mine, outside the board, hidden by something."""
COVERED, FLAG, MINE, OUTSIDE, HIDDEN = 9, 10, 11, 12, 13
HEADS = 4
MAX_KEYS = 1600
"""The number of cells that each cell attends to; larger boards are sampled evenly."""
NOISE = 9
"""The minimum contrast that a cell is scaled by, in levels, so that noise is not amplified."""
MAX_COPIED = 300_000
"""Numbers copied for one matrix product, few enough for the processor's cache."""
STRIPE_ROWS = 16
"""Rows of cells that are convolved at once, to limit the memory."""


@cache
def _weights() -> dict[str, Floats]:
    with (
        files("sapper").joinpath("data/pictures.npz").open("rb") as stream,
        np.load(stream) as arrays,
    ):
        return {name: arrays[name].astype(np.float32) for name in arrays.files}


def prepare(pixels: npt.NDArray[np.uint8]) -> Floats:
    """Return the six input channels of (rows * CELL, columns * CELL) pixels, channels last.

    Three are relative to the whole picture, three to the median colour and the contrast of the
    cell.
    """
    values = pixels.astype(np.float32)
    h, w, _ = values.shape
    global_channels = (values - values.mean()) / (values.std() + 8)
    cells = values.reshape(h // CELL, CELL, w // CELL, CELL, 3).transpose(0, 2, 4, 1, 3)
    flat = cells.reshape(h // CELL, w // CELL, 3, CELL * CELL)
    k = CELL * CELL // 2 - 1
    median = np.partition(flat, k, axis=-1)[..., k : k + 1]
    deviation = flat - median
    largest = np.abs(deviation).max(axis=2, keepdims=True)
    k = CELL * CELL - 12
    scale = np.partition(largest, k, axis=-1)[..., k : k + 1].clip(min=NOISE)
    local = (deviation / scale).clip(-1.5, 1.5).reshape(cells.shape).transpose(0, 3, 1, 4, 2)
    return np.concatenate((global_channels, local.reshape(h, w, 3)), axis=2)


def classify(pixels: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Return log-probabilities (rows, columns, classes): of each cell alone, and of all jointly."""
    weights = _weights()
    inputs = prepare(pixels)
    rows = inputs.shape[0] // CELL
    # Stripes overlap by one row of cells, which covers the receptive field of a cell.
    parts = []
    for start in range(0, rows, STRIPE_ROWS):
        first, last = max(0, start - 1), min(rows, start + STRIPE_ROWS + 1)
        vectors = _vectors(weights, inputs[first * CELL : last * CELL])
        parts.append(vectors[start - first : start - first + min(STRIPE_ROWS, rows - start)])
    x = np.concatenate(parts)
    alone = _linear(weights, "alone", x)
    for i in range(3):
        x = _attend(weights, f"attention{i}", x)
        x = x + _convolve(x, weights[f"conv{i}.weight"], weights[f"conv{i}.bias"], 1, 1)
    return _log_softmax(alone), _log_softmax(_linear(weights, "final", x))


def _vectors(weights: dict[str, Floats], x: Floats) -> Floats:
    for i, (stride, pad) in enumerate(((1, 1), (2, 1), (1, 1), (2, 1), (1, 1), (5, 0), (1, 0))):
        x = _convolve(x, weights[f"pixels{i}.weight"], weights[f"pixels{i}.bias"], stride, pad)
    return x


def _convolve(x: Floats, weight: Floats, bias: Floats, stride: int, pad: int) -> Floats:
    """Return a convolution followed by ReLU; x as (rows, columns, channels)."""
    outputs, _, size, _ = weight.shape
    padded = np.pad(x, ((pad, pad), (pad, pad), (0, 0))) if pad else x
    h = (padded.shape[0] - size) // stride + 1
    w = (padded.shape[1] - size) // stride + 1
    windows = sliding_window_view(padded, (size, size), axis=(0, 1))[::stride, ::stride]
    windows = windows.transpose(0, 1, 3, 4, 2)
    matrix = weight.transpose(2, 3, 1, 0).reshape(-1, outputs)
    result = np.empty((h, w, outputs), np.float32)
    step = max(1, MAX_COPIED // (w * len(matrix)))
    for y in range(0, h, step):
        product = windows[y : y + step].reshape(-1, len(matrix)) @ matrix
        product += bias
        result[y : y + step] = np.maximum(product, 0).reshape(-1, w, outputs)
    return result


def _linear(weights: dict[str, Floats], name: str, x: Floats) -> Floats:
    return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], np.float32)


def _attend(weights: dict[str, Floats], name: str, x: Floats) -> Floats:
    h, w, c = x.shape
    flat = x.reshape(h * w, c)
    centred = flat - flat.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    normed = scaled * weights[f"{name}.norm.weight"] + weights[f"{name}.norm.bias"]
    parts = _linear(weights, f"{name}.inward", normed).reshape(h * w, 3, HEADS, c // HEADS)
    q, k, v = parts.transpose(1, 2, 0, 3)
    step = -(-h * w // MAX_KEYS)
    k, v = k[:, ::step], v[:, ::step]
    mixed = np.empty((h * w, HEADS, c // HEADS), np.float32)
    for start in range(0, h * w, 1024):
        logits = q[:, start : start + 1024] @ k.transpose(0, 2, 1) / np.sqrt(c // HEADS)
        attention = np.exp(logits - logits.max(axis=2, keepdims=True))
        attention /= attention.sum(axis=2, keepdims=True)
        mixed[start : start + 1024] = (attention @ v).transpose(1, 0, 2)
    return np.asarray(x + _linear(weights, f"{name}.outward", mixed.reshape(h, w, c)), np.float32)


def _log_softmax(x: Floats) -> Floats:
    shifted = x - x.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)
