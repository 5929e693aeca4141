"""The weights in the score of `shrewd`, fitted to recorded choices.

Within each position the win rates of the cells are regressed on the terms of the score. The result
is measured by the gain of the cell with the highest score over the choice of `thoughtful`, with
several margins in favour of the latter; positions are judged by weights from other games.
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
BLEND = 0.8
FOLDS = 5
# The first scalar of the second network that looks two moves ahead, and the unit of scalars.
INFLUENCE, UNIT = 20, 4096
# A lower bound for the errors of rates, which are estimated from few samples.
MIN_ERROR = 0.01
CHOSEN_BY_THOUGHTFUL = 1


@dataclass(frozen=True)
class Choices:
    """Recorded cells by position: position i has those from start[i] to start[i + 1]."""

    start: Any
    terms: Any
    """The terms of the score of each cell, minus their means over the position."""
    rate: Any
    """The win rate of each cell, minus the mean over its position."""
    error: Any
    theirs: Any
    """For each position, the index of the cell that `thoughtful` chose."""
    line: Any
    seed: Any

    @property
    def position(self) -> Any:
        """The position of each cell."""
        return np.repeat(np.arange(len(self.theirs)), np.diff(self.start))


def load(folder: Path) -> Choices:
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
    # follow = BLEND safest + (1 - BLEND) second safest
    following = (arrays["follow"] - BLEND * arrays["safest"]) / (1.0 - BLEND)
    second = _values("square-large", arrays["patch"], scalar)
    terms = np.stack([arrays["first"], second, following, arrays["influence"]], axis=1)
    return Choices(
        *(start, _centred(terms, start), _centred(arrays["rate"][:, None], start)[:, 0]),
        *(arrays["error"], np.flatnonzero(arrays["chosen"] & CHOSEN_BY_THOUGHTFUL)),
        *(arrays["position"][:, 0], arrays["position"][:, -1]),
    )


def _values(name: str, patch: Any, scalar: Any) -> Any:
    weights = bundled(name)
    assert weights is not None
    seen = np.ascontiguousarray(scalar[:, : weights.scalars]).reshape(-1)
    patches = np.ascontiguousarray(patch).reshape(-1)
    return network.run(make_network(weights, IMAGES), patches, seen, np.zeros(len(patch)))


def _centred(values: Any, start: Any) -> Any:
    means = np.add.reduceat(values, start[:-1]) / np.diff(start)[:, None]
    return values - np.repeat(means, np.diff(start), axis=0)


def fit(choices: Choices, cells: Any) -> tuple[Any, Any]:
    """Return the weights of the terms by least squares over these cells, and their errors."""
    precision = 1.0 / np.maximum(choices.error[cells], MIN_ERROR) ** 2
    terms, rate = choices.terms[cells], choices.rate[cells]
    weighted = (terms * precision[:, None]).T
    square = weighted @ terms
    weights = np.linalg.solve(square, weighted @ rate)
    return weights, np.sqrt(np.diag(np.linalg.inv(square)))


def gains(choices: Choices, worth: Any, margin: float) -> Any:
    """Return for each position the gain of the best cell over the choice of `thoughtful`."""
    worth = worth.copy()
    worth[choices.theirs] += margin
    best = np.lexsort((-worth, choices.position))[choices.start[:-1]]
    return choices.rate[best] - choices.rate[choices.theirs]


def cross_validated(choices: Choices) -> Any:
    """Return the score of each cell with weights that were fitted to other games."""
    fold = (choices.seed % FOLDS)[choices.position]
    worth = np.zeros(len(fold))
    for i in range(FOLDS):
        weights, _ = fit(choices, fold != i)
        worth[fold == i] = choices.terms[fold == i] @ weights
    return worth


def report(folder: Path) -> list[str]:
    """Return the weights with their errors, and what each margin gains, line by line."""
    choices = load(folder)
    weights, errors = fit(choices, np.ones(len(choices.rate), bool))
    fitted = (
        f"{name} {weight:.3f} ± {error:.3f}"
        for name, weight, error in zip(TERMS, weights, errors, strict=True)
    )
    lines = [f"{len(choices.theirs):,} guesses: {', '.join(fitted)}"]
    worth = cross_validated(choices)
    for margin in MARGINS:
        gain = 100 * gains(choices, worth, margin)
        parts = []
        for i, line in enumerate(LINES):
            ours = gain[choices.line == i]
            if len(ours) > 1:
                error = ours.std() / len(ours) ** 0.5
                parts.append(f"{' '.join(line[:2])} {ours.mean():+.3f} ± {error:.3f}")
        lines.append(f"margin {margin:g}, points a guess over thoughtful: {'; '.join(parts)}")
    return lines
