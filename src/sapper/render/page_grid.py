"""The grid of puzzles on a page of a worksheet: columns, rows and scale."""

from __future__ import annotations

from dataclasses import dataclass

Area = tuple[float, float, float, float]
"""Left, top, width and height, in points."""

MAX_COLUMNS, MAX_ROWS = 8, 10


@dataclass(frozen=True)
class Block:
    """A picture with a caption, repeated on a page."""

    width: float
    height: float
    """Width and height are in units of the picture."""
    caption: float
    """The height of the caption, in points, like the gap between blocks."""
    gap: float


@dataclass(frozen=True)
class Grid:
    """Columns and rows of blocks, and the scale in points for each unit of the picture."""

    columns: int
    rows: int
    scale: float
    blocks: int
    """The number of blocks on a page."""


def best_grid(
    block: Block, room: Area, least: float, largest: float, count: int, wanted: int | None
) -> Grid:
    """Return the grid with as many blocks as possible at the least scale, or fewer, larger ones.

    *wanted*, the number of blocks on a page, overrides the least scale. If not even one block fits
    at the least scale, the largest scale that fits is used.
    """
    grids = [
        Grid(columns, rows, _scale(block, room, columns, rows, largest), columns * rows)
        for columns in range(1, MAX_COLUMNS + 1)
        for rows in range(1, MAX_ROWS + 1)
    ]
    if wanted is None:
        # A little less than the largest scale, to tolerate rounding.
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
    """Return the areas of the blocks on a page, row by row; rows are not spread over the page."""
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
