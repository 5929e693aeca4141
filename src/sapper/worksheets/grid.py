"""The grid of puzzles on a page of a worksheet: how many columns and rows, and how large."""

from __future__ import annotations

from dataclasses import dataclass

Area = tuple[float, float, float, float]
"""Left, top, width and height, in points."""

MAX_COLUMNS, MAX_ROWS = 8, 10


@dataclass(frozen=True)
class Block:
    """The size of one puzzle on a page: a picture, a caption above it, text or lines below it."""

    width: float
    """The width of the picture, in its own units."""
    height: float
    """The height of the picture, in its own units."""
    caption_height: float
    """In points, as are the fields below."""
    height_below: float
    """The height of the text or lines below the picture."""
    min_width: float
    """The width that the text or lines need."""
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
    block: Block, area: Area, min_scale: float, max_scale: float, count: int, per_page: int | None
) -> Grid:
    """Return the grid for *count* blocks: as many on a page as fit, then the largest.

    Blocks are not smaller than *min_scale*, unless not even one fits at that scale or *per_page*
    sets the number of blocks on a page.
    """
    _, _, width, _ = area
    max_columns = int((width + block.gap) / (block.min_width + block.gap)) or 1
    grids = [
        Grid(columns, rows, _scale(block, area, columns, rows, max_scale), columns * rows)
        for columns in range(1, min(max_columns, MAX_COLUMNS) + 1)
        for rows in range(1, MAX_ROWS + 1)
    ]
    if per_page is None:
        # A little less than the largest scale, to tolerate rounding.
        min_scale = min(min_scale, 0.999 * max(grid.scale for grid in grids))
        fitting = [grid for grid in grids if grid.scale >= min_scale]
        needed = min(count, max(grid.blocks for grid in fitting))
    else:
        fitting, needed = grids, per_page
    enough = [grid for grid in fitting if grid.blocks >= needed]
    best = max(enough, key=lambda grid: (grid.scale, -grid.blocks, grid.columns))
    return best if per_page is None else Grid(best.columns, best.rows, best.scale, per_page)


def _scale(block: Block, area: Area, columns: int, rows: int, max_scale: float) -> float:
    """Return the largest scale, up to *max_scale*, at which the blocks fit into the area."""
    _, _, width, height = area
    block_width = (width + block.gap) / columns - block.gap
    block_height = (
        (height + block.gap) / rows - block.gap - block.caption_height - block.height_below
    )
    return min(block_width / block.width, block_height / block.height, max_scale)


def block_areas(grid: Grid, block: Block, area: Area) -> list[Area]:
    """Return the areas of the blocks on a page, row by row; rows are not spread over the page."""
    left, top, width, height = area
    column_width = (width + block.gap) / grid.columns
    compact_height = (
        block.caption_height + grid.scale * block.height + block.height_below + 2 * block.gap
    )
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
