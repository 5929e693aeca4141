"""Classes of cells that mirror images and rotations of the drawn board map to each other.

First cells of one class have the same win rate, so a campaign over all first cells takes one of
each. Unlike `board.symmetries` this looks only at the drawing, which takes no search.
"""

from __future__ import annotations

from collections.abc import Callable

from sapper.board.board import Board, Point
from sapper.board.symmetries import Symmetry, orbits

# The reflections and rotations of a square around its centre.
_TRANSFORMS: tuple[Callable[[float, float], Point], ...] = (
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
)


def cell_classes(board: Board) -> list[list[int]]:
    """Return the classes of equivalent cells, ascending; on a graph each cell is its own class.

    >>> from sapper.board.tilings import tiling
    >>> cell_classes(tiling("square", 3, 2))
    [[0, 2, 3, 5], [1, 4]]
    """
    return orbits(board, _images(board))


def _images(board: Board) -> list[Symmetry]:
    """Return the transforms of the outlines that map neighbours to neighbours."""
    if not board.has_outlines:
        return []
    centres = [_centre(board, cell) for cell in board.cells]
    origin = tuple(
        (min(c[axis] for c in centres) + max(c[axis] for c in centres)) / 2 for axis in (0, 1)
    )
    places = [(x - origin[0], y - origin[1]) for x, y in centres]
    at = {_rounded(place): cell for cell, place in enumerate(places)}
    images = []
    for transform in _TRANSFORMS:
        image = tuple(at.get(_rounded(transform(*place)), -1) for place in places)
        if -1 not in image and _keeps_neighbours(board, image):
            images.append(image)
    return images


def _centre(board: Board, cell: int) -> Point:
    corners = board.outline(cell)
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _rounded(place: Point) -> tuple[int, int]:
    return round(place[0] * 1000), round(place[1] * 1000)


def _keeps_neighbours(board: Board, image: Symmetry) -> bool:
    return all(
        {image[other] for other in board.around(cell)} == set(map(int, board.around(image[cell])))
        for cell in board.cells
    )
