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
        inputs = x @ p["rows"].reshape(x.shape[1], -1) + scalar @ p["from_scalars"]
        first_layer = np.maximum(inputs + p["first_bias"], 0.0)
        second_layer = np.maximum(first_layer @ p["middle"] + p["second_bias"], 0.0)
        return x, scalar, first_layer, second_layer, second_layer @ p["last"] + scalar @ p["skip"]

    def loss_and_gradients(self, rows: Any, symmetry: Any) -> tuple[float, dict[str, Any]]:
        """Return the loss on some positions and its gradients; *symmetry* has one for each."""
        p = self.p
        valid = rows >= 0
        position = np.nonzero(valid)[0]
        index = rows[valid]
        x, scalar, first_layer, second_layer, value = self._forward(index, symmetry[position])
        errors = value - self.positions.target[index]
        counts = valid.sum(axis=1)
        errors -= (np.bincount(position, errors, minlength=len(rows)) / counts)[position]
        # The derivatives of the means vanish: in each position the differences add up to 0.
        output_gradient = 2 * errors / len(errors)
        second_gradient = np.outer(output_gradient, p["last"]) * (second_layer > 0)
        first_gradient = (second_gradient @ p["middle"].T) * (first_layer > 0)
        return float((errors**2).mean()), {
            "rows": (x.T @ first_gradient).reshape(p["rows"].shape),
            "from_scalars": scalar.T @ first_gradient,
            "first_bias": first_gradient.sum(axis=0),
            "middle": first_layer.T @ second_gradient,
            "second_bias": second_gradient.sum(axis=0),
            "last": second_layer.T @ output_gradient,
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
        values = np.zeros(rows.shape)
        symmetry = np.zeros(int(valid.sum()), np.int64)
        values[valid] = self._forward(rows[valid], symmetry)[-1]
        return values

    def weights(self) -> dict[str, Any]:
        """Return the current weights."""
        return self.p

    def wait(self) -> None:
        """Do nothing: every step is complete when it returns."""

    @staticmethod
    def read(losses: list[float]) -> list[float]:
        """Return losses as numbers."""
        return losses or [0.0]
