"""Paper puzzles on any board, after German and Lakshtanov, "Paper Minesweeper", section 4.

A puzzle is returned only if two methods show that its solution is unique: a theorem on the open set
or python-sat, and a second one (deduction as on paper, or else the exact engine).

The methods `plain` and `varied` are the paper's two ways to draw the mines;
docs/how-it-works/paper.md lists the corrections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from sapper.board.board import Ints
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.random_stream import SEED_COUNT, RandomStream, check_seed, seed_range
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, MORE_TIME, Budget, Cancel, Limit, start_limit
from sapper.errors import Contradiction, OutOfBudget, RulesError, Unavailable
from sapper.generators.paper_puzzles.drawing import DRAWING_METHODS, draw_plain
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules
from sapper.generators.paper_puzzles.theorems import (
    always_unique_reason,
    count_paper_puzzles,
    no_puzzle_reason,
)
from sapper.generators.paper_puzzles.uniqueness import fewest_by_deduction, fewest_by_sat, solutions
from sapper.proofs.difficulty import NO_LIMIT, difficulty_of
from sapper.proofs.paper import MAX_NUMBERS, solve_on_paper
from sapper.values import check_int, check_type
from sapper.wording import count_text

MAX_TRIES = 50_000
"""The number of draws for one puzzle, unless the budget is used up first."""

ENGINE_SECONDS = 5.0
"""Time for the engine to confirm a puzzle; if it is not enough, another puzzle is drawn."""

TRIES_BEFORE_COUNTING = 20
"""Draws after which all puzzles of a small board are counted, since there may be none."""

MAX_REPEATS = 500
"""Consecutive seeds without a new puzzle after which the search for different ones ends."""


@dataclass(frozen=True)
class PaperPuzzle:
    """A position with exactly one solution, and how that is known."""

    position: Position
    mine_cells: tuple[int, ...]
    """The mines of the solution, ascending."""
    difficulty: str
    unique_by: str
    """`theorem` or `proof`."""
    reason: str
    seed: int | None = None
    tries: int = 1
    """The number of draws that it took."""

    @property
    def solution(self) -> tuple[str, ...]:
        """The names of the mines."""
        return self.position.names(self.mine_cells)


@dataclass(frozen=True)
class PaperPuzzleCheck:
    """Whether a position is a paper puzzle: the puzzle, or two different solutions."""

    puzzle: PaperPuzzle | None
    solutions: tuple[tuple[str, ...], ...]


def paper_puzzle(
    rules: PaperPuzzleRules, seed: int, budget: Budget = DEFAULT_BUDGET
) -> PaperPuzzle:
    """Return the paper puzzle of a seed: draw mines until a puzzle satisfies the rules.

    >>> from sapper import paper_puzzle_rules, tiling
    >>> paper_puzzle(paper_puzzle_rules(tiling("square", 7, 4)), seed=1).reason
    'theorem 2: gcd(7 + 1, 4 + 1) = 1'
    """
    check_type(rules, PaperPuzzleRules, "rules of a paper puzzle")
    return _make_puzzle(rules, check_seed(seed), start_limit(budget))


def _make_puzzle(rules: PaperPuzzleRules, seed: int, limit: Limit) -> PaperPuzzle:
    draw = _draw_fewest if rules.open_set == "fewest" else _draw_on_open_set
    stream = RandomStream(seed)
    for tries in range(1, MAX_TRIES + 1):
        try:
            puzzle = draw(rules, stream, limit)
        except OutOfBudget:
            if tries == 1 or limit.cancelled:
                raise
            break
        # A plain puzzle without any mine would be trivial: another one is drawn.
        is_trivial = puzzle is not None and rules.method == "plain" and not puzzle.mine_cells
        if puzzle is not None and not is_trivial and rules.admits(puzzle.difficulty):
            return replace(puzzle, seed=seed, tries=tries)
        if limit.cancelled:
            raise limit.error("no paper puzzle")
        if limit.expired or (tries == TRIES_BEFORE_COUNTING and _no_puzzle_reason(rules)):
            break
    raise _not_found_error(rules, tries, limit.expired)


def paper_puzzles(
    rules: PaperPuzzleRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[PaperPuzzle]:
    """Yield *count* different paper puzzles of consecutive seeds; skip repeated puzzles.

    The budget is for all of them together.
    """
    check_type(rules, PaperPuzzleRules, "rules of a paper puzzle")
    seed, count = check_seed(seed), check_int(count, "a number of paper puzzles")
    if count < 1:
        raise RulesError(f"expected at least 1 paper puzzle, got {count}")
    seeds = seeds_to_try(seed, count)
    limit = start_limit(budget, cancel)
    done = 0

    def puzzles() -> Iterator[PaperPuzzle]:
        for puzzle_seed in seeds:
            if done and limit.expired:
                raise limit.error(f"only {done} of {count} paper puzzles made")
            yield _make_puzzle(rules, puzzle_seed, limit)

    for puzzle in without_repeats(rules, puzzles(), count):
        done += 1
        yield puzzle


def seeds_to_try(seed: int, count: int) -> Iterator[int]:
    """Return *count* seeds and all that follow, as puzzles may repeat; the last raises RulesError.

    Raise RulesError at once if even *count* seeds exceed the highest one.
    """
    seeds = seed_range(seed, count)

    def endless() -> Iterator[int]:
        yield from range(seeds.start, SEED_COUNT)
        raise RulesError(f"expected seeds below {SEED_COUNT}, got {SEED_COUNT}")

    return endless()


def without_repeats(
    rules: PaperPuzzleRules, puzzles: Iterable[PaperPuzzle], count: int
) -> Iterator[PaperPuzzle]:
    """Yield the first *count* different puzzles."""
    found_positions: set[Position] = set()
    repeats = 0
    for puzzle in puzzles:
        if puzzle.position in found_positions:
            repeats += 1
            if repeats >= MAX_REPEATS:
                raise Unavailable(_too_few_message(rules, count, len(found_positions)))
            continue
        found_positions.add(puzzle.position)
        repeats = 0
        yield puzzle
        if len(found_positions) == count:
            return


def check_paper_puzzle(position: Position, budget: Budget = DEFAULT_BUDGET) -> PaperPuzzleCheck:
    """Check whether the numbers of a position have exactly one solution; if not, return two.

    Flags and the mine count are ignored.
    """
    check_type(position, Position, "a position")
    limit = start_limit(budget)
    position = Position(position.board, position.without_flags().marks)
    try:
        mine_sets = solutions(position, budget=limit)
    except Contradiction:
        analyse(position, budget=limit)  # raises an error that names the conflicting numbers
        raise
    solution_names = tuple(position.names(mine_set) for mine_set in mine_sets)
    if len(mine_sets) > 1:
        return PaperPuzzleCheck(None, solution_names)
    mines = np.zeros(len(position.board), dtype=np.uint8)
    mines[mine_sets[0]] = 1
    puzzle = _confirm(Layout(position.board, mines), position.revealed, limit, known_unique=True)
    if puzzle is None:
        problem = "python-sat finds one solution, but no second method confirms it"
        raise OutOfBudget(problem, remedy=MORE_TIME)
    return PaperPuzzleCheck(puzzle, solution_names)


# Drawing: a puzzle, or None for a draw that does not give one.


def _draw_on_open_set(
    rules: PaperPuzzleRules, stream: RandomStream, limit: Limit
) -> PaperPuzzle | None:
    is_open = rules.open_mask
    mines = DRAWING_METHODS[rules.method].draw(rules.board, is_open, rules.mine_density, stream)
    if mines is None:
        return None
    cells = np.flatnonzero(is_open).astype(np.int32)
    return _confirm(Layout(rules.board, mines), cells, limit)


def _draw_fewest(rules: PaperPuzzleRules, stream: RandomStream, limit: Limit) -> PaperPuzzle | None:
    board = rules.board
    mines = draw_plain(board, np.zeros(len(board), dtype=bool), rules.mine_density, stream)
    if not mines.any() or mines.all():
        return None
    layout = Layout(board, mines)
    order = stream.shuffled(np.flatnonzero(mines == 0).astype(np.int32))
    if rules.max_numbers is None:
        numbers = fewest_by_sat(layout, order, limit)
    else:
        numbers = fewest_by_deduction(layout, order, rules.max_numbers, limit)
    if numbers is None:
        return None
    return _confirm(layout, numbers, limit, known_unique=rules.max_numbers is None)


# Confirming by two methods.


def _confirm(
    layout: Layout, cells: Ints, limit: Limit, known_unique: bool = False
) -> PaperPuzzle | None:
    """Return the puzzle with these cells open; None if it is not unique or not confirmed."""
    board = layout.board
    position = layout.position(cells)
    is_open = np.zeros(len(board), dtype=bool)
    is_open[cells] = True
    theorem = always_unique_reason(board, is_open)
    if theorem is None and not known_unique and len(solutions(position, 2, limit)) > 1:
        return None
    difficulty = _solve_again(position, layout.mine_cells, limit)
    if difficulty is None:
        return None
    mines = tuple(layout.mine_cells.tolist())
    if theorem is not None:
        return PaperPuzzle(position, mines, difficulty, "theorem", theorem)
    reason = "python-sat finds no second solution"
    return PaperPuzzle(position, mines, difficulty, "proof", reason)


def _solve_again(position: Position, mine_cells: Ints, limit: Limit) -> str | None:
    """Solve a puzzle by deduction, or else by the engine, and return its difficulty.

    Deduction takes up to three numbers at once. If that is not enough, four or more are needed, and
    the exact engine must find every covered cell certain. Returns None if neither succeeds.
    """
    result = solve_on_paper(position, MAX_NUMBERS)
    if result.solved:
        _check_same_solution(position, result.mine_cells, mine_cells)
        return difficulty_of(result.numbers or 1)
    try:
        analysis = analyse(position, budget=limit.within(ENGINE_SECONDS))
    except OutOfBudget:
        if limit.cancelled:
            raise
        return None
    if len(analysis.certain_mine_cells) + len(analysis.safe_cells) < len(position.covered):
        return None
    _check_same_solution(position, analysis.certain_mine_cells, mine_cells)
    return difficulty_of(NO_LIMIT)


def _check_same_solution(position: Position, mine_cells: Ints, drawn_mine_cells: Ints) -> None:
    if not np.array_equal(mine_cells, drawn_mine_cells):
        raise Contradiction(
            f"two methods disagree about a paper puzzle of {position.board}: a bug in Sapper"
        )


# Errors.


def _no_puzzle_reason(rules: PaperPuzzleRules) -> str | None:
    """Return why no such puzzle exists at all, where that can be shown."""
    if rules.open_set == "fewest":
        return None
    return no_puzzle_reason(rules.board, rules.open_mask, rules.method == "varied")


def _not_found_error(rules: PaperPuzzleRules, tries: int, is_out_of_time: bool) -> Exception:
    reason = _no_puzzle_reason(rules)
    if reason is not None:
        return Unavailable(reason)
    puzzle = "paper puzzle"
    if rules.difficulty is not None:
        puzzle += f" of difficulty {rules.difficulty!r}"
    draws = f"{count_text(tries, 'draw')}{' within the budget' if is_out_of_time else ''}"
    return OutOfBudget(f"no {puzzle} on {rules.board} in {draws}; try another mine density")


def _too_few_message(rules: PaperPuzzleRules, count: int, found_count: int) -> str:
    if rules.open_set != "fewest":
        varied = rules.method == "varied"
        existing_count = count_paper_puzzles(rules.board, rules.open_mask, varied)
        if existing_count is not None and existing_count < count:
            puzzles = count_text(existing_count, f"{'varied ' if varied else ''}paper puzzle")
            return f"there {'is' if existing_count == 1 else 'are'} only {puzzles} of {rules.board}"
    return f"found only {found_count} of {count} different paper puzzles of {rules.board}"
