"""Paper tables: positions whose numbers alone allow exactly one solution, on any board.

A table is handed out only when its one solution was shown twice: by a theorem on the open set or
by python-sat, and by a way of our own (replayed by deduction, else by the exact engine).

After German and Lakshtanov, "Paper Minesweeper", section 4. `plain` and `varied` are the paper's
two ways to draw the mines; docs/how-it-works/paper.md says what had to be mended.
What is asked for, the draw and the words for none of it stand together, hence the length.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.random_stream import SEEDS, RandomStream
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import (
    Contradiction,
    OutOfBudget,
    RulesError,
    Unavailable,
    UnknownName,
    unknown_name,
)
from sapper.generators.paper_puzzles.counting import (
    check_pairs,
    count_paper_puzzles,
    no_puzzle_reason,
)
from sapper.generators.paper_puzzles.fewest import fewest_by_replay, fewest_by_sat
from sapper.generators.paper_puzzles.methods import METHODS, check_method, draw_plain
from sapper.generators.paper_puzzles.open_sets import OPEN_SETS, Mask, check_open, open_cells
from sapper.generators.paper_puzzles.theorems import always_unique_reason
from sapper.generators.paper_puzzles.uniqueness import find_solutions
from sapper.proofs.difficulty import DIFFICULTIES, NO_LIMIT, difficulty_of
from sapper.proofs.paper import MAX_NUMBERS, PaperSolver
from sapper.values import check_int, check_type, frozen
from sapper.wording import counted

MAX_TRIES = 50_000
"""Draws for one table before it is given up, unless the budget ends before."""

ENGINE_SECONDS = 5.0
"""For the engine to confirm a table; another is drawn where that is not enough."""

TRIES_BEFORE_COUNTING = 20
"""Draws after which a small board is asked whether it has a table at all."""

MAX_REPEATS = 500
"""Seeds in a row that bring no new table before different ones are given up."""


def paper_difficulties() -> tuple[str, ...]:
    """The names of the difficulties that a table can have: it has no mine count."""
    return tuple(
        difficulty.name for difficulty in DIFFICULTIES.values() if not difficulty.uses_mine_count
    )


@dataclass(frozen=True)
class PaperPuzzleRules:
    """What a user chooses before a table is drawn; `paper_puzzle_rules` fills in what was left open."""

    board: Board
    open_set: str | tuple[int, ...]
    """A name of OPEN_SETS, or the open cells themselves."""
    method: str
    share: float
    """The chance of a mine in each cell that may hold one, in thousandths."""
    difficulty: str | None = None
    or_easier: bool = False

    @property
    def open(self) -> str | tuple[int, ...]:
        """An older name of `open_set`."""
        return self.open_set

    @property
    def max_numbers(self) -> int | None:
        """The largest sets of numbers that may be needed; None when any may."""
        return None if self.difficulty is None else DIFFICULTIES[self.difficulty].numbers

    def admits(self, difficulty: str) -> bool:
        """Whether a table of that difficulty is wanted."""
        if self.difficulty is None or difficulty == self.difficulty:
            return True
        return self.or_easier and DIFFICULTIES.index(difficulty) < DIFFICULTIES.index(
            self.difficulty
        )


@dataclass(frozen=True, eq=False)
class PaperPuzzle:
    """A position with one solution, and how that is known."""

    position: Position
    mine_cells: Ints
    """The cells of the mines, ascending."""
    difficulty: str
    unique_by: str
    """`theorem` or `proof`."""
    reason: str
    seed: int | None = None
    tries: int = 1
    """How many draws it took."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mine_cells", frozen(self.mine_cells, np.int32))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PaperPuzzle) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the mines of a copy are read-only too.
        return PaperPuzzle, tuple(getattr(self, one.name) for one in fields(self))

    @property
    def _key(self) -> Hashable:
        return tuple(
            self.mine_cells.tobytes() if one.name == "mine_cells" else getattr(self, one.name)
            for one in fields(self)
        )

    @property
    def solution(self) -> tuple[str, ...]:
        """The names of the mines."""
        return self.position.names(self.mine_cells)

    @property
    def mines(self) -> Ints:
        """An older name of `mine_cells`."""
        return self.mine_cells


@dataclass(frozen=True)
class PaperPuzzleCheck:
    """Whether a position is a table: the table, or two different solutions."""

    table: PaperPuzzle | None
    solutions: tuple[tuple[str, ...], ...]


def paper_puzzle_rules(
    board: Board,
    *,
    open_set: str | tuple[int, ...] | None = None,
    method: str | None = None,
    share: float | None = None,
    difficulty: str | None = None,
    or_easier: bool = False,
    **older: Any,
) -> PaperPuzzleRules:
    """The rules of a table; what is not given is picked for the board and the difficulty.

    *open_set* is a name of OPEN_SETS or the open cells themselves; `open` is its older name.
    """
    check_type(board, Board, "a board")
    open_set = older.pop("open", open_set)
    if older:
        raise TypeError(f"expected rules of a table, got {', '.join(older)}")
    if difficulty is not None and difficulty not in paper_difficulties():
        reason = "; a table has no mine count" if difficulty in DIFFICULTIES.names else ""
        raise UnknownName(f"{unknown_name('difficulty', difficulty, paper_difficulties())}{reason}")
    if or_easier and difficulty is None:
        raise RulesError("expected a difficulty beside --at-most, got none")
    if open_set is not None and not isinstance(open_set, str):
        check_type(open_set, Iterable, "an open set or its cells")
        open_set = tuple(sorted({board.cell(cell) for cell in open_set}))
    if isinstance(open_set, str) and open_set not in OPEN_SETS:
        raise unknown_name("open set", open_set, OPEN_SETS)
    if method is not None and method not in METHODS:
        raise unknown_name("method", method, METHODS)
    check_type(0.5 if share is None else share, (int, float), "a share of mines")
    if share is not None and not 0.001 <= round(share, 3) <= 0.999:
        raise RulesError(f"expected a share of mines from 0.001 to 0.999, got {share:g}")
    open_set = open_set or _open_for(board, method, difficulty)
    method = method or _method_for(board, open_set, difficulty)
    if open_set == "fewest" and method == "varied":
        raise RulesError("expected the method 'plain' for the open set 'fewest', got 'varied'")
    share = round(share or _share_for(open_set, difficulty), 3)
    rules = PaperPuzzleRules(board, open_set, method, share, difficulty, or_easier)
    if difficulty == "two" and not or_easier:
        check_pairs(board)
    if open_set != "fewest":
        is_open = _open_mask(rules)
        check_open(board, is_open)
        check_method(board, is_open, method)
    return rules


def make_paper_puzzle(
    rules: PaperPuzzleRules, seed: int, budget: Budget = DEFAULT_BUDGET
) -> PaperPuzzle:
    """The table of a seed: draws mines and checks, until there is one as the rules want it.

    >>> from sapper.board.tilings import tiling
    >>> table = make_paper_puzzle(paper_puzzle_rules(tiling("square", 7, 4)), seed=1)
    >>> table.reason
    'theorem 2: gcd(7 + 1, 4 + 1) = 1'
    """
    check_type(rules, PaperPuzzleRules, "rules of a table")
    return _make(rules, check_int(seed, "a seed"), start_limit(budget))


def _make(rules: PaperPuzzleRules, seed: int, limit: Limit) -> PaperPuzzle:
    draw = _draw_fewest if rules.open_set == "fewest" else _draw_on_open_set
    stream = RandomStream(seed)
    for tries in range(1, MAX_TRIES + 1):
        try:
            table = draw(rules, stream, limit)
        except OutOfBudget:
            if tries == 1 or limit.cancelled:
                raise
            break
        # A plain table without any mine would be no puzzle: it is dealt again.
        empty = table is not None and rules.method == "plain" and not len(table.mine_cells)
        if table is not None and not empty and rules.admits(table.difficulty):
            return replace(table, seed=seed, tries=tries)
        if limit.cancelled:
            raise limit.error("no table by then")
        if limit.over or (tries == TRIES_BEFORE_COUNTING and _none_exists(rules)):
            break
    raise _none_found(rules, tries, limit.over)


def make_paper_puzzles(
    rules: PaperPuzzleRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[PaperPuzzle]:
    """Different tables of the seeds from *seed* up; a seed that repeats a table is passed over.

    The budget is for all of them together.
    """
    check_type(rules, PaperPuzzleRules, "rules of a table")
    seed, count = check_int(seed, "a seed"), check_int(count, "a number of tables")
    limit = start_limit(budget, cancel)
    done = 0

    def made() -> Iterator[PaperPuzzle]:
        for number in seeds_from(seed):
            if done and limit.over:
                raise OutOfBudget(
                    f"expected {count} tables within {budget.seconds:g} s, got {done}"
                )
            yield _make(rules, number, limit)

    for table in without_repeats(rules, made(), count):
        done += 1
        yield table


def seeds_from(seed: int) -> Iterator[int]:
    """A seed and all that follow; past the last one, a RulesError."""
    yield from range(seed, SEEDS)
    raise RulesError(f"expected seeds below {SEEDS}, got {SEEDS}")


def without_repeats(
    rules: PaperPuzzleRules, tables: Iterable[PaperPuzzle], count: int
) -> Iterator[PaperPuzzle]:
    """So many tables without the repeated ones, of those that seed after seed gives."""
    seen: set[Position] = set()
    repeats = 0
    for table in tables:
        if table.position in seen:
            repeats += 1
            if repeats >= MAX_REPEATS:
                raise Unavailable(_too_few(rules, count, len(seen)))
            continue
        seen.add(table.position)
        repeats = 0
        yield table
        if len(seen) == count:
            return


def check_paper_puzzle(position: Position, budget: Budget = DEFAULT_BUDGET) -> PaperPuzzleCheck:
    """Whether the numbers of a position, alone, allow one solution; two of them where they do not."""
    check_type(position, Position, "a position")
    limit = start_limit(budget)
    position = Position(position.board, position.without_flags().marks)
    try:
        found = find_solutions(position, budget=limit)
    except Contradiction:
        analyse(position, budget=limit)  # which says more exactly what is wrong
        raise
    solutions = tuple(position.names(mines) for mines in found)
    if len(found) > 1:
        return PaperPuzzleCheck(None, solutions)
    mines = np.zeros(len(position.board), dtype=np.uint8)
    mines[found[0]] = 1
    table = _confirm(Layout(position.board, mines), position.revealed, limit, known_unique=True)
    if table is None:
        raise OutOfBudget("one solution by python-sat, but no second way could confirm it")
    return PaperPuzzleCheck(table, solutions)


# What is picked where the user left it open.


def _open_for(board: Board, method: str | None, difficulty: str | None) -> str:
    if board.tiling is None or (difficulty in ("three", "four") and method is None):
        return "fewest"
    if difficulty == "two" and method is None and board.tiling != "square":
        return "fewest"
    return "checkerboard"


def _method_for(board: Board, open_set: str | tuple[int, ...], difficulty: str | None) -> str:
    # Plain checkerboards nearly always fall to single numbers, varied ones need a pair to begin.
    if difficulty != "two" or board.tiling != "square" or open_set != "checkerboard":
        return "plain"
    return "plain" if no_puzzle_reason(board, open_cells(board, "checkerboard")) else "varied"


def _share_for(open_set: str | tuple[int, ...], difficulty: str | None) -> float:
    if open_set != "fewest":
        return 0.5
    return 0.35 if difficulty in ("three", "four") else 0.2


def _open_mask(rules: PaperPuzzleRules) -> Mask:
    if isinstance(rules.open_set, str):
        return open_cells(rules.board, rules.open_set)
    mask = np.zeros(len(rules.board), dtype=bool)
    mask[list(rules.open_set)] = True
    return mask


# Drawing: a table, or None for a draw that did not become one.


def _draw_on_open_set(
    rules: PaperPuzzleRules, stream: RandomStream, limit: Limit
) -> PaperPuzzle | None:
    is_open = _open_mask(rules)
    mines = METHODS[rules.method].draw(rules.board, is_open, rules.share, stream)
    if mines is None:
        return None
    cells = np.flatnonzero(is_open).astype(np.int32)
    return _confirm(Layout(rules.board, mines), cells, limit)


def _draw_fewest(rules: PaperPuzzleRules, stream: RandomStream, limit: Limit) -> PaperPuzzle | None:
    board = rules.board
    mines = draw_plain(board, np.zeros(len(board), dtype=bool), rules.share, stream)
    if not mines.any() or mines.all():
        return None
    layout = Layout(board, mines)
    order = stream.shuffled(np.flatnonzero(mines == 0).astype(np.int32))
    if rules.max_numbers is None:
        left = fewest_by_sat(layout, order, limit)
    else:
        left = fewest_by_replay(layout, order, rules.max_numbers, limit)
    if left is None:
        return None
    return _confirm(layout, left, limit, known_unique=rules.max_numbers is None)


# Confirming: two ways, or no table.


def _confirm(
    layout: Layout, cells: Ints, limit: Limit, known_unique: bool = False
) -> PaperPuzzle | None:
    """The table that opens these cells; None when it is not unique or no own way confirms it."""
    board = layout.board
    position = layout.position(cells)
    is_open = np.zeros(len(board), dtype=bool)
    is_open[cells] = True
    theorem = always_unique_reason(board, is_open)
    if theorem is None and not known_unique and len(find_solutions(position, 2, limit)) > 1:
        return None
    mines = layout.mine_cells
    difficulty = _solve_again(position, mines, limit)
    if difficulty is None:
        return None
    if theorem is not None:
        return PaperPuzzle(position, mines, difficulty, "theorem", theorem)
    return PaperPuzzle(position, mines, difficulty, "proof", "python-sat finds no second solution")


def _solve_again(position: Position, mines: Ints, limit: Limit) -> str | None:
    """The difficulty of a table, shown by solving it our own way; None when that does not succeed.

    Sets of up to three numbers are replayed. What they leave needs four or more,
    and then the exact engine must find every covered cell certain.
    """
    found = PaperSolver(position.board).solve_on_paper(position, MAX_NUMBERS)
    if found.solved:
        _same_solution(position, found.mine_cells, mines)
        return difficulty_of(found.numbers or 1)
    try:
        analysis = analyse(position, budget=limit.within(ENGINE_SECONDS))
    except OutOfBudget:
        if limit.cancelled:
            raise
        return None
    if len(analysis.flag) + len(analysis.reveal) < len(position.covered):
        return None
    _same_solution(
        position, np.array([position.board.cell(n) for n in analysis.flag], np.int32), mines
    )
    return difficulty_of(NO_LIMIT)


def _same_solution(position: Position, found: Ints, drawn: Ints) -> None:
    if not np.array_equal(found, drawn):
        raise Contradiction(
            f"two ways to solve a table of {position.board} disagree: a bug in sapper"
        )


# Reasons.


def _none_exists(rules: PaperPuzzleRules) -> str | None:
    """Why there is no such table at all, where that can be shown."""
    if rules.open_set == "fewest":
        return None
    return no_puzzle_reason(rules.board, _open_mask(rules), rules.method == "varied")


def _none_found(rules: PaperPuzzleRules, tries: int, late: bool) -> Exception:
    reason = _none_exists(rules)
    if reason is not None:
        return Unavailable(reason)
    wish = "table" if rules.difficulty is None else f"table of difficulty {rules.difficulty!r}"
    within = " within the budget" if late else ""
    draws = f"{counted(tries, 'draw')}{within}"
    return OutOfBudget(f"no {wish} on {rules.board} in {draws}; try another share of mines")


def _too_few(rules: PaperPuzzleRules, count: int, found: int) -> str:
    if rules.open_set != "fewest":
        exist = count_paper_puzzles(rules.board, _open_mask(rules), rules.method == "varied")
        if exist is not None and exist < count:
            wish = f"different {'varied ' if rules.method == 'varied' else ''}table"
            return f"expected at most {counted(exist, wish)} of {rules.board}, got {count}"
    return f"expected {count} different tables of {rules.board}, found only {found}"
