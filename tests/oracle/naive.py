"""Slow, obvious reference implementations: sets and loops, without engine or kernels."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

from sapper.board.board import Board
from sapper.board.position import COVERED, FLAG, Position

WORD = 2**64


def neighbours_by_touch(board: Board) -> list[list[int]]:
    """Return the neighbours of each cell, from the outlines: cells that share a corner.

    Hexagons and triangular-edge need two corners; on a torus the corners wrap.
    """
    width, height = board.size
    corners = []
    for cell in board.cells:
        points = [(round(x, 6), round(y, 6)) for x, y in board.outline(cell)]
        if board.tiling == "torus":
            points = [(x % width, y % height) for x, y in points]
        corners.append(set(points))
    least = 2 if board.tiling in ("hexagonal", "triangular-edge") else 1
    return [
        [d for d in board.cells if d != c and len(corners[c] & corners[d]) >= least]
        for c in board.cells
    ]


def random_words(seed: int):
    """Yield xoshiro256** numbers seeded by SplitMix64, as their definitions say."""
    state = []
    for i in range(1, 5):
        z = (seed + i * 0x9E3779B97F4A7C15) % WORD
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        state.append(z ^ (z >> 31))

    def rotate(x: int, k: int) -> int:
        return (x << k | x >> (64 - k)) % WORD

    while True:
        yield rotate(state[1] * 5 % WORD, 7) * 9 % WORD
        t = state[1] << 17
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] = (state[2] ^ t) % WORD
        state[3] = rotate(state[3], 45)


def below(words, bound: int) -> int:
    """Return a uniform number below *bound*: the high bits of a product, biased ones rejected."""
    while True:
        product = (next(words) >> 32) * bound
        if product % 2**32 >= 2**32 % bound:
            return product >> 32


def random_mines(cells: int, mine_free_cells: set[int], mines: int, seed: int) -> set[int]:
    """Return the mines of the random layout of a seed."""
    words = random_words(seed)
    allowed = [c for c in range(cells) if c not in mine_free_cells]
    for i in range(mines):
        j = i + below(words, len(allowed) - i)
        allowed[i], allowed[j] = allowed[j], allowed[i]
    return set(allowed[:mines])


def count_numbers(board: Board, mines: set[int]) -> list[int]:
    """Return the number of mines around each cell."""
    return [sum(int(d) in mines for d in board.around(c)) for c in board.cells]


def opening(board: Board, mines: set[int], start: int, closed: set[int] = frozenset()) -> set[int]:
    """Return the cells that a click on *start* reveals; cells in *closed* (flags) stay covered."""
    numbers = count_numbers(board, mines)
    seen, todo = {start}, [start]
    while todo:
        cell = todo.pop()
        if numbers[cell] == 0:
            for other in map(int, board.around(cell)):
                if other not in seen and other not in closed:
                    seen.add(other)
                    todo.append(other)
    return seen


def fewest_clicks(board: Board, mines: set[int]) -> tuple[int, int, int]:
    """Return 3BV, openings and islands, by clicking zeros until there are none left."""
    numbers = count_numbers(board, mines)
    safe = set(board.cells) - mines
    zeros = {c for c in safe if numbers[c] == 0}
    revealed: set[int] = set()
    openings = 0
    for zero in sorted(zeros):
        if zero not in revealed:
            openings += 1
            revealed |= opening(board, mines, zero)
    rest = safe - revealed
    return openings + len(rest), openings, _regions(board, rest)


def _regions(board: Board, cells: set[int]) -> int:
    count, left = 0, set(cells)
    while left:
        count += 1
        todo = [left.pop()]
        while todo:
            for other in map(int, board.around(todo.pop())):
                if other in left:
                    left.remove(other)
                    todo.append(other)
    return count


def solutions(position: Position) -> list[frozenset[int]]:
    """Return every set of covered cells that satisfies every number; flags are trusted."""
    covered = [c for c in position.board.cells if position.marks[c] == COVERED]
    flags = {c for c in position.board.cells if position.marks[c] == FLAG}
    found = []
    for size in range(len(covered) + 1):
        for chosen in combinations(covered, size):
            numbers = count_numbers(position.board, flags | set(chosen))
            if all(position.marks[c] in (COVERED, FLAG, numbers[c]) for c in position.board.cells):
                found.append(frozenset(chosen))
    return found


def one_click_counts(board: Board) -> list[int]:
    """Count the layouts of 0, 1, 2, ... mines that one click wins."""
    counts = []
    for number in range(len(board) + 1):
        layouts = (set(mines) for mines in combinations(board.cells, number))
        counts.append(sum(1 for mines in layouts if winning_clicks(board, mines)))
    return counts


def winning_clicks(board: Board, mines: set[int]) -> set[int]:
    """Return the cells whose click reveals every safe cell."""
    safe = set(board.cells) - mines
    return {click for click in safe if opening(board, mines, click) == safe}


def grow(board: Board, words, start: int, target: int, newest: int) -> set[int]:
    """Return a random opening from the zero *start* that ends at *target* cells or when stuck.

    A cell that would open too many is set aside, and tried again after others have grown.
    """
    safe, ready, aside, grown, last = {start}, [start], [], True, 1
    while len(safe) < target:
        if not ready:
            if not grown or not aside:
                return safe
            ready, aside, grown = aside, [], False
        if below(words, 256) >= newest:
            pick = below(words, len(ready))
        else:
            pick = len(ready) - 1 - below(words, min(last, len(ready)))
        cell, ready[pick] = ready[pick], ready[-1]
        ready.pop()
        fresh = [other for other in map(int, board.around(cell)) if other not in safe]
        if len(safe) + len(fresh) > target:
            aside.insert(0, cell)
            continue
        # The cell that waits longest moves to the front; every new cell moves it back.
        if aside:
            aside.insert(0, aside.pop())
        safe |= set(fresh)
        ready += fresh
        last = len(fresh) or last
        for _ in fresh if aside else ():
            aside.append(aside.pop(0))
        grown = True
    return safe


def paper_closure(board: Board, marks: list[int], most: int) -> tuple[dict[int, bool], int]:
    """Return what sets of up to *most* numbers decide, and the size of the largest set needed.

    Every set of numbers is tried with every way to fill its covered cells; steps of fewest numbers
    come first.
    """
    numbered = [c for c in board.cells if marks[c] >= 0]
    known: dict[int, bool] = {}
    hardest = 0
    while True:
        for size in range(1, most + 1):
            found: dict[int, bool] = {}
            for chosen in combinations(numbered, size):
                found |= _decided_by(board, marks, chosen, known)
            if found:
                known |= found
                hardest = max(hardest, size)
                break
        else:
            return known, hardest


def _decided_by(
    board: Board, marks: list[int], chosen: tuple[int, ...], known: dict[int, bool]
) -> dict[int, bool]:
    around = {h: [int(d) for d in board.around(h) if marks[d] < 0] for h in chosen}
    covered = sorted({d for near in around.values() for d in near} - known.keys())
    ways = []
    for bits in product((False, True), repeat=len(covered)):
        placed = known | dict(zip(covered, bits, strict=True))
        if all(sum(placed[d] for d in around[h]) == marks[h] for h in chosen):
            ways.append(bits)
    columns = list(zip(*ways, strict=True))
    return {d: c[0] for d, c in zip(covered, columns, strict=True) if len(set(c)) == 1}


def rational_rank(rows: list[list[int]]) -> int:
    """Return the rank of a matrix, by elimination with fractions."""
    left = [[Fraction(x) for x in row] for row in rows]
    rank = 0
    while left and left[0]:
        pivot = next((row for row in left if row[0]), None)
        if pivot is None:
            left = [row[1:] for row in left]
            continue
        rank += 1
        left.remove(pivot)
        left = [
            [x - row[0] / pivot[0] * y for x, y in zip(row[1:], pivot[1:], strict=True)]
            for row in left
        ]
    return rank


def counted_solutions(position: Position) -> list[frozenset[int]]:
    """Return the solutions with the right number of mines."""
    return [found for found in solutions(position) if len(found) == position.mines]


def careful_reveal(position: Position) -> tuple[set[int], int | None]:
    """Return the safe cells, or the guess of the careful player.

    Its guess has the least probability, then the fewest neighbours, then touches a number, then has
    the lowest index.
    """
    found = counted_solutions(position)
    covered = [cell for cell in position.board.cells if position.marks[cell] == COVERED]
    mines = {cell: sum(cell in solution for solution in found) for cell in covered}
    certain = {cell for cell in covered if mines[cell] == 0}
    if certain or not covered:
        return certain, None

    def rank(cell: int) -> tuple[int, int, bool, int]:
        around = position.board.around(cell)
        return mines[cell], len(around), all(position.marks[d] < 0 for d in around), cell

    return certain, min(covered, key=rank)


def exact_probabilities(position: Position) -> tuple[int, dict[int, Fraction | None]] | None:
    """Return the number of solutions and the probabilities, by trying every set of the frontier.

    None if there is no solution. Flags are covered cells here. Without a mine count all solutions
    of the frontier have the same weight, and the interior has no probability.
    """
    board, marks = position.board, position.marks.tolist()
    hidden = [c for c in board.cells if marks[c] < 0]
    shown = [c for c in board.cells if marks[c] >= 0]
    frontier = [c for c in hidden if any(marks[d] >= 0 for d in board.around(c))]
    interior = [c for c in hidden if c not in set(frontier)]
    total, mines_inside = 0, 0
    mines = dict.fromkeys(frontier, 0)
    for chosen in product((0, 1), repeat=len(frontier)):
        placed = dict(zip(frontier, chosen, strict=True))
        if any(sum(placed.get(int(d), 0) for d in board.around(c)) != marks[c] for c in shown):
            continue
        weight = 1
        if position.mines is not None:
            left = position.mines - sum(chosen)
            weight = comb(len(interior), left) if left >= 0 else 0
            mines_inside += weight * left
        total += weight
        for cell in frontier:
            mines[cell] += weight * placed[cell]
    if total == 0:
        return None
    probabilities: dict[int, Fraction | None] = {c: Fraction(mines[c], total) for c in frontier}
    for cell in interior:
        probabilities[cell] = (
            None if position.mines is None else Fraction(mines_inside, total * len(interior))
        )
    return total, probabilities


def value_probabilities(position: Position, cell: int) -> dict[int, Fraction]:
    """Return for each value the share of solutions in which the cell is safe and shows it."""
    board = position.board
    hidden = [c for c in board.cells if position.marks[c] < 0]
    found: dict[int, int] = {}
    total = 0
    for chosen in combinations(hidden, position.mines):
        numbers = count_numbers(board, set(chosen))
        if any(position.marks[c] >= 0 and position.marks[c] != numbers[c] for c in board.cells):
            continue
        total += 1
        if cell not in chosen:
            found[numbers[cell]] = found.get(numbers[cell], 0) + 1
    return {v: Fraction(n, total) for v, n in sorted(found.items())}


def reviewed(position: Position, opened: list[int]) -> tuple[Fraction, Fraction, bool]:
    """Return the risk of opening cells, the least risk of any cell, and whether all are equal."""
    found = counted_solutions(position.without_flags())
    total = len(found)
    risk = Fraction(sum(1 for mines in found if mines & set(opened)), total)
    probabilities = [
        Fraction(sum(1 for mines in found if cell in mines), total)
        for cell in position.board.cells
        if position.marks[cell] < 0
    ]
    return risk, min(probabilities), min(probabilities) == max(probabilities)
