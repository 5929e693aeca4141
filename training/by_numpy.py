"""Steps of a fit with numpy, for tests without PyTorch: the derivatives are written out."""

from __future__ import annotations

from typing import Any

import numpy as np

from training.fit import Settings, spread_codes
from training.positions import Positions


class Fitter:
    """A network being fitted: the steps of `by_torch`, with Adam and without weight decay."""

    by = "numpy"

    def __init__(
        self, positions: Positions, given: dict[str, Any], symmetries: Any, settings: Settings
    ) -> None:
        self.positions, self.symmetries = positions, symmetries
        self.spread = spread_codes().astype(np.float64)
        self.p = {key: np.array(values, np.float64) for key, values in given.items()}
        self.mean = {key: np.zeros_like(values) for key, values in self.p.items()}
        self.square = {key: np.zeros_like(values) for key, values in self.p.items()}
        self.random = np.random.default_rng(settings.seed)
        self.steps = 0

    def _forward(self, index: Any, turn: Any) -> tuple[Any, ...]:
        p = self.p
        patch = np.take_along_axis(self.positions.patch[index], self.symmetries[turn], axis=1)
        x = self.spread[patch].reshape(len(index), -1)
        scalar = self.positions.scalar[index] / 4096
        first = x @ p["rows"].reshape(x.shape[1], -1) + scalar @ p["from_scalars"] + p["first_bias"]
        hidden = np.maximum(first, 0.0)
        narrow = np.maximum(hidden @ p["middle"] + p["second_bias"], 0.0)
        return x, scalar, hidden, narrow, narrow @ p["last"] + scalar @ p["skip"]

    def gradient(self, rows: Any, turn: Any) -> tuple[float, dict[str, Any]]:
        """Return the loss on some positions and its derivatives; *turn* has their symmetries."""
        p = self.p
        there = rows >= 0
        position = np.nonzero(there)[0]
        index = rows[there]
        x, scalar, hidden, narrow, value = self._forward(index, turn[position])
        off = value - self.positions.target[index]
        counts = there.sum(axis=1)
        off -= (np.bincount(position, off, minlength=len(rows)) / counts)[position]
        # The derivatives of the means vanish: in each position the differences add up to 0.
        back = 2 * off / len(off)
        to_narrow = np.outer(back, p["last"]) * (narrow > 0)
        to_hidden = (to_narrow @ p["middle"].T) * (hidden > 0)
        return float((off**2).mean()), {
            "rows": (x.T @ to_hidden).reshape(p["rows"].shape),
            "from_scalars": scalar.T @ to_hidden,
            "first_bias": to_hidden.sum(axis=0),
            "middle": hidden.T @ to_narrow,
            "second_bias": to_narrow.sum(axis=0),
            "last": narrow.T @ back,
            "skip": scalar.T @ back,
            "last_bias": np.zeros(1),
        }

    def step(self, rows: Any, rate: float) -> float:
        """Make a step on some positions and return its loss."""
        turn = self.random.integers(len(self.symmetries), size=len(rows))
        loss, slopes = self.gradient(rows, turn)
        self.steps += 1
        for key, slope in slopes.items():
            self.mean[key] = 0.9 * self.mean[key] + 0.1 * slope
            self.square[key] = 0.999 * self.square[key] + 0.001 * slope**2
            mean = self.mean[key] / (1 - 0.9**self.steps)
            square = self.square[key] / (1 - 0.999**self.steps)
            self.p[key] -= rate * mean / (np.sqrt(square) + 1e-8)
        return loss

    def values(self, rows: Any) -> Any:
        """Return the values of all candidates of some positions, without symmetries."""
        there = rows >= 0
        found = np.zeros(rows.shape)
        turn = np.zeros(int(there.sum()), np.int64)
        found[there] = self._forward(rows[there], turn)[-1]
        return found

    def weights(self) -> dict[str, Any]:
        """Return the current weights."""
        return self.p

    def wait(self) -> None:
        """Do nothing: every step is complete when it returns."""

    @staticmethod
    def read(losses: list[float]) -> list[float]:
        """Return losses as numbers."""
        return losses or [0.0]
