"""Slow, obvious reference implementations: sets and loops, without engine or kernels."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from sapper import Board, Position

WORD = 2**64
Solution = frozenset[int]


@cache
def neighbours(board: Board) -> list[frozenset[int]]:
    """Return the neighbours of each cell as sets."""
    return [frozenset(board.around(cell).tolist()) for cell in board.cells]


def distances(board: Board, start: int) -> dict[int, int]:
    """Return the number of steps from a cell to every cell that can be reached."""
    distance = {start: 0}
    queue = [start]
    for cell in queue:
        for other in neighbours(board)[cell] - distance.keys():
            distance[other] = distance[cell] + 1
            queue.append(other)
    return distance


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
    min_shared = 2 if board.tiling in ("hexagonal", "triangular-edge") else 1
    return [
        [d for d in board.cells if d != c and len(corners[c] & corners[d]) >= min_shared]
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
    return [len(near & mines) for near in neighbours(board)]


def opening(board: Board, mines: set[int], start: int, closed: set[int] = frozenset()) -> set[int]:
    """Return the cells that a click on *start* reveals; cells in *closed* (flags) stay covered."""
    numbers = count_numbers(board, mines)
    opened, to_visit = {start}, [start]
    while to_visit:
        cell = to_visit.pop()
        if numbers[cell] == 0:
            new = neighbours(board)[cell] - opened - closed
            opened |= new
            to_visit += new
    return opened


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
    """Return the number of connected parts of a set of cells."""
    count, left = 0, set(cells)
    while left:
        count += 1
        to_visit = [left.pop()]
        while to_visit:
            touching = neighbours(board)[to_visit.pop()] & left
            left -= touching
            to_visit += touching
    return count


def subsets(cells: Iterable[int]) -> Iterator[Solution]:
    """Yield all sets of these cells, small ones first."""
    cells = sorted(cells)
    for size in range(len(cells) + 1):
        yield from map(frozenset, combinations(cells, size))


def satisfies(position: Position, mines: set[int]) -> bool:
    """Return whether every number of a position has that number of these mines around it."""
    near = neighbours(position.board)
    return all(len(near[c] & mines) == position.marks[c] for c in position.revealed.tolist())


def solutions(position: Position) -> list[Solution]:
    """Return every set of covered cells that satisfies every number; flags are trusted."""
    flags = set(position.flags.tolist())
    return [mines for mines in subsets(position.covered) if satisfies(position, flags | mines)]


def counted_solutions(position: Position) -> list[Solution]:
    """Return the solutions with the right number of mines; flags count as covered."""
    covered = position.without_flags().covered.tolist()
    candidates = map(frozenset, combinations(covered, position.mines))
    return [mines for mines in candidates if satisfies(position, mines)]


def probabilities(position: Position, found: list[Solution]) -> dict[int, Fraction]:
    """Return the share of these solutions in which each covered or flagged cell is a mine."""
    covered = position.without_flags().covered.tolist()
    return {c: Fraction(sum(c in mines for mines in found), len(found)) for c in covered}


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
        new = [other for other in board.around(cell).tolist() if other not in safe]
        if len(safe) + len(new) > target:
            aside.insert(0, cell)
            continue
        # The cell that waits longest moves to the front; every new cell moves it back.
        if aside:
            aside.insert(0, aside.pop())
        safe |= set(new)
        ready += new
        last = len(new) or last
        for _ in new if aside else ():
            aside.append(aside.pop(0))
        grown = True
    return safe


def careful_guess(position: Position, found: list[Solution]) -> int:
    """Return the guess of the careful player, given all solutions.

    It has the least probability, then the fewest neighbours, then touches a number, then has the
    lowest index.
    """
    probability = probabilities(position, found)

    def rank(cell: int) -> tuple[Fraction, int, bool, int]:
        near = neighbours(position.board)[cell]
        return probability[cell], len(near), all(position.marks[d] < 0 for d in near), cell

    return min(probability, key=rank)


def exact_probabilities(position: Position) -> tuple[int, dict[int, Fraction | None]] | None:
    """Return the number of solutions and the probabilities, by trying every set of the frontier.

    None if there is no solution. Flags are covered cells here. Without a mine count all solutions
    of the frontier have the same weight, and the interior has no probability.
    """
    position = position.without_flags()
    frontier, interior = position.frontier.tolist(), position.interior.tolist()
    weights: dict[Solution, int] = {}
    for mines in subsets(frontier):
        if satisfies(position, mines):
            weights[mines] = 1
            if position.mines is not None:
                interior_mines = position.mines - len(mines)
                weights[mines] = comb(len(interior), interior_mines) if interior_mines >= 0 else 0
    total = sum(weights.values())
    if total == 0:
        return None
    share: dict[int, Fraction | None] = dict.fromkeys(interior)
    for cell in frontier:
        share[cell] = Fraction(sum(n for mines, n in weights.items() if cell in mines), total)
    if position.mines is not None and interior:
        interior_mines = sum(n * (position.mines - len(mines)) for mines, n in weights.items())
        share |= dict.fromkeys(interior, Fraction(interior_mines, total * len(interior)))
    return total, share


def value_probabilities(position: Position, cell: int) -> dict[int, Fraction]:
    """Return for each value the share of solutions in which the cell is safe and shows it."""
    found = counted_solutions(position)
    near = neighbours(position.board)[cell]
    shown = [len(near & mines) for mines in found if cell not in mines]
    return {value: Fraction(shown.count(value), len(found)) for value in sorted(set(shown))}


def review_risks(position: Position, opened: list[int]) -> tuple[Fraction, Fraction, bool]:
    """Return the risk of opening cells, the least risk of any cell, and whether all are equal."""
    found = counted_solutions(position)
    risk = Fraction(sum(not mines.isdisjoint(opened) for mines in found), len(found))
    risks = set(probabilities(position, found).values())
    return risk, min(risks), len(risks) == 1
