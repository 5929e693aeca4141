"""A slow reference of puzzles: what some numbers prove, and what all of them prove, with sets.

Flags are mines here. A move maps a cell to 1 (a mine) or 0 (safe).
"""

import itertools

from sapper import FLAG, Position
from tests.oracle.naive_hints import solutions_of

# Steps of the search for all solutions before a position counts as too wide.
MAX_STEPS = 20_000


def moves_by_numbers(position: Position, most: int) -> dict[int, int]:
    """Return the moves that follow from sets of up to *most* numbers."""
    numbers = position.frontier_numbers.tolist()
    covered = {number: frozenset(position.covered_around(number)) for number in numbers}
    moves: dict[int, int] = {}
    for chosen in connected_sets(covered, most):
        moves.update(_proved_by(position, covered, chosen))
    return moves


def connected_sets(covered: dict[int, frozenset[int]], most: int) -> set[frozenset[int]]:
    """Return all sets of up to *most* numbers that are connected by shared covered cells."""
    largest = {frozenset([number]) for number in covered}
    connected = set(largest)
    for _ in range(most - 1):
        grown = set()
        for numbers in largest:
            cells = frozenset().union(*(covered[number] for number in numbers))
            grown |= {numbers | {n} for n in covered if n not in numbers and covered[n] & cells}
        largest = grown
        connected |= grown
    return connected


def _proved_by(
    position: Position, covered: dict[int, frozenset[int]], numbers: frozenset[int]
) -> dict[int, int]:
    """Return what some numbers prove, by trying every count of mines in each box."""
    boxes: dict[frozenset[int], list[int]] = {}
    for cell in frozenset().union(*(covered[number] for number in numbers)):
        boxes.setdefault(frozenset(n for n in numbers if cell in covered[n]), []).append(cell)
    solutions = []
    for counts in itertools.product(*(range(len(cells) + 1) for cells in boxes.values())):
        mines = dict(zip(boxes, counts, strict=True))
        sums = {n: sum(count for touched, count in mines.items() if n in touched) for n in numbers}
        if all(sums[n] == position.remaining_mines(n) for n in numbers):
            solutions.append(mines)
    moves = {}
    for box, cells in boxes.items():
        moves |= _moves(cells, {mines[box] for mines in solutions})
    return moves


def _moves(cells: list[int], counts: set[int]) -> dict[int, int]:
    """Return the moves on cells that hold one of these numbers of mines together."""
    if counts == {0}:
        return dict.fromkeys(cells, 0)
    return dict.fromkeys(cells, 1) if counts == {len(cells)} else {}


def moves_by_all_numbers(position: Position, with_count: bool) -> dict[int, int]:
    """Return the moves that follow from all numbers, *with_count* also from the mine count."""
    interior = position.interior.tolist()
    constraints = [
        (frozenset(position.covered_around(number)), position.remaining_mines(number))
        for number in position.frontier_numbers.tolist()
    ]
    solutions = list(solutions_of(constraints, MAX_STEPS))
    left = (position.mines or 0) - len(position.flags)
    if with_count:
        solutions = [mines for mines in solutions if 0 <= left - len(mines) <= len(interior)]
    moves = {}
    for cell in position.frontier.tolist():
        moves |= _moves([cell], {int(cell in mines) for mines in solutions})
    if with_count and interior:
        moves |= _moves(interior, {left - len(mines) for mines in solutions})
    return moves


def mines_by_numbers(position: Position, most: int) -> frozenset[int]:
    """Return the mines that sets of up to *most* numbers prove repeatedly, without the flags."""
    position = position.without_flags()
    while True:
        mines = [cell for cell, value in moves_by_numbers(position, most).items() if value]
        if not mines:
            return frozenset(position.flags.tolist())
        position = position.with_marks(dict.fromkeys(mines, FLAG))
