"""A slow reference of puzzles: what some numbers prove, and what all of them prove, with sets.

Flags are mines here. A move maps a cell to 1 (a mine) or 0 (safe).
"""

from __future__ import annotations

import itertools

from sapper.board.position import COVERED, FLAG, Position

# Solutions that are looked at before a position counts as too wide for a list of them.
MAX_SOLUTIONS = 20_000


class TooMany(Exception):  # noqa: N818 - what happened, as a word
    """A position with more solutions than can be listed."""


def by_numbers(position: Position, most: int) -> dict[int, int]:
    """The moves that follow from some *most* numbers or fewer that share covered cells in a row."""
    seen = {
        number: frozenset(position.covered_around(number))
        for number in position.frontier_numbers.tolist()
    }
    moves: dict[int, int] = {}
    for numbers in sets_of(seen, most):
        moves.update(_said_by(position, seen, numbers))
    return moves


def sets_of(seen: dict[int, frozenset[int]], most: int) -> set[frozenset[int]]:
    """All sets of up to *most* numbers, each sharing a covered cell with another of its set."""
    found = {frozenset([number]) for number in seen}
    grown = set(found)
    for _ in range(most - 1):
        grown = {
            numbers | {other}
            for numbers in grown
            for other in seen
            if other not in numbers and any(seen[other] & seen[number] for number in numbers)
        }
        found |= grown
    return found


def _said_by(
    position: Position, seen: dict[int, frozenset[int]], numbers: frozenset[int]
) -> dict[int, int]:
    """Return what some numbers prove, by trying every count of mines in each box."""
    regions: dict[frozenset[int], list[int]] = {}
    for cell in frozenset().union(*(seen[number] for number in numbers)):
        regions.setdefault(frozenset(h for h in numbers if cell in seen[h]), []).append(cell)
    fills = [
        dict(zip(regions, numbers, strict=True))
        for numbers in itertools.product(*(range(len(cells) + 1) for cells in regions.values()))
    ]
    consistent = [
        fill
        for fill in fills
        if all(
            sum(n for touching, n in fill.items() if h in touching) == position.remaining_mines(h)
            for h in numbers
        )
    ]
    assert consistent, "a position of a game has a solution"
    moves = {}
    for touching, cells in regions.items():
        numbers = {fill[touching] for fill in consistent}
        if numbers == {0} or numbers == {len(cells)}:
            moves.update(dict.fromkeys(cells, int(numbers != {0})))
    return moves


def by_all(position: Position, with_count: bool) -> dict[int, int]:
    """The moves that follow from all numbers together, and from the mine count if asked."""
    cells, inside = position.frontier.tolist(), position.interior.tolist()
    left = (position.mines or 0) - len(position.flags)
    solutions = list(_solutions(position, cells))
    if with_count:
        solutions = [p for p in solutions if 0 <= left - len(p) <= len(inside)]
    moves = {c: int(c in solutions[0]) for c in cells if _alike(c in p for p in solutions)}
    if with_count and inside:
        full = {left - len(p) for p in solutions}
        if full == {0} or full == {len(inside)}:
            moves.update(dict.fromkeys(inside, int(full != {0})))
    return moves


def _solutions(position: Position, cells: list[int]):
    """Every set of mines on the frontier that meets all numbers, number by number."""
    frontier_numbers = position.frontier_numbers.tolist()
    tried = 0

    def go_on(k: int, mines: frozenset[int], safe: frozenset[int]):
        nonlocal tried
        tried += 1
        if tried > MAX_SOLUTIONS:
            raise TooMany
        if k == len(frontier_numbers):
            yield mines
            return
        around = position.covered_around(frontier_numbers[k])
        open_cells = [c for c in around if c not in mines and c not in safe]
        lacking = position.remaining_mines(frontier_numbers[k]) - sum(c in mines for c in around)
        if not 0 <= lacking <= len(open_cells):
            return
        for chosen in itertools.combinations(open_cells, lacking):
            rest = safe | (set(open_cells) - set(chosen))
            yield from go_on(k + 1, mines | set(chosen), rest)

    yield from go_on(0, frozenset(), frozenset())


def _alike(values) -> bool:
    return len(set(values)) == 1


def flags_by(position: Position, most: int) -> frozenset[int]:
    """The mines that sets of up to *most* numbers give on a bare position, again and again."""
    marks = position.marks.copy()
    marks[marks == FLAG] = COVERED
    while True:
        at = Position(position.board, marks, position.mines)
        mines = [cell for cell, value in by_numbers(at, most).items() if value]
        if not mines:
            return frozenset(at.flags.tolist())
        marks[mines] = FLAG
