"""Weights that are not trained yet, and weights of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sapper.errors import Unavailable
from sapper.players.networks import Weights


def read_weights(path: Path) -> Weights:
    """Read the network of a file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unavailable(f"cannot read the network {path}: {error.strerror}") from None
    return Weights.from_bytes(data, path.name)


def with_scalars(weights: Weights, scalars: int) -> Weights:
    """Return a network with more scalar features, which do not count yet."""
    added = scalars - weights.scalars
    if added <= 0:
        return weights
    arrays = {name: weights.real(name) for name in weights.arrays}
    for name in ("from_scalars", "skip"):
        zeros = np.zeros((added, *arrays[name].shape[1:]))
        arrays[name] = np.concatenate([arrays[name], zeros])
    return Weights.of(weights.tiling, arrays, weights.card)


def risk_only(tiling: str, slots: int, scalars: int = 20) -> Weights:
    """Make an untrained network: the value of a candidate is the probability that it is safe."""
    shapes = Weights.shapes(slots, 8, 8, scalars)
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    arrays["skip"][0] = -1.0
    arrays["last_bias"][0] = 1.0
    return Weights.of(tiling, arrays, {"made": "untrained: values are probabilities"})


def random_weights(
    tiling: str, slots: int, first: int, second: int, seed: int, scalars: int = 20
) -> Weights:
    """Make a network of random weights, as initial weights and for tests."""
    random = np.random.default_rng(seed)
    shapes = Weights.shapes(slots, first, second, scalars)
    fan_in = {"rows": slots, "from_scalars": scalars, "middle": first, "last": second}
    arrays = {
        name: random.normal(0.0, (2.0 / fan_in[name]) ** 0.5, shape)
        if name in fan_in
        else np.zeros(shape)
        for name, shape in shapes.items()
    }
    arrays["skip"][0] = -1.0
    return Weights.of(tiling, arrays)
