"""The symmetries of a board: permutations of its cells that keep neighbours neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, zip_longest

from sapper.board.board import Board, Point

Symmetry = tuple[int, ...]
"""The image of each cell."""

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

# The search for one symmetry gives up after this many steps.
MAX_STEPS = 20_000


def symmetries(board: Board, max_count: int = 256) -> list[Symmetry]:
    """Return up to *max_count* symmetries, the identity first.

    As many images of cell 0 as possible are among them.
    A square board has 8 symmetries, a rectangle 4, a torus more than cells.
    """
    cells = list(board.cells)
    near = [frozenset(map(int, board.around(cell))) for cell in cells]
    classes = _cell_classes(near)
    order = board.breadth_first()
    candidates = [_symmetries_to(order, near, classes, image) for image in cells]
    chosen: list[Symmetry] = []
    # In turn one symmetry for each image of cell 0.
    for round_ in zip_longest(*(islice(candidate, max_count) for candidate in candidates)):
        chosen += [symmetry for symmetry in round_ if symmetry is not None]
        if len(chosen) >= max_count:
            break
    return chosen[:max_count]


def orbits(board: Board, images: Iterable[Symmetry]) -> list[list[int]]:
    """Return the cells in groups that the symmetries map to each other, by their lowest cells."""
    # A union-find structure in which the lowest cell represents its group.
    parent = list(board.cells)

    def lowest(cell: int) -> int:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for image in images:
        for cell in board.cells:
            a, b = lowest(cell), lowest(image[cell])
            parent[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for cell in board.cells:
        groups.setdefault(lowest(cell), []).append(cell)
    return list(groups.values())


def outline_classes(board: Board) -> list[list[int]]:
    """Return the classes of cells that reflections and rotations of the drawn board exchange.

    This takes no search, unlike `symmetries`. On a graph each cell is its own class.

    >>> from sapper.board.tilings import tiling
    >>> outline_classes(tiling("square", 3, 2))
    [[0, 2, 3, 5], [1, 4]]
    """
    return orbits(board, _outline_symmetries(board))


def _outline_symmetries(board: Board) -> list[Symmetry]:
    """Return the transforms of the outlines that map neighbours to neighbours."""
    if not board.has_outlines:
        return []
    centres = [_centre(board, cell) for cell in board.cells]
    origin = tuple(
        (min(c[axis] for c in centres) + max(c[axis] for c in centres)) / 2 for axis in (0, 1)
    )
    places = [(x - origin[0], y - origin[1]) for x, y in centres]
    cell_at = {_rounded(place): cell for cell, place in enumerate(places)}
    images = []
    for transform in _TRANSFORMS:
        image = tuple(cell_at.get(_rounded(transform(*place)), -1) for place in places)
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


def _cell_classes(near: list[frozenset[int]]) -> list[int]:
    """Return a class for each cell; only cells of the same class can be images of each other."""
    classes = [len(others) for others in near]
    while True:
        # A cell's own class and the classes of its neighbours give a finer class.
        numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        finer = []
        for own, others in zip(classes, near, strict=True):
            key = own, tuple(sorted(classes[other] for other in others))
            finer.append(numbers.setdefault(key, len(numbers)))
        if len(numbers) == len(set(classes)):
            return finer
        classes = finer


def _symmetries_to(
    order: list[int], near: list[frozenset[int]], classes: list[int], image: int
) -> Iterator[Symmetry]:
    """Yield the symmetries that map the first cell of the order to *image*."""
    image_of: dict[int, int] = {}
    taken: set[int] = set()
    steps = 0

    def fits(cell: int, target: int) -> bool:
        return classes[cell] == classes[target] and all(
            (other in near[cell]) == (image_of_other in near[target])
            for other, image_of_other in image_of.items()
        )

    def options(index: int) -> Iterator[int]:
        cell = order[index]
        if index == 0:
            targets = {image}
        else:
            mapped = [image_of[other] for other in near[cell] if other in image_of]
            targets = set(near[mapped[0]]) if mapped else set(range(len(near)))
        return iter(sorted(target for target in targets - taken if fits(cell, target)))

    path = [options(0)]
    while path and steps < MAX_STEPS:
        steps += 1
        cell = order[len(path) - 1]
        if cell in image_of:
            taken.discard(image_of.pop(cell))
        target = next(path[-1], None)
        if target is None:
            path.pop()
            continue
        image_of[cell] = target
        taken.add(target)
        if len(path) < len(order):
            path.append(options(len(path)))
        else:
            yield tuple(image_of[cell] for cell in range(len(order)))
