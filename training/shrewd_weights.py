"""Fit the weights in the score of `shrewd` to recorded choices.

Within each position the win rates of the cells are regressed on the terms of the score. The result
is measured by the gain of the cell with the highest score over the choice of `thoughtful`, with
several margins in favour of the latter; a position is scored with weights fitted to other games.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sapper.kernels.players import network
from sapper.players.learned import make_network
from sapper.players.networks import bundled
from training.choices import LINES

TERMS = ("first_weight", "second_weight", "ahead", "influence")
"""The settings of `shrewd` that are fitted, in the order of the columns."""
MARGINS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02)
IMAGES = 8
"""The symmetric images of a patch over which the network is averaged."""
BLEND = 0.8
"""The weight of the safest next cell in `follow`; the second safest has the rest."""
FOLDS = 5
# The first scalar of the second network that looks two moves ahead, and the unit of scalars.
INFLUENCE, UNIT = 20, 4096
# A lower bound for the errors of rates, which are estimated from few samples.
MIN_ERROR = 0.01
CHOSEN_BY_THOUGHTFUL = 1
"""The bit of `chosen` that marks the choice of `thoughtful`."""


@dataclass(frozen=True)
class Choices:
    """Recorded cells by position: position i has the cells start[i] to start[i + 1] - 1."""

    start: Any
    terms: Any
    """The terms of the score of each cell, minus their means over the position."""
    rate: Any
    """The win rate of each cell, minus the mean over its position."""
    error: Any
    """The standard error of each win rate."""
    thoughtful_cell: Any
    """For each position, the index of the cell that `thoughtful` chose."""
    line: Any
    """For each position, the index of its game's size, rule and first click in LINES."""
    seed: Any
    """For each position, the seed of its game."""

    @property
    def position(self) -> Any:
        """The position of each cell."""
        return np.repeat(np.arange(len(self.thoughtful_cell)), np.diff(self.start))


def load_choices(folder: Path) -> Choices:
    """Read all shards of a folder, and evaluate each cell with the network of the package."""
    shards: dict[str, list[Any]] = {}
    for path in sorted(folder.glob("choices-*.npz")):
        with np.load(path) as shard:
            for name in shard.files:
                shards.setdefault(name, []).append(shard[name])
    if not shards:
        raise SystemExit(f"expected recorded choices in {folder}, got none")
    counts = np.concatenate([np.diff(start) for start in shards.pop("start")])
    arrays = {name: np.concatenate(values) for name, values in shards.items()}
    start = np.concatenate([[0], np.cumsum(counts)])
    scalar = arrays["scalar"].copy()
    for i, name in enumerate(("influence", "follow", "sure")):
        scalar[:, INFLUENCE + i] = (arrays[name] * UNIT + 0.5).astype(np.int16)
    second_safest = (arrays["follow"] - BLEND * arrays["safest"]) / (1.0 - BLEND)
    second = _network_values("square-large", arrays["patch"], scalar)
    terms = np.stack([arrays["first"], second, second_safest, arrays["influence"]], axis=1)
    return Choices(
        start,
        _subtract_means(terms, start),
        _subtract_means(arrays["rate"][:, None], start)[:, 0],
        arrays["error"],
        np.flatnonzero(arrays["chosen"] & CHOSEN_BY_THOUGHTFUL),
        arrays["position"][:, 0],
        arrays["position"][:, -1],
    )


def _network_values(name: str, patch: Any, scalar: Any) -> Any:
    weights = bundled(name)
    assert weights is not None
    inputs = np.ascontiguousarray(scalar[:, : weights.scalars]).reshape(-1)
    patches = np.ascontiguousarray(patch).reshape(-1)
    values = np.zeros(len(patch))
    network.run(make_network(weights, IMAGES), patches, inputs, values)
    return values


def _subtract_means(values: Any, start: Any) -> Any:
    means = np.add.reduceat(values, start[:-1]) / np.diff(start)[:, None]
    return values - np.repeat(means, np.diff(start), axis=0)


def fit_weights(choices: Choices, cells: Any) -> tuple[Any, Any]:
    """Return the weights of the terms by least squares over these cells, and their errors."""
    precision = 1.0 / np.maximum(choices.error[cells], MIN_ERROR) ** 2
    terms, rate = choices.terms[cells], choices.rate[cells]
    weighted = (terms * precision[:, None]).T
    normal = weighted @ terms
    weights = np.linalg.solve(normal, weighted @ rate)
    return weights, np.sqrt(np.diag(np.linalg.inv(normal)))


def gains(choices: Choices, scores: Any, margin: float) -> Any:
    """Return, for each position, the gain of the best-scored cell over that of `thoughtful`."""
    scores = scores.copy()
    scores[choices.thoughtful_cell] += margin
    best = np.lexsort((-scores, choices.position))[choices.start[:-1]]
    return choices.rate[best] - choices.rate[choices.thoughtful_cell]


def cross_validated_scores(choices: Choices) -> Any:
    """Return the score of each cell with weights that were fitted to other games."""
    fold = (choices.seed % FOLDS)[choices.position]
    scores = np.zeros(len(fold))
    for i in range(FOLDS):
        weights, _ = fit_weights(choices, fold != i)
        scores[fold == i] = choices.terms[fold == i] @ weights
    return scores


def report(folder: Path) -> list[str]:
    """Return the lines of a report: the weights with their errors, and the gain at each margin."""
    choices = load_choices(folder)
    weights, errors = fit_weights(choices, np.ones(len(choices.rate), bool))
    fitted = (
        f"{name} {weight:.3f} ± {error:.3f}"
        for name, weight, error in zip(TERMS, weights, errors, strict=True)
    )
    lines = [f"{len(choices.thoughtful_cell):,} guesses: {', '.join(fitted)}"]
    scores = cross_validated_scores(choices)
    for margin in MARGINS:
        gain = 100 * gains(choices, scores, margin)
        parts = []
        for i, line in enumerate(LINES):
            line_gains = gain[choices.line == i]
            if len(line_gains) > 1:
                error = line_gains.std() / len(line_gains) ** 0.5
                parts.append(f"{' '.join(line[:2])} {line_gains.mean():+.3f} ± {error:.3f}")
        lines.append(f"margin {margin:g}, points per guess over thoughtful: {'; '.join(parts)}")
    return lines
