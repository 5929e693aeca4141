"""Positions of random games, as rows of characters."""

from __future__ import annotations

import numpy as np

from training.pictures.colours import Random


def random_position(rng: Random, width: int, height: int) -> tuple[list[str], int]:
    """Return the marks of a random game as rows of characters, and its mine counter."""
    density = rng.uniform(0.08, 0.24) if rng.random() < 0.8 else rng.uniform(0.24, 0.5)
    n = width * height
    mines = np.zeros((height, width), bool)
    mines.flat[rng.choice(n, max(1, round(density * n)), replace=False)] = True
    counts = _count_around(mines)
    revealed = np.zeros_like(mines)
    outcome = rng.random()
    is_won = outcome < 0.12
    if is_won:
        share_to_reveal = 1.0
    elif outcome < 0.18:
        share_to_reveal = 0.0
    else:
        share_to_reveal = rng.uniform(0.05, 0.98)
    safe = np.flatnonzero(~mines)
    zeros = np.flatnonzero(~mines.ravel() & (counts.ravel() == 0))
    clicks = list(rng.permutation(safe))
    if len(zeros) and not is_won:
        clicks.insert(0, int(rng.choice(zeros)))
    for click in clicks:
        if revealed.sum() >= share_to_reveal * len(safe):
            break
        # Players mostly reveal cells next to revealed ones.
        stays_near = revealed.any() and share_to_reveal < 1 and rng.random() < 0.7
        if stays_near and not _count_around(revealed).flat[click]:
            continue
        _reveal(revealed, counts, int(click))
    text = np.full((height, width), "#")
    for number in range(9):
        text[revealed & (counts == number)] = "." if number == 0 else str(number)
    flagged_share = rng.choice([0.0, 0.3, 0.8, 1.0], p=[0.25, 0.2, 0.3, 0.25])
    flags = mines & (_count_around(revealed) > 0) & (rng.random(mines.shape) < flagged_share)
    if is_won and rng.random() < 0.7:
        flags = mines
    text[flags] = "F"
    if rng.random() < 0.04:
        text[(text == "#") & (rng.random(text.shape) < 0.05)] = "?"
    if share_to_reveal < 1 and rng.random() < 0.14:  # lost
        text[mines & (text != "F")] = "*"
        unflagged = np.flatnonzero((text == "*").ravel())
        if len(unflagged) and rng.random() < 0.8:
            text.flat[rng.choice(unflagged)] = "X"
    return ["".join(row) for row in text], int(mines.sum() - (text == "F").sum())


def _reveal(revealed: np.ndarray, counts: np.ndarray, click: int) -> None:
    """Add a cell to those revealed, and its opening if it is a zero."""
    height, width = counts.shape
    stack = [click]
    while stack:
        cell = stack.pop()
        if revealed.flat[cell]:
            continue
        revealed.flat[cell] = True
        if counts.flat[cell] == 0:
            y, x = divmod(cell, width)
            stack += [
                j * width + i
                for j in range(max(0, y - 1), min(height, y + 2))
                for i in range(max(0, x - 1), min(width, x + 2))
            ]


def _count_around(mask: np.ndarray) -> np.ndarray:
    """Return how many cells of a mask are in the 3x3 cells around each cell."""
    height, width = mask.shape
    padded = np.pad(mask.astype(int), 1)
    return sum(padded[i : i + height, j : j + width] for i in range(3) for j in range(3))
