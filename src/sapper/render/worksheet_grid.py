"""The grid of puzzles on a page of a worksheet: how many columns and rows, and how large."""

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
    """The height of the caption above, in points, like all that follows."""
    below: float
    """The height of the text or lines below."""
    min_width: float
    """The width that they need."""
    gap: float
    """The gap between blocks."""


@dataclass(frozen=True)
class Grid:
    """Columns and rows of blocks, and the scale in points for each unit of the picture."""

    columns: int
    rows: int
    scale: float
    blocks: int
    """The number of blocks on a page."""


def best_grid(
    block: Block, area: Area, min_scale: float, max_scale: float, count: int, wanted: int | None
) -> Grid:
    """Return the grid with as many blocks as possible at the smallest scale, or fewer, larger ones.

    *wanted*, the number of blocks on a page, overrides *min_scale*. If not even one block fits
    at that scale, the largest scale that fits is used.
    """
    max_columns = int((area[2] + block.gap) / (block.min_width + block.gap)) or 1
    grids = [
        Grid(columns, rows, _scale(block, area, columns, rows, max_scale), columns * rows)
        for columns in range(1, min(max_columns, MAX_COLUMNS) + 1)
        for rows in range(1, MAX_ROWS + 1)
    ]
    if wanted is None:
        # A little less than the largest scale, to tolerate rounding.
        min_scale = min(min_scale, 0.999 * max(grid.scale for grid in grids))
        fitting = [grid for grid in grids if grid.scale >= min_scale]
        needed = min(count, max(grid.blocks for grid in fitting))
    else:
        fitting, needed = grids, wanted
    enough = [grid for grid in fitting if grid.blocks >= needed]
    best = max(enough, key=lambda grid: (grid.scale, -grid.blocks, grid.columns))
    return best if wanted is None else Grid(best.columns, best.rows, best.scale, wanted)


def _scale(block: Block, area: Area, columns: int, rows: int, max_scale: float) -> float:
    _, _, width, height = area
    block_width = (width + block.gap) / columns - block.gap
    block_height = (height + block.gap) / rows - block.gap - block.caption - block.below
    return min(block_width / block.width, block_height / block.height, max_scale)


def slots(grid: Grid, block: Block, area: Area) -> list[Area]:
    """Return the areas of the blocks on a page, row by row; rows are not spread over the page."""
    left, top, width, height = area
    column_width = (width + block.gap) / grid.columns
    compact_height = block.caption + grid.scale * block.height + block.below + 2 * block.gap
    row_height = min((height + block.gap) / grid.rows, compact_height)
    return [
        (
            left + k % grid.columns * column_width,
            top + k // grid.columns * row_height,
            column_width - block.gap,
            row_height - block.gap,
        )
        for k in range(grid.blocks)
    ]
