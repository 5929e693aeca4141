"""Which cells of a board are alike: mirror images and turns of the board take one to the other.

A player's win rate from two such first cells is the same in the long run, so a campaign over all
first cells needs one of each class. Only moves of the drawn board are looked at, which takes no
search, as those of `model.symmetries` do.
"""

from __future__ import annotations

from collections.abc import Callable

from sapper.board.board import Board, Point
from sapper.board.symmetries import Symmetry, orbits

# The mirror images and turns of a square around its middle.
_MOVES: tuple[Callable[[float, float], Point], ...] = (
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
)


def classes(board: Board) -> list[list[int]]:
    """The cells in classes of those that are alike, ascending; on a bare graph each is its own.

    >>> from sapper.board.tilings import tiling
    >>> classes(tiling("square", 3, 2))
    [[0, 2, 3, 5], [1, 4]]
    """
    return orbits(board, _images(board))


def _images(board: Board) -> list[Symmetry]:
    """Where each cell goes, for every move of the outlines that keeps all neighbours together."""
    if not board.has_outlines:
        return []
    middles = [_middle(board, cell) for cell in board.cells]
    centre = tuple(
        (min(m[axis] for m in middles) + max(m[axis] for m in middles)) / 2 for axis in (0, 1)
    )
    places = [(x - centre[0], y - centre[1]) for x, y in middles]
    at = {_rounded(place): cell for cell, place in enumerate(places)}
    images = []
    for move in _MOVES:
        image = tuple(at.get(_rounded(move(*place)), -1) for place in places)
        if -1 not in image and _keeps_neighbours(board, image):
            images.append(image)
    return images


def _middle(board: Board, cell: int) -> Point:
    corners = board.outline(cell)
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _rounded(place: Point) -> tuple[int, int]:
    return round(place[0] * 1000), round(place[1] * 1000)


def _keeps_neighbours(board: Board, image: Symmetry) -> bool:
    return all(
        {image[other] for other in board.around(cell)} == set(map(int, board.around(image[cell])))
        for cell in board.cells
    )
