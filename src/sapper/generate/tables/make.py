"""Paper tables: frames whose hints alone allow exactly one placement, on any board.

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

from sapper.errors import (
    Contradiction,
    OutOfBudget,
    RulesError,
    Unavailable,
    UnknownName,
    unknown_name,
)
from sapper.generate.tables.census import check_pairs, reason_for_none, tables_in_all
from sapper.generate.tables.draws import METHODS, check_method, draw_plain
from sapper.generate.tables.fewest import fewest_by_replay, fewest_by_sat
from sapper.generate.tables.open_sets import OPEN_SETS, Mask, check_open, open_cells
from sapper.generate.tables.theorems import why_always_unique
from sapper.generate.tables.uniqueness import placements
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.ladder.replay import MOST_HINTS, TableSolver
from sapper.infer.ladder.rungs import ANY_NUMBER, RUNGS, rung_of
from sapper.infer.odds.analysis import analyse
from sapper.model.board import Board, Ints
from sapper.model.deal import SEEDS
from sapper.model.frame import Frame
from sapper.model.layout import Layout
from sapper.model.stream import Stream
from sapper.values import frozen, need, whole
from sapper.wording import counted

MOST_TRIES = 50_000
"""Draws for one table before it is given up, unless the budget ends before."""

ENGINE_SECONDS = 5.0
"""For the engine to confirm a table; another is drawn where that is not enough."""

FEW_TRIES = 20
"""Draws after which a small board is asked whether it has a table at all."""

MOST_REPEATS = 500
"""Seeds in a row that bring no new table before different ones are given up."""


def table_rungs() -> tuple[str, ...]:
    """The names of the rungs that a table can have: it has no mine count."""
    return tuple(rung.name for rung in RUNGS if not rung.mine_count)


@dataclass(frozen=True)
class TableRules:
    """What a user chooses before a table is drawn; `table_rules` fills in what was left open."""

    board: Board
    open_set: str | tuple[int, ...]
    """A name of OPEN_SETS, or the open cells themselves."""
    method: str
    share: float
    """The chance of a mine in each cell that may hold one, in thousandths."""
    rung: str | None = None
    at_most: bool = False

    @property
    def open(self) -> str | tuple[int, ...]:
        """An older name of `open_set`."""
        return self.open_set

    @property
    def most_hints(self) -> int | None:
        """The largest sets of hints that may be needed; None when any may."""
        return None if self.rung is None else RUNGS[self.rung].hints

    def admits(self, rung: str) -> bool:
        """Whether a table of that rung is wanted."""
        if self.rung is None or rung == self.rung:
            return True
        return self.at_most and RUNGS.place(rung) < RUNGS.place(self.rung)


@dataclass(frozen=True, eq=False)
class Table:
    """A frame with one solution, and how that is known."""

    frame: Frame
    mine_cells: Ints
    """The cells of the mines, ascending."""
    rung: str
    unique_by: str
    """`theorem` or `proof`."""
    why: str
    seed: int | None = None
    tries: int = 1
    """How many draws it took."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mine_cells", frozen(self.mine_cells, np.int32))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the mines of a copy are read-only too.
        return Table, tuple(getattr(self, one.name) for one in fields(self))

    @property
    def _key(self) -> Hashable:
        return tuple(
            self.mine_cells.tobytes() if one.name == "mine_cells" else getattr(self, one.name)
            for one in fields(self)
        )

    @property
    def solution(self) -> tuple[str, ...]:
        """The names of the mines."""
        return self.frame.names(self.mine_cells)

    @property
    def mines(self) -> Ints:
        """An older name of `mine_cells`."""
        return self.mine_cells


@dataclass(frozen=True)
class Verdict:
    """Whether a frame is a table: the table, or two different solutions."""

    table: Table | None
    solutions: tuple[tuple[str, ...], ...]


def table_rules(
    board: Board,
    *,
    open_set: str | tuple[int, ...] | None = None,
    method: str | None = None,
    share: float | None = None,
    rung: str | None = None,
    at_most: bool = False,
    **older: Any,
) -> TableRules:
    """The rules of a table; what is not given is picked for the board and the rung.

    *open_set* is a name of OPEN_SETS or the open cells themselves; `open` is its older name.
    """
    need(board, Board, "a board")
    open_set = older.pop("open", open_set)
    if older:
        raise TypeError(f"expected rules of a table, got {', '.join(older)}")
    if rung is not None and rung not in table_rungs():
        why = "; a table has no mine count" if rung in RUNGS.names else ""
        raise UnknownName(f"{unknown_name('a rung', rung, table_rungs())}{why}")
    if at_most and rung is None:
        raise RulesError("expected a rung beside --at-most, got none")
    if open_set is not None and not isinstance(open_set, str):
        need(open_set, Iterable, "an open set or its cells")
        open_set = tuple(sorted({board.cell(cell) for cell in open_set}))
    if isinstance(open_set, str) and open_set not in OPEN_SETS:
        raise unknown_name("an open set", open_set, OPEN_SETS)
    if method is not None and method not in METHODS:
        raise unknown_name("a method", method, METHODS)
    need(0.5 if share is None else share, (int, float), "a share of mines")
    if share is not None and not 0.001 <= round(share, 3) <= 0.999:
        raise RulesError(f"expected a share of mines from 0.001 to 0.999, got {share:g}")
    open_set = open_set or _open_for(board, method, rung)
    method = method or _method_for(board, open_set, rung)
    if open_set == "fewest" and method == "varied":
        raise RulesError("expected the method 'plain' for the open set 'fewest', got 'varied'")
    share = round(share or _share_for(open_set, rung), 3)
    rules = TableRules(board, open_set, method, share, rung, at_most)
    if rung == "two" and not at_most:
        check_pairs(board)
    if open_set != "fewest":
        is_open = _open_mask(rules)
        check_open(board, is_open)
        check_method(board, is_open, method)
    return rules


def make_table(rules: TableRules, seed: int, budget: Budget = DEFAULT) -> Table:
    """The table of a seed: draws mines and checks, until there is one as the rules want it.

    >>> from sapper.model.tilings import tiling
    >>> table = make_table(table_rules(tiling("square", 7, 4)), seed=1)
    >>> table.why
    'theorem 2: gcd(7 + 1, 4 + 1) = 1'
    """
    need(rules, TableRules, "rules of a table")
    return _make(rules, whole(seed, "a seed"), started(budget))


def _make(rules: TableRules, seed: int, limit: Limit) -> Table:
    draw = _draw_fewest if rules.open_set == "fewest" else _draw_on_open_set
    stream = Stream(seed)
    for tries in range(1, MOST_TRIES + 1):
        try:
            table = draw(rules, stream, limit)
        except OutOfBudget:
            if tries == 1 or limit.cancelled:
                raise
            break
        # A plain table without any mine would be no puzzle: it is dealt again.
        empty = table is not None and rules.method == "plain" and not len(table.mine_cells)
        if table is not None and not empty and rules.admits(table.rung):
            return replace(table, seed=seed, tries=tries)
        if limit.cancelled:
            raise limit.error("no table by then")
        if limit.over or (tries == FEW_TRIES and _none_exists(rules)):
            break
    raise _none_found(rules, tries, limit.over)


def make_tables(
    rules: TableRules,
    count: int,
    seed: int,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Iterator[Table]:
    """Different tables of the seeds from *seed* up; a seed that repeats a table is passed over.

    The budget is for all of them together.
    """
    need(rules, TableRules, "rules of a table")
    seed, count = whole(seed, "a seed"), whole(count, "a number of tables")
    limit = started(budget, cancel)
    done = 0

    def made() -> Iterator[Table]:
        for number in seeds_from(seed):
            if done and limit.over:
                raise OutOfBudget(
                    f"expected {count} tables within {budget.seconds:g} s, got {done}"
                )
            yield _make(rules, number, limit)

    for table in different(rules, made(), count):
        done += 1
        yield table


def seeds_from(seed: int) -> Iterator[int]:
    """A seed and all that follow; past the last one, a RulesError."""
    yield from range(seed, SEEDS)
    raise RulesError(f"expected seeds below {SEEDS}, got {SEEDS}")


def different(rules: TableRules, tables: Iterable[Table], count: int) -> Iterator[Table]:
    """So many tables without the repeated ones, of those that seed after seed gives."""
    seen: set[Frame] = set()
    repeats = 0
    for table in tables:
        if table.frame in seen:
            repeats += 1
            if repeats >= MOST_REPEATS:
                raise Unavailable(_too_few(rules, count, len(seen)))
            continue
        seen.add(table.frame)
        repeats = 0
        yield table
        if len(seen) == count:
            return


def check_table(frame: Frame, budget: Budget = DEFAULT) -> Verdict:
    """Whether the hints of a frame, alone, allow one placement; two of them where they do not."""
    need(frame, Frame, "a frame")
    limit = started(budget)
    frame = Frame(frame.board, frame.without_flags().marks)
    try:
        found = placements(frame, budget=limit)
    except Contradiction:
        analyse(frame, budget=limit)  # which says more exactly what is wrong
        raise
    solutions = tuple(frame.names(mines) for mines in found)
    if len(found) > 1:
        return Verdict(None, solutions)
    mines = np.zeros(len(frame.board), dtype=np.uint8)
    mines[found[0]] = 1
    table = _confirm(Layout(frame.board, mines), frame.revealed, limit, known_unique=True)
    if table is None:
        raise OutOfBudget("one solution by python-sat, but no second way could confirm it")
    return Verdict(table, solutions)


# What is picked where the user left it open.


def _open_for(board: Board, method: str | None, rung: str | None) -> str:
    if board.tiling is None or (rung in ("three", "four") and method is None):
        return "fewest"
    if rung == "two" and method is None and board.tiling != "square":
        return "fewest"
    return "checkerboard"


def _method_for(board: Board, open_set: str | tuple[int, ...], rung: str | None) -> str:
    # Plain checkerboards nearly always fall to single hints, varied ones need a pair to begin.
    if rung != "two" or board.tiling != "square" or open_set != "checkerboard":
        return "plain"
    return "plain" if reason_for_none(board, open_cells(board, "checkerboard")) else "varied"


def _share_for(open_set: str | tuple[int, ...], rung: str | None) -> float:
    if open_set != "fewest":
        return 0.5
    return 0.35 if rung in ("three", "four") else 0.2


def _open_mask(rules: TableRules) -> Mask:
    if isinstance(rules.open_set, str):
        return open_cells(rules.board, rules.open_set)
    mask = np.zeros(len(rules.board), dtype=bool)
    mask[list(rules.open_set)] = True
    return mask


# Drawing: a table, or None for a draw that did not become one.


def _draw_on_open_set(rules: TableRules, stream: Stream, limit: Limit) -> Table | None:
    is_open = _open_mask(rules)
    mines = METHODS[rules.method].draw(rules.board, is_open, rules.share, stream)
    if mines is None:
        return None
    cells = np.flatnonzero(is_open).astype(np.int32)
    return _confirm(Layout(rules.board, mines), cells, limit)


def _draw_fewest(rules: TableRules, stream: Stream, limit: Limit) -> Table | None:
    board = rules.board
    mines = draw_plain(board, np.zeros(len(board), dtype=bool), rules.share, stream)
    if not mines.any() or mines.all():
        return None
    layout = Layout(board, mines)
    order = stream.shuffled(np.flatnonzero(mines == 0).astype(np.int32))
    if rules.most_hints is None:
        left = fewest_by_sat(layout, order, limit)
    else:
        left = fewest_by_replay(layout, order, rules.most_hints, limit)
    if left is None:
        return None
    return _confirm(layout, left, limit, known_unique=rules.most_hints is None)


# Confirming: two ways, or no table.


def _confirm(layout: Layout, cells: Ints, limit: Limit, known_unique: bool = False) -> Table | None:
    """The table that opens these cells; None when it is not unique or no own way confirms it."""
    board = layout.board
    frame = layout.frame(cells)
    is_open = np.zeros(len(board), dtype=bool)
    is_open[cells] = True
    theorem = why_always_unique(board, is_open)
    if theorem is None and not known_unique and len(placements(frame, 2, limit)) > 1:
        return None
    mines = layout.mine_cells
    rung = _solve_again(frame, mines, limit)
    if rung is None:
        return None
    if theorem is not None:
        return Table(frame, mines, rung, "theorem", theorem)
    return Table(frame, mines, rung, "proof", "python-sat finds no second solution")


def _solve_again(frame: Frame, mines: Ints, limit: Limit) -> str | None:
    """The rung of a table, shown by solving it our own way; None when that does not succeed.

    Sets of up to three hints are replayed. What they leave needs four or more,
    and then the exact engine must find every blank certain.
    """
    found = TableSolver(frame.board).replay(frame, MOST_HINTS)
    if found.solved:
        _same_solution(frame, found.mine_cells, mines)
        return rung_of(found.hints or 1)
    try:
        analysis = analyse(frame, budget=limit.within(ENGINE_SECONDS))
    except OutOfBudget:
        if limit.cancelled:
            raise
        return None
    if len(analysis.flag) + len(analysis.reveal) < len(frame.blanks):
        return None
    _same_solution(frame, np.array([frame.board.cell(n) for n in analysis.flag], np.int32), mines)
    return rung_of(ANY_NUMBER)


def _same_solution(frame: Frame, found: Ints, drawn: Ints) -> None:
    if not np.array_equal(found, drawn):
        raise Contradiction(f"two ways to solve a table of {frame.board} disagree: a bug in sapper")


# Reasons.


def _none_exists(rules: TableRules) -> str | None:
    """Why there is no such table at all, where that can be shown."""
    if rules.open_set == "fewest":
        return None
    return reason_for_none(rules.board, _open_mask(rules), rules.method == "varied")


def _none_found(rules: TableRules, tries: int, late: bool) -> Exception:
    reason = _none_exists(rules)
    if reason is not None:
        return Unavailable(reason)
    wish = "table" if rules.rung is None else f"table of rung {rules.rung!r}"
    within = " within the budget" if late else ""
    draws = f"{counted(tries, 'draw')}{within}"
    return OutOfBudget(f"no {wish} on {rules.board} in {draws}; try another share of mines")


def _too_few(rules: TableRules, count: int, found: int) -> str:
    if rules.open_set != "fewest":
        exist = tables_in_all(rules.board, _open_mask(rules), rules.method == "varied")
        if exist is not None and exist < count:
            wish = f"different {'varied ' if rules.method == 'varied' else ''}table"
            return f"expected at most {counted(exist, wish)} of {rules.board}, got {count}"
    return f"expected {count} different tables of {rules.board}, found only {found}"
