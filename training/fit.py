"""Fit a network to recorded positions.

Only the differences between the candidates of one position are learned:

    loss = the mean over candidates of (f - mean f of the position - (t - mean t of the position))^2

f is the value of a candidate by the network, t its target (see `training.positions`). The steps are
made with PyTorch, on a GPU if there is one, or with numpy, for tests. The result is measured on
held-out positions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sapper.kernels.players.features import CODE_COUNT
from sapper.players.networks import CHANNELS, Weights, patch_of
from training.positions import Positions
from training.weights import random_weights

FIRST_PROBABILITY_CODE = 10
Report = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """The options of a fit."""

    first: int = 64
    """The width of the first hidden layer."""
    second: int = 32
    """The width of the second hidden layer."""
    scalars: int = 20
    """The number of scalar features, after those of the patch."""
    epochs: float = 12.0
    seconds: float = 120.0
    """The number of steps is reduced to what fits in this time."""
    batch: int = 4096
    rate: float = 2e-3
    """The learning rate after the warm-up."""
    decay: float = 0.01
    """The weight decay."""
    warm_up: int = 200
    """Steps in which the learning rate rises from 0."""
    seed: int = 1


def code_channels() -> Any:
    """Return the input channels of each code of `features`, a row per code.

    A code below FIRST_PROBABILITY_CODE has a channel of its own; a probability is interpolated
    between the channels of the two nearest knots.
    """
    channels = np.zeros((CODE_COUNT, CHANNELS), np.float32)
    for code in range(CODE_COUNT):
        if code < FIRST_PROBABILITY_CODE:
            channels[code, code] = 1.0
        else:
            knot, part = divmod(code - FIRST_PROBABILITY_CODE, 32)
            channels[code, FIRST_PROBABILITY_CODE + knot] = 1 - part / 32
            if part:
                channels[code, FIRST_PROBABILITY_CODE + knot + 1] = part / 32
    return channels


def starting_weights(tiling: str, settings: Settings) -> dict[str, Any]:
    """Return initial weights, with which a value is nearly the probability that a cell is safe."""
    start = random_weights(
        tiling,
        patch_of(tiling).slots,
        settings.first,
        settings.second,
        settings.seed,
        settings.scalars,
    )
    initial = {name: start.real(name) for name in start.arrays}
    initial["rows"] *= 0.5
    initial["last"] *= 0.1
    return initial


def fit(
    positions: Positions,
    tiling: str,
    settings: Settings,
    start: Weights | None = None,
    engine: str = "torch",
    report: Report = print,
) -> Weights:
    """Return the fitted network; its card has the measures on held-out positions."""
    if start is not None:
        initial = {name: start.real(name) for name in start.arrays}
    else:
        initial = starting_weights(tiling, settings)
    if engine == "torch":
        from training.fit_torch import Fitter
    else:
        from training.fit_numpy import Fitter  # type: ignore[assignment]
    held_out = positions.held_out
    rows = positions.rows(int(np.diff(positions.start).max()))
    fitter = Fitter(positions, initial, patch_of(tiling).symmetries, settings)
    seconds = _run(fitter, rows[~held_out], settings, report)
    test_rows = rows[held_out]
    values = fitter.values(test_rows)
    valid = test_rows >= 0
    measures = measure_held_out(
        values,
        np.where(valid, positions.target[test_rows], 0.0),
        np.where(valid, positions.probabilities[test_rows], 2.0),
        valid,
        positions.part[held_out],
    )
    report(f"held out: {measures}")
    card = {
        "fit": asdict(settings),
        "positions": len(positions),
        "candidates": len(positions.target),
        "by": fitter.by,
        "seconds": round(seconds, 1),
        "went on": start is not None,
        "held out": measures,
    }
    return Weights.of(tiling, fitter.weights(), card)


def _run(fitter: Any, rows: Any, settings: Settings, report: Report) -> float:
    """Make all steps of a fit, with warm-up and cosine decay; return the seconds."""
    random = np.random.default_rng(settings.seed)
    batch = min(settings.batch, len(rows))
    steps_per_epoch = max(1, len(rows) // batch)
    steps = max(1, int(settings.epochs * steps_per_epoch))
    warm_up = min(settings.warm_up, max(1, steps // 10))
    started, timed, step = time.monotonic(), 0.0, 0
    reported = started
    order = random.permutation(len(rows))
    losses: list[float] = []
    while step < steps:
        index = step % steps_per_epoch
        if index == 0 and step:
            order = random.permutation(len(rows))
        rate = settings.rate * min(1.0, (step + 1) / warm_up)
        rate *= 0.5 * (1 + math.cos(math.pi * step / steps))
        losses.append(fitter.step(rows[order[index * batch : (index + 1) * batch]], rate))
        step += 1
        if step == 30:
            fitter.wait()
            timed = time.monotonic()
        elif step == 130:
            # The duration of a step is known now: reduce the number of steps to what fits.
            fitter.wait()
            step_seconds = (time.monotonic() - timed) / 100
            left = settings.seconds - (time.monotonic() - started)
            steps = max(step + 1, min(steps, step + int(left / step_seconds)))
            epochs = steps / steps_per_epoch
            report(f"{steps} steps of {1000 * step_seconds:.1f} ms: {epochs:.1f} epochs")
        if time.monotonic() - reported > 10:
            reported = time.monotonic()
            report(f"step {step} of {steps}, loss {float(np.mean(fitter.read(losses))):.6f}")
            losses = []
    fitter.wait()
    return time.monotonic() - started


def gains(value: Any, target: Any, probabilities: Any, valid: Any) -> Any:
    """Return per position the target of the best candidate minus that of least probability."""
    rows = np.arange(len(value))
    best = np.where(valid, value, -np.inf).argmax(axis=1)
    least = np.where(valid, probabilities, np.inf).argmin(axis=1)
    return target[rows, best] - target[rows, least]


def explained(value: Any, target: Any, valid: Any) -> float:
    """Return the share of the variance within positions that the values explain."""
    counts = valid.sum(axis=1, keepdims=True)

    def subtract_means(x: Any) -> Any:
        x = np.where(valid, x, 0.0)
        return np.where(valid, x - x.sum(axis=1, keepdims=True) / counts, 0.0)

    v, t = subtract_means(value), subtract_means(target)
    return float(1.0 - ((v - t) ** 2).sum() / (t**2).sum())


def measure_held_out(
    value: Any, target: Any, probabilities: Any, valid: Any, part: Any
) -> dict[str, Any]:
    """Return the variance explained and the gain with its error, for all and for two parts."""
    gain = 100 * gains(value, target, probabilities, valid)
    figures: dict[str, Any] = {
        "positions": len(gain),
        "explained": round(explained(value, target, valid), 5),
        "gain over least probability, points a position": _mean(gain),
    }
    for number in np.unique(part)[:2].tolist():
        figures[f"gain on part {number}"] = _mean(gain[part == number])
    return figures


def _mean(x: Any) -> list[float]:
    """Return the mean and its standard error."""
    return [round(float(x.mean()), 3), round(float(x.std() / max(1, len(x)) ** 0.5), 3)]
