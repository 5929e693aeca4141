"""How tables stand on a page: how many side by side and below each other, and how large."""

from __future__ import annotations

from dataclasses import dataclass

Area = tuple[float, float, float, float]
"""Left, top, width and height, in points."""

MOST_COLUMNS, MOST_ROWS = 8, 10


@dataclass(frozen=True)
class Block:
    """What is repeated over a page: a picture under a caption."""

    width: float
    height: float
    """In units of the picture."""
    caption: float
    """In points, like the gap to the next block."""
    gap: float


@dataclass(frozen=True)
class Grid:
    """Columns and rows of blocks, and the points that a unit of the picture takes."""

    columns: int
    rows: int
    scale: float
    blocks: int
    """How many are on a page: all places, or fewer where fewer were asked for."""


def best_grid(
    block: Block, room: Area, least: float, largest: float, count: int, wanted: int | None
) -> Grid:
    """As many blocks a page as keep the least scale; where fewer are needed, larger ones.

    *wanted* blocks a page overrule the least scale. What is too large even alone on a page
    gets the largest scale that fits, and as many a page as keep that.
    """
    grids = [
        Grid(columns, rows, _scale(block, room, columns, rows, largest), columns * rows)
        for columns in range(1, MOST_COLUMNS + 1)
        for rows in range(1, MOST_ROWS + 1)
    ]
    if wanted is None:
        # A hair below the largest possible, so that rounding does not spoil an equal one.
        least = min(least, 0.999 * max(grid.scale for grid in grids))
        fitting = [grid for grid in grids if grid.scale >= least]
        needed = min(count, max(grid.blocks for grid in fitting))
    else:
        fitting, needed = grids, wanted
    enough = [grid for grid in fitting if grid.blocks >= needed]
    best = max(enough, key=lambda grid: (grid.scale, -grid.blocks, grid.columns))
    return best if wanted is None else Grid(best.columns, best.rows, best.scale, wanted)


def _scale(block: Block, room: Area, columns: int, rows: int, largest: float) -> float:
    _, _, width, height = room
    wide = ((width + block.gap) / columns - block.gap) / block.width
    high = ((height + block.gap) / rows - block.gap - block.caption) / block.height
    return min(wide, high, largest)


def slots(grid: Grid, block: Block, room: Area) -> list[Area]:
    """Where the blocks of a page stand, row by row.

    Rows stay together at the top instead of being drawn out over the page.
    """
    left, top, width, height = room
    across = (width + block.gap) / grid.columns
    natural = block.caption + grid.scale * block.height + 2 * block.gap
    down = min((height + block.gap) / grid.rows, natural)
    return [
        (
            left + k % grid.columns * across,
            top + k // grid.columns * down,
            across - block.gap,
            down - block.gap,
        )
        for k in range(grid.blocks)
    ]
