"""Fitting a network to positions: only differences between candidates of one position are learned.

    loss = the mean over candidates of (f - mean f of the position - (t - mean t of the position))^2

The steps are made with PyTorch, on a GPU if there is one, or with numpy, for tests.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sapper.kernels.players.features import CODES
from sapper.players.networks import CHANNELS, Weights, random_weights
from sapper.players.patches import patch_of
from training.measure import summary
from training.positions import Positions

FIRST_PROBABILITY_CODE = 10
Report = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """The options of a fit."""

    first: int = 64
    second: int = 32
    scalars: int = 20
    epochs: float = 12.0
    seconds: float = 120.0
    batch: int = 4096
    rate: float = 2e-3
    decay: float = 0.01
    warm_up: int = 200
    seed: int = 1


def spread_codes() -> Any:
    """Return the weights of the channels for each code, a row per code."""
    spread = np.zeros((CODES, CHANNELS), np.float32)
    for code in range(CODES):
        if code < FIRST_PROBABILITY_CODE:
            spread[code, code] = 1.0
        else:
            knot, part = divmod(code - FIRST_PROBABILITY_CODE, 32)
            spread[code, FIRST_PROBABILITY_CODE + knot] = 1 - part / 32
            if part:
                spread[code, FIRST_PROBABILITY_CODE + knot + 1] = part / 32
    return spread


def starting_weights(tiling: str, settings: Settings) -> dict[str, Any]:
    """Return initial weights, with which a value is nearly the probability to be safe."""
    start = random_weights(
        *(tiling, patch_of(tiling).slots, settings.first, settings.second, settings.seed),
        settings.scalars,
    )
    given = {name: start.real(name) for name in start.arrays}
    given["rows"] *= 0.5
    given["last"] *= 0.1
    return given


def fit(
    positions: Positions,
    tiling: str,
    settings: Settings,
    start: Weights | None = None,
    engine: str = "torch",
    report: Report = print,
) -> Weights:
    """Return the fitted network, with what was measured on held-out positions on its card."""
    if start is not None:
        given = {name: start.real(name) for name in start.arrays}
    else:
        given = starting_weights(tiling, settings)
    if engine == "torch":
        from training.by_torch import Fitter
    else:
        from training.by_numpy import Fitter  # type: ignore[assignment]
    held_out = positions.held_out
    rows = positions.rows(int(np.diff(positions.start).max()))
    fitter = Fitter(positions, given, patch_of(tiling).symmetries, settings)
    took = _run(fitter, rows[~held_out], settings, report)
    kept = rows[held_out]
    values = fitter.values(kept)
    there = kept >= 0
    reported = summary(
        values,
        np.where(there, positions.target[kept], 0.0),
        np.where(there, positions.probabilities[kept], 2.0),
        there,
        positions.part[held_out],
    )
    report(f"held out: {reported}")
    card = {
        "fit": asdict(settings),
        "positions": len(positions),
        "candidates": len(positions.target),
        "by": fitter.by,
        "seconds": round(took, 1),
        "went on": start is not None,
        "held out": reported,
    }
    return Weights.of(tiling, fitter.weights(), card)


def _run(fitter: Any, rows: Any, settings: Settings, report: Report) -> float:
    """Make all steps of a fit, with warm-up and cosine decay; return the seconds."""
    random = np.random.default_rng(settings.seed)
    batch = min(settings.batch, len(rows))
    each = max(1, len(rows) // batch)
    steps = max(1, int(settings.epochs * each))
    warm_up = min(settings.warm_up, max(1, steps // 10))
    started, timed, step = time.monotonic(), 0.0, 0
    reported = started
    order = random.permutation(len(rows))
    losses: list[float] = []
    while step < steps:
        at = step % each
        if at == 0 and step:
            order = random.permutation(len(rows))
        rate = settings.rate * min(1.0, (step + 1) / warm_up)
        rate *= 0.5 * (1 + math.cos(math.pi * step / steps))
        losses.append(fitter.step(rows[order[at * batch : (at + 1) * batch]], rate))
        step += 1
        if step == 30:
            fitter.wait()
            timed = time.monotonic()
        elif step == 130:
            # The time of a step is known now: reduce their number to what the time allows.
            fitter.wait()
            pace = (time.monotonic() - timed) / 100
            left = settings.seconds - (time.monotonic() - started)
            steps = max(step + 1, min(steps, step + int(left / pace)))
            report(f"{steps} steps of {1000 * pace:.1f} ms: {steps / each:.1f} epochs")
        if time.monotonic() - reported > 10:
            reported = time.monotonic()
            report(f"step {step} of {steps}, loss {float(np.mean(fitter.read(losses))):.6f}")
            losses = []
    fitter.wait()
    return time.monotonic() - started
