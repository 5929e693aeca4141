"""Staircases: one-click boards of the square tiling whose mines fill the upper left corner.

empty    number of cells without a mine
widths   empty cells of each row from top to bottom, never decreasing, flush right;
         the click is the last cell. For example 4 rows of 7 columns, widths (0, 4, 6, 6):

             *******
             ***....
             *......
             *.....c

On boards of 2x2 and more, the click wins a staircase with two or more empty cells exactly if no row
has one empty cell and the last two rows have equally many.
If a board has any one-click layout, it has a staircase with the same number of mines.
docs/how-it-works/one-click.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Widths = tuple[int, ...]


def contest_cases(rows: int, columns: int, empty: int) -> Widths | None:
    """Follow the cases of the Code Jam analysis (2014), with corrections.

    The corrections: a board without any empty cell is a case; the last mine of a row moves to the
    next row only if the row would keep one empty cell, where the analysis says to place "less than
    C - 2" mines; the order of the cases matters.
    """
    if empty == 0:
        return None
    if empty == 1 or rows == 1:
        return (0,) * (rows - 1) + (empty,)
    if columns == 1:
        return (0,) * (rows - empty) + (1,) * empty
    if empty in (2, 3):
        return None
    if min(rows, columns) == 2 and empty % 2:
        return None
    if rows == 2:
        return (empty // 2, empty // 2)
    if columns == 2:
        return (0,) * (rows - empty // 2) + (2,) * (empty // 2)
    if empty >= 3 * columns:
        return _row_by_row(rows, columns, rows * columns - empty)
    if empty >= 9:
        return (0,) * (rows - 3) + _column_by_column(columns, 3 * columns - empty)
    corner = {4: (0, 2, 2), 6: (0, 3, 3), 8: (2, 3, 3)}.get(empty)
    return None if corner is None else (0,) * (rows - 3) + corner


def _row_by_row(rows: int, columns: int, mines: int) -> Widths:
    """Fill rows from the top; a row that lacks one mine passes its last mine to the next row."""
    full, rest = divmod(mines, columns)
    if rest <= columns - 2:
        tail = (columns - rest,) * (rest > 0)
    else:
        tail = (2, columns - 1)
    return (0,) * full + tail + (columns,) * (rows - full - len(tail))


def _column_by_column(columns: int, mines: int) -> Widths:
    """Fill three rows by columns from the left; a second mine goes on top of the next column."""
    full, rest = divmod(mines, 3)
    return (columns - full - rest, columns - full, columns - full)


def closed_form(rows: int, columns: int, empty: int) -> Widths | None:
    """Compute the row widths in closed form."""
    if empty == 0:
        return None
    if empty == 1 or rows == 1:
        return (0,) * (rows - 1) + (empty,)
    if columns == 1:
        return (0,) * (rows - empty) + (1,) * empty
    if empty in (2, 3, 5, 7) or (min(rows, columns) == 2 and empty % 2):
        return None
    if columns == 2 or empty > 2 * columns:
        full, rest = divmod(empty, columns)
        if rest != 1:
            bottom: Widths = (rest,) * (rest > 0) + (columns,) * full
        elif full > 2:
            bottom = (2, columns - 1) + (columns,) * (full - 1)
        else:
            bottom = (3, columns - 1, columns - 1)
    elif empty % 2 == 0:
        bottom = (empty // 2, empty // 2)
    else:
        bottom = (3, (empty - 3) // 2, (empty - 3) // 2)
    return (0,) * (rows - len(bottom)) + bottom


def backtrack(rows: int, columns: int, empty: int) -> Widths | None:
    """Search row by row as in the analysis, with non-increasing mines and pruning."""
    if empty <= 1:
        return (0,) * (rows - 1) + (1,) if empty else None
    mines: list[int] = []
    choices = [_mines_of_row(rows, columns, rows * columns - empty, columns)]
    mines_left = rows * columns - empty
    while choices:
        count = next(choices[-1], None)
        if count is None:
            choices.pop()
            if mines:
                mines_left += mines.pop()
        elif len(choices) == rows:
            return tuple(columns - m for m in [*mines, count])
        else:
            mines.append(count)
            mines_left -= count
            choices.append(_mines_of_row(rows - len(mines), columns, mines_left, count))
    return None


def _mines_of_row(rows: int, columns: int, mines: int, max_mines: int) -> Iterator[int]:
    """Yield the possible numbers of mines in the first of *rows*, highest first.

    *mines* is the number left for all rows. No later row may have more, so this one has at least
    the average; the last two rows are equal. A row must not have exactly one empty cell, unless
    rows have only one cell.
    """
    if rows <= 2:
        counts: Iterable[int] = () if mines % rows else (mines // rows,)
    else:
        counts = range(min(max_mines, mines), -(-mines // rows) - 1, -1)
    return (
        count for count in counts if count <= max_mines and (count != columns - 1 or columns == 1)
    )
