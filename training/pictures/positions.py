"""Positions of random games, as rows of states."""

from __future__ import annotations

import numpy as np

from training.pictures.colours import Random


def random_position(rng: Random, width: int, height: int) -> tuple[list[str], int]:
    """Return the states of a random game as rows, and its mine counter."""
    density = rng.uniform(0.08, 0.24) if rng.random() < 0.8 else rng.uniform(0.24, 0.5)
    n = width * height
    mines = np.zeros((height, width), bool)
    mines.flat[rng.choice(n, max(1, round(density * n)), replace=False)] = True
    padded = np.pad(mines.astype(int), 1)
    counts = sum(
        padded[1 + i : 1 + i + height, 1 + j : 1 + j + width]
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    )
    opened = np.zeros_like(mines)
    kind = rng.random()
    if kind < 0.12:
        goal = 1.0  # won
    elif kind < 0.18:
        goal = 0.0
    else:
        goal = rng.uniform(0.05, 0.98)
    safe = np.flatnonzero(~mines)
    zeros = np.flatnonzero(~mines.ravel() & (counts.ravel() == 0))
    tries = list(rng.permutation(safe))
    if len(zeros) and kind >= 0.12:
        tries.insert(0, int(rng.choice(zeros)))
    for start in tries:
        if opened.sum() >= goal * len(safe):
            break
        if opened.any() and goal < 1 and rng.random() < 0.7:
            # Players open next to what is open.
            near = np.pad(opened, 1)
            touches = sum(
                near[1 + i : 1 + i + height, 1 + j : 1 + j + width]
                for i in (-1, 0, 1)
                for j in (-1, 0, 1)
            )
            if not touches.flat[start]:
                continue
        stack = [int(start)]
        while stack:
            cell = stack.pop()
            if opened.flat[cell]:
                continue
            opened.flat[cell] = True
            if counts.flat[cell] == 0:
                y, x = divmod(cell, width)
                stack += [
                    j * width + i
                    for j in range(max(0, y - 1), min(height, y + 2))
                    for i in range(max(0, x - 1), min(width, x + 2))
                ]
    text = np.full((height, width), "#")
    for number in range(9):
        text[opened & (counts == number)] = "." if number == 0 else str(number)
    near = np.pad(opened, 1)
    touched = sum(
        near[1 + i : 1 + i + height, 1 + j : 1 + j + width].astype(int)
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    )
    share = rng.choice([0.0, 0.3, 0.8, 1.0], p=[0.25, 0.2, 0.3, 0.25])
    flags = mines & (touched > 0) & (rng.random(mines.shape) < share)
    if kind < 0.12 and rng.random() < 0.7:
        flags = mines
    text[flags] = "F"
    if rng.random() < 0.04:
        text[(text == "#") & (rng.random(text.shape) < 0.05)] = "?"
    if goal < 1 and rng.random() < 0.14:  # lost
        text[mines & (text != "F")] = "*"
        left = np.flatnonzero((text == "*").ravel())
        if len(left) and rng.random() < 0.8:
            text.flat[rng.choice(left)] = "X"
    return ["".join(row) for row in text], int(mines.sum() - (text == "F").sum())
