"""Reference check of a proof: a search for an assignment of mines that contradicts it."""

from __future__ import annotations

from collections.abc import Collection

from sapper.board.board import Board


def proves(
    board: Board,
    marks: list[int],
    numbers: Collection[int],
    mines: Collection[int],
    total: int | None,
    cell: int,
    is_mine: bool,
) -> bool:
    """Return whether a cell must be (or not be) a mine, given some numbers and known mines.

    *total* is the mine count where it may be used. Nothing else of the board is looked at: every
    other covered cell may be a mine or not.
    """
    covered = [c for c in board.cells if marks[c] < 0 and c not in mines]
    if cell not in covered:
        return False
    left = {h: marks[h] - sum(int(d) in mines for d in board.around(h)) for h in numbers}
    sees = {c: [h for h in numbers if c in set(map(int, board.around(h)))] for c in covered}
    near = [c for c in covered if sees[c]]
    rest = len(covered) - len(near)
    if cell not in near:
        near, rest = [cell, *near], rest - 1
    # The cells of one number after the other, so that a number that cannot be met shows early.
    near.sort(key=lambda c: (c != cell, min(sees[c], default=-1)))
    open_around = {h: sum(h in sees[c] for c in near) for h in numbers}

    def otherwise(k: int, placed: int) -> bool:
        """Return whether the cells from the k-th on can be filled so that all numbers hold."""
        if k == len(near):
            if total is None:
                return True
            return 0 <= total - len(mines) - placed <= rest
        here = near[k]
        for value in (0, 1) if here != cell else (0 if is_mine else 1,):
            for h in sees[here]:
                left[h] -= value
                open_around[h] -= 1
            fits = all(0 <= left[h] <= open_around[h] for h in sees[here])
            found = fits and otherwise(k + 1, placed + value)
            for h in sees[here]:
                left[h] += value
                open_around[h] += 1
            if found:
                return True
        return False

    if not all(0 <= left[h] <= open_around[h] for h in numbers):
        return False  # from what cannot be, nothing is learned
    return not otherwise(0, 0)
