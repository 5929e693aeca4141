"""Steps of a fit with numpy, for tests without PyTorch: gradients are written out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from training.fit import Settings, code_channels
from training.positions import Positions


class Fitter:
    """A network being fitted: the steps of `fit_torch`, with Adam and without weight decay."""

    by = "numpy"

    def __init__(
        self, positions: Positions, initial: dict[str, Any], symmetries: Any, settings: Settings
    ) -> None:
        self.positions, self.symmetries = positions, symmetries
        self.channels = code_channels().astype(np.float64)
        self.p = {key: np.array(values, np.float64) for key, values in initial.items()}
        self.mean = {key: np.zeros_like(values) for key, values in self.p.items()}
        self.square = {key: np.zeros_like(values) for key, values in self.p.items()}
        self.random = np.random.default_rng(settings.seed)
        self.steps = 0

    def _forward(self, index: Any, symmetry: Any) -> tuple[Any, ...]:
        p = self.p
        patch = np.take_along_axis(self.positions.patch[index], self.symmetries[symmetry], axis=1)
        x = self.channels[patch].reshape(len(index), -1)
        scalar = self.positions.scalar[index] / 4096
        first = x @ p["rows"].reshape(x.shape[1], -1) + scalar @ p["from_scalars"] + p["first_bias"]
        hidden = np.maximum(first, 0.0)
        narrow = np.maximum(hidden @ p["middle"] + p["second_bias"], 0.0)
        return x, scalar, hidden, narrow, narrow @ p["last"] + scalar @ p["skip"]

    def loss_and_gradients(self, rows: Any, symmetry: Any) -> tuple[float, dict[str, Any]]:
        """Return the loss on some positions and its gradients; *symmetry* has one for each."""
        p = self.p
        valid = rows >= 0
        position = np.nonzero(valid)[0]
        index = rows[valid]
        x, scalar, hidden, narrow, value = self._forward(index, symmetry[position])
        errors = value - self.positions.target[index]
        counts = valid.sum(axis=1)
        errors -= (np.bincount(position, errors, minlength=len(rows)) / counts)[position]
        # The derivatives of the means vanish: in each position the differences add up to 0.
        output_gradient = 2 * errors / len(errors)
        narrow_gradient = np.outer(output_gradient, p["last"]) * (narrow > 0)
        hidden_gradient = (narrow_gradient @ p["middle"].T) * (hidden > 0)
        return float((errors**2).mean()), {
            "rows": (x.T @ hidden_gradient).reshape(p["rows"].shape),
            "from_scalars": scalar.T @ hidden_gradient,
            "first_bias": hidden_gradient.sum(axis=0),
            "middle": hidden.T @ narrow_gradient,
            "second_bias": narrow_gradient.sum(axis=0),
            "last": narrow.T @ output_gradient,
            "skip": scalar.T @ output_gradient,
            "last_bias": np.zeros(1),
        }

    def step(self, rows: Any, rate: float) -> float:
        """Make a step on some positions and return its loss."""
        symmetry = self.random.integers(len(self.symmetries), size=len(rows))
        loss, gradients = self.loss_and_gradients(rows, symmetry)
        self.steps += 1
        for key, gradient in gradients.items():
            self.mean[key] = 0.9 * self.mean[key] + 0.1 * gradient
            self.square[key] = 0.999 * self.square[key] + 0.001 * gradient**2
            mean = self.mean[key] / (1 - 0.9**self.steps)
            square = self.square[key] / (1 - 0.999**self.steps)
            self.p[key] -= rate * mean / (np.sqrt(square) + 1e-8)
        return loss

    def values(self, rows: Any) -> Any:
        """Return the values of all candidates of some positions, without symmetries."""
        valid = rows >= 0
        found = np.zeros(rows.shape)
        symmetry = np.zeros(int(valid.sum()), np.int64)
        found[valid] = self._forward(rows[valid], symmetry)[-1]
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
