"""The games of the training data: a mixture of sizes, densities and rules for each tiling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Rules, first click and number of games in every cycle."""

    size: str
    rule: str
    first: str
    games: int
    tiling: str = "square"


# Expert gives half of the positions: small boards have few guesses before their end game.
SQUARE = (
    Part("30x16/99", "safe", "r1c1", 24),
    Part("30x16/99", "zero", "r4c4", 24),
    Part("30x16/99", "any", "r1c1", 2),
    Part("8x8/10", "safe", "r1c1", 24),
    Part("8x8/10", "zero", "r3c3", 24),
    Part("9x9/10", "safe", "r1c1", 30),
    Part("9x9/10", "zero", "r3c3", 30),
    Part("9x9/16", "any", "r5c5", 10),
    Part("12x12/24", "zero", "r4c4", 8),
    Part("16x16/40", "safe", "r1c1", 16),
    Part("16x16/40", "zero", "r3c3", 16),
    Part("16x16/51", "safe", "r1c1", 4),
    Part("16x16/56", "zero", "r4c4", 3),
    Part("24x16/72", "any", "r8c12", 2),
    Part("20x20/60", "safe", "r1c1", 3),
    Part("20x20/80", "zero", "r4c4", 3),
    Part("20x20/92", "safe", "r10c10", 2),
    Part("24x24/99", "zero", "r4c4", 2),
    Part("25x20/110", "any", "r1c1", 2),
    Part("24x20/99", "safe", "r1c1", 2),
    Part("30x20/120", "zero", "r4c4", 2),
    Part("30x24/86", "safe", "r1c1", 2),
    Part("30x30/150", "zero", "r4c4", 1),
    Part("30x30/180", "safe", "r1c1", 1),
)

# Mine densities for other tilings, at which games need guesses; they are not tuned.
MINE_DENSITIES = {
    "torus": (0.13, 0.16, 0.2),
    "hexagonal": (0.14, 0.18, 0.2),
    "triangular": (0.1, 0.14, 0.18),
    "triangular-edge": (0.14, 0.18, 0.22),
}
SIZES = ((10, 10, 16), (16, 16, 6), (24, 16, 4), (20, 20, 3))


def mixture(tiling: str) -> tuple[Part, ...]:
    """Return the parts of a cycle on a tiling."""
    if tiling == "square":
        return SQUARE
    return tuple(
        Part(f"{width}x{height}/{round(density * width * height)}", rule, first, games, tiling)
        for width, height, games in SIZES
        for density in MINE_DENSITIES[tiling]
        for rule, first in (("safe", "r1c1"), ("zero", "r4c4"))
    )
