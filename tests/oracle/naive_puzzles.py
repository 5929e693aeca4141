"""The slow, obvious twin of puzzles: what so many hints say, what all of them say, with sets.

Flags are mines here. A move maps a cell to 1 (a mine) or 0 (free).
"""

from __future__ import annotations

import itertools

from sapper.model.frame import BLANK, FLAG, Frame

# Placements that are looked at before a frame counts as too wide for a list of them.
MOST = 20_000


class TooMany(Exception):  # noqa: N818 - what happened, as a word
    """A frame with more placements than can be listed."""


def by_hints(frame: Frame, most: int) -> dict[int, int]:
    """The moves that follow from some *most* hints or fewer that share blanks in a row."""
    seen = {hint: frozenset(frame.blanks_around(hint)) for hint in frame.fringe.tolist()}
    moves: dict[int, int] = {}
    for hints in sets_of(seen, most):
        moves.update(_said_by(frame, seen, hints))
    return moves


def sets_of(seen: dict[int, frozenset[int]], most: int) -> set[frozenset[int]]:
    """All sets of up to *most* hints, each of which shares a blank with another of its set."""
    found = {frozenset([hint]) for hint in seen}
    grown = set(found)
    for _ in range(most - 1):
        grown = {
            hints | {other}
            for hints in grown
            for other in seen
            if other not in hints and any(seen[other] & seen[hint] for hint in hints)
        }
        found |= grown
    return found


def _said_by(
    frame: Frame, seen: dict[int, frozenset[int]], hints: frozenset[int]
) -> dict[int, int]:
    """What some hints say: blanks that the same ones see are alike, so only numbers are tried."""
    regions: dict[frozenset[int], list[int]] = {}
    for cell in frozenset().union(*(seen[hint] for hint in hints)):
        regions.setdefault(frozenset(h for h in hints if cell in seen[h]), []).append(cell)
    fills = [
        dict(zip(regions, numbers, strict=True))
        for numbers in itertools.product(*(range(len(cells) + 1) for cells in regions.values()))
    ]
    met = [
        fill
        for fill in fills
        if all(sum(n for who, n in fill.items() if h in who) == frame.need(h) for h in hints)
    ]
    assert met, "a frame of a game can be met"
    moves = {}
    for who, cells in regions.items():
        numbers = {fill[who] for fill in met}
        if numbers == {0} or numbers == {len(cells)}:
            moves.update(dict.fromkeys(cells, int(numbers != {0})))
    return moves


def by_all(frame: Frame, with_count: bool) -> dict[int, int]:
    """The moves that follow from all hints together, and from the mine count where it is asked."""
    cells, inside = frame.perimeter.tolist(), frame.interior.tolist()
    left = (frame.mines or 0) - len(frame.flags)
    placements = list(_placements(frame, cells))
    if with_count:
        placements = [p for p in placements if 0 <= left - len(p) <= len(inside)]
    moves = {c: int(c in placements[0]) for c in cells if _alike(c in p for p in placements)}
    if with_count and inside:
        full = {left - len(p) for p in placements}
        if full == {0} or full == {len(inside)}:
            moves.update(dict.fromkeys(inside, int(full != {0})))
    return moves


def _placements(frame: Frame, cells: list[int]):
    """Every set of mines on the perimeter that meets all hints, hint by hint."""
    fringe = frame.fringe.tolist()
    tried = 0

    def go_on(k: int, mines: frozenset[int], free: frozenset[int]):
        nonlocal tried
        tried += 1
        if tried > MOST:
            raise TooMany
        if k == len(fringe):
            yield mines
            return
        around = frame.blanks_around(fringe[k])
        open_cells = [c for c in around if c not in mines and c not in free]
        lacking = frame.need(fringe[k]) - sum(c in mines for c in around)
        if not 0 <= lacking <= len(open_cells):
            return
        for chosen in itertools.combinations(open_cells, lacking):
            rest = free | (set(open_cells) - set(chosen))
            yield from go_on(k + 1, mines | set(chosen), rest)

    yield from go_on(0, frozenset(), frozenset())


def _alike(values) -> bool:
    return len(set(values)) == 1


def flags_by(frame: Frame, most: int) -> frozenset[int]:
    """The mines that sets of up to *most* hints give on a bare frame, again and again."""
    marks = frame.marks.copy()
    marks[marks == FLAG] = BLANK
    while True:
        at = Frame(frame.board, marks, frame.mines)
        mines = [cell for cell, value in by_hints(at, most).items() if value]
        if not mines:
            return frozenset(at.flags.tolist())
        marks[mines] = FLAG
