"""The symmetries of a board: the ways to put it onto itself so that neighbours stay neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from sapper.board.board import Board

Symmetry = tuple[int, ...]
"""Where each cell goes."""

# Steps of the search for one symmetry; a board that needs more passes for one without it.
PATIENCE = 20_000


def symmetries(board: Board, most: int = 256) -> list[Symmetry]:
    """Up to *most* symmetries, the identity first, with as many images of cell 0 as there are.

    A square board has 8 of them, a rectangle 4, a torus more than cells, a graph whatever it has.
    """
    cells = list(board.cells)
    near = [frozenset(map(int, board.around(cell))) for cell in cells]
    alike = _alike(near)
    order = _wave(near)
    candidates = [_from(order, near, alike, image) for image in cells]
    found: list[Symmetry] = []
    for turn in zip_longest(*(islice(candidate, most) for candidate in candidates)):
        found += [symmetry for symmetry in turn if symmetry is not None]
        if len(found) >= most:
            break
    return found[:most]


def orbits(board: Board, images: Iterable[Symmetry]) -> list[list[int]]:
    """The cells in groups that the symmetries carry into each other, by their lowest cells."""
    lower = list(board.cells)

    def lowest(cell: int) -> int:
        while lower[cell] != cell:
            cell = lower[cell]
        return cell

    for image in images:
        for cell in board.cells:
            a, b = lowest(cell), lowest(image[cell])
            lower[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for cell in board.cells:
        found.setdefault(lowest(cell), []).append(cell)
    return list(found.values())


def _alike(near: list[frozenset[int]]) -> list[int]:
    """A number for each cell; only cells of the same number can be images of each other."""
    kind = [len(others) for others in near]
    while True:
        names: dict[tuple[int, tuple[int, ...]], int] = {}
        finer = [
            names.setdefault((kind[c], tuple(sorted(kind[d] for d in near[c]))), len(names))
            for c in range(len(near))
        ]
        if len(names) == len(set(kind)):
            return finer
        kind = finer


def _wave(near: list[frozenset[int]]) -> list[int]:
    """All cells, each after one of its neighbours where it has any before it."""
    order: list[int] = []
    seen: set[int] = set()
    for start in range(len(near)):
        todo = [start] if start not in seen else []
        seen.add(start)
        while todo:
            cell = todo.pop(0)
            order.append(cell)
            fresh = sorted(near[cell] - seen)
            seen.update(fresh)
            todo += fresh
    return order


def _from(
    order: list[int], near: list[frozenset[int]], alike: list[int], image: int
) -> Iterator[Symmetry]:
    """The symmetries that carry the first cell of the wave to *image*, while patience lasts."""
    image_of: dict[int, int] = {}
    taken: set[int] = set()
    steps = 0

    def fits(cell: int, to: int) -> bool:
        return alike[cell] == alike[to] and all(
            (other in near[cell]) == (there in near[to]) for other, there in image_of.items()
        )

    def options(place: int) -> Iterator[int]:
        cell = order[place]
        if place == 0:
            near_by = {image}
        else:
            before = [image_of[d] for d in near[cell] if d in image_of]
            near_by = set(near[before[0]]) if before else set(range(len(near)))
        return iter(sorted(to for to in near_by - taken if fits(cell, to)))

    path = [options(0)]
    while path and steps < PATIENCE:
        steps += 1
        place = len(path) - 1
        if order[place] in image_of:
            taken.discard(image_of.pop(order[place]))
        to = next(path[-1], None)
        if to is None:
            path.pop()
            continue
        image_of[order[place]] = to
        taken.add(to)
        if len(path) < len(order):
            path.append(options(len(path)))
        else:
            yield tuple(image_of[cell] for cell in range(len(order)))
