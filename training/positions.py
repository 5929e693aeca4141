"""The recorded positions for a fit, with targets of reduced variance, split by game.

t = y + V (hit - p) is the target of a candidate with outcome y, which hits a mine with the known
probability p. V is the mean outcome of safe candidates in similar positions. This control variate
removes a third of the variance and does not change the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

LN_SOLUTIONS, MINES_SHARE = 8, 6  # scalars that define similar positions
BINS = 24
HELD_OUT_OF = 20


@dataclass(frozen=True)
class Positions:
    """Records of candidates by position: position i has those from start[i] to start[i + 1]."""

    patch: Any
    scalar: Any
    probabilities: Any
    target: Any
    start: Any
    part: Any
    seed: Any

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def held_out(self) -> Any:
        """The mask of the positions for measuring: all of one game in twenty."""
        mixed = (self.seed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
        return mixed % np.uint64(HELD_OUT_OF) == 0

    def rows(self, width: int) -> Any:
        """Return a row of record indices for each position, padded with -1 to *width* entries."""
        counts = np.diff(self.start)
        rows = self.start[:-1, None] + np.arange(width)
        return np.where(np.arange(width) < counts[:, None], rows, -1)


def load(folders: list[Path], scalars: int) -> Positions:
    """Read all shards of some folders."""
    paths = sorted(path for folder in folders for path in folder.glob("shard-*.npz"))
    if not paths:
        raise SystemExit(f"expected shards in {', '.join(map(str, folders))}, got none")
    shards: dict[str, list[Any]] = {}
    for path in paths:
        with np.load(path) as shard:
            for name in ("patch", "hit", "probabilities", "value", "start", "part", "seed"):
                shards.setdefault(name, []).append(shard[name])
            shards.setdefault("scalar", []).append(shard["scalar"][:, :scalars])
    offsets = np.cumsum([0, *(len(values) for values in shards["value"])])
    start = [
        starts[:-1].astype(np.int64) + offset
        for starts, offset in zip(shards.pop("start"), offsets, strict=False)
    ]
    arrays = {name: np.concatenate(values) for name, values in shards.items()}
    starts = np.concatenate([*start, offsets[-1:]])
    target = targets(arrays["value"], arrays["hit"], arrays["probabilities"], arrays["scalar"])
    return Positions(
        arrays["patch"],
        arrays["scalar"],
        arrays["probabilities"],
        target,
        starts,
        arrays["part"],
        arrays["seed"],
    )


def targets(value: Any, hit: Any, probabilities: Any, scalar: Any) -> Any:
    """Return the outcome of each candidate, corrected for the luck of hitting a mine or not."""
    edges = np.quantile(scalar[:, LN_SOLUTIONS], np.linspace(0, 1, BINS + 1)[1:-1])
    by_solutions = np.searchsorted(edges, scalar[:, LN_SOLUTIONS])
    by_density = np.searchsorted(np.array([0.15, 0.19, 0.22, 0.26]) * 4096, scalar[:, MINES_SHARE])
    bins = by_solutions * 5 + by_density
    safe = hit == 0
    sums = np.bincount(bins[safe], value[safe], minlength=5 * BINS)
    counts = np.bincount(bins[safe], minlength=5 * BINS)
    mean = sums / np.maximum(counts, 1)
    return (value + mean[bins] * (hit - probabilities)).astype(np.float32)
