"""The symmetries of a board: permutations of its cells that map neighbours to neighbours."""

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

    They map cell 0 to as many different cells as possible.
    A square board has 8 symmetries, a rectangle 4, a torus more than it has cells.
    """
    cells = list(board.cells)
    neighbours = [frozenset(map(int, board.around(cell))) for cell in cells]
    classes = _cell_classes(neighbours)
    order = board.breadth_first()
    by_image = [_symmetries_to(image, order, neighbours, classes) for image in cells]
    chosen: list[Symmetry] = []
    # Each round takes one symmetry for each image of cell 0.
    for round_ in zip_longest(*(islice(candidates, max_count) for candidates in by_image)):
        chosen += [symmetry for symmetry in round_ if symmetry is not None]
        if len(chosen) >= max_count:
            break
    return chosen[:max_count]


def orbits(board: Board, permutations: Iterable[Symmetry]) -> list[list[int]]:
    """Return the cells in groups that the symmetries map to each other, by their lowest cells."""
    # A union-find structure in which the lowest cell represents its group.
    parent = list(board.cells)

    def lowest(cell: int) -> int:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for permutation in permutations:
        for cell in board.cells:
            a, b = lowest(cell), lowest(permutation[cell])
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
    return orbits(board, outline_symmetries(board))


def outline_symmetries(board: Board) -> list[Symmetry]:
    """Return the reflections and rotations of the drawn board, without the identity.

    A graph that is not drawn has none.
    """
    if not board.has_outlines:
        return []
    centres = [_centre(board, cell) for cell in board.cells]
    origin = tuple(
        (min(c[axis] for c in centres) + max(c[axis] for c in centres)) / 2 for axis in (0, 1)
    )
    points = [(x - origin[0], y - origin[1]) for x, y in centres]
    cell_at = {_rounded(point): cell for cell, point in enumerate(points)}
    permutations = []
    for transform in _TRANSFORMS:
        permutation = tuple(cell_at.get(_rounded(transform(*point)), -1) for point in points)
        if -1 not in permutation and _keeps_neighbours(board, permutation):
            permutations.append(permutation)
    return permutations


def _centre(board: Board, cell: int) -> Point:
    corners = board.outline(cell)
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _rounded(point: Point) -> tuple[int, int]:
    return round(point[0] * 1000), round(point[1] * 1000)


def _keeps_neighbours(board: Board, permutation: Symmetry) -> bool:
    return all(
        {permutation[other] for other in board.around(cell)}
        == set(map(int, board.around(permutation[cell])))
        for cell in board.cells
    )


def _cell_classes(neighbours: list[frozenset[int]]) -> list[int]:
    """Return a class for each cell; only cells of the same class can be images of each other."""
    classes = [len(others) for others in neighbours]
    while True:
        # A cell's own class and the classes of its neighbours give a finer class.
        class_of: dict[tuple[int, tuple[int, ...]], int] = {}
        finer_classes = []
        for own_class, others in zip(classes, neighbours, strict=True):
            key = own_class, tuple(sorted(classes[other] for other in others))
            finer_classes.append(class_of.setdefault(key, len(class_of)))
        if len(class_of) == len(set(classes)):
            return finer_classes
        classes = finer_classes


def _symmetries_to(
    image: int, order: list[int], neighbours: list[frozenset[int]], classes: list[int]
) -> Iterator[Symmetry]:
    """Yield the symmetries that map the first cell of *order* to *image*, by backtracking."""
    image_of: dict[int, int] = {}
    used_images: set[int] = set()
    steps = 0

    def fits(cell: int, target: int) -> bool:
        return classes[cell] == classes[target] and all(
            (other in neighbours[cell]) == (image_of_other in neighbours[target])
            for other, image_of_other in image_of.items()
        )

    def possible_images(index: int) -> Iterator[int]:
        cell = order[index]
        if index == 0:
            targets = {image}
        else:
            near = [image_of[other] for other in neighbours[cell] if other in image_of]
            targets = set(neighbours[near[0]]) if near else set(range(len(neighbours)))
        return iter(sorted(target for target in targets - used_images if fits(cell, target)))

    path = [possible_images(0)]
    while path and steps < MAX_STEPS:
        steps += 1
        cell = order[len(path) - 1]
        if cell in image_of:
            used_images.discard(image_of.pop(cell))
        target = next(path[-1], None)
        if target is None:
            path.pop()
            continue
        image_of[cell] = target
        used_images.add(target)
        if len(path) < len(order):
            path.append(possible_images(len(path)))
        else:
            yield tuple(image_of[cell] for cell in range(len(order)))
