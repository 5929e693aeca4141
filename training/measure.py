"""Measures of a fit on held-out positions."""

from __future__ import annotations

from typing import Any

import numpy as np


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


def summary(value: Any, target: Any, probabilities: Any, valid: Any, part: Any) -> dict[str, Any]:
    """Return both measures, with the gain in points and its error, for all and for two parts."""
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
