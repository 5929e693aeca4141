"""What a kind of worksheet consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.board.random_stream import seed_range
from sapper.board.rules import Rules
from sapper.engine.budget import Budget
from sapper.errors import RulesError
from sapper.generators.puzzles import PuzzleRules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.cells import Json
from sapper.wording import count_text

# The mine density of Expert, rounded to thousandths.
MINE_DENSITY = 0.206


@dataclass(frozen=True)
class Task:
    """The task of a worksheet, and the legend of its answer key."""

    sentences: tuple[str, ...]
    """The task, in sentences for pupils."""
    key_title: str = "solutions"
    legend: str = "cross: mine, dash: no mine"
    text_legend: str = "x: mine, -: no mine"
    """The legend of a worksheet as plain text."""


@dataclass(frozen=True)
class WorksheetItem:
    """A problem on a worksheet: its position, its solution and space for an answer."""

    position: Position
    mine_cells: tuple[int, ...] = ()
    """The mines of the solution."""
    difficulty: str | None = None
    safe_cells: tuple[int, ...] | None = None
    """The safe cells of the solution; by default all covered cells that are not mines."""
    outlined: tuple[int, ...] = ()
    """Cells outlined in the solution: the numbers from which it follows."""
    shows_mine_count: bool = False
    """Whether the number of mines that are left is beside the position."""
    letters: Mapping[int, str] = field(default_factory=dict)
    """Letters in the cells that the task is about."""
    answer_rows: tuple[tuple[str, ...], ...] = ()
    """Rows of lines to write on, each with the text in front of it."""
    answer: tuple[str, ...] = ()
    """Sentences below the solution."""
    answer_labels: Mapping[int, str] = field(default_factory=dict)
    """Labels in the cells of the solution, such as fractions."""
    coordinates: bool = False
    """Whether rows and columns are numbered along the sides."""

    @property
    def is_solved_by_marks(self) -> bool:
        """Whether a cross or a dash in every covered cell is the solution."""
        return self.safe_cells is None

    @property
    def label(self) -> str:
        """The difficulty in words; may be empty."""
        return "" if self.difficulty is None else DIFFICULTIES[self.difficulty].label

    @property
    def dots(self) -> int:
        """The difficulty as a number from 1, or 0 for none."""
        return 0 if self.difficulty is None else 1 + DIFFICULTIES.index(self.difficulty)

    @property
    def note(self) -> str:
        """A remark beside the position; may be empty."""
        if not self.shows_mine_count:
            return ""
        mines = (self.position.mines or 0) - len(self.position.flags)
        return f"{count_text(mines, 'mine')} left"


def keep_all(rules: Any, problems: Iterable[Any], count: int) -> Iterator[Any]:
    """Return all problems, for kinds whose problems hardly ever repeat."""
    return iter(problems)


@dataclass(frozen=True)
class WorksheetKind:
    """An entry of WORKSHEET_KINDS: how problems are made, drawn and written as JSON.

    Rules and problems can be any values: only the functions of their kind look at them.
    """

    name: str
    plural: str
    """What its problems are called in a progress bar and in the names of files."""
    about: str
    """The task in a few words, for commands, the page and the footer."""
    title: str
    """The default title of a worksheet."""
    task: Task
    rules: Callable[..., Any]
    """Takes a board and the options of this kind by name; checks and completes them."""
    problem: Callable[[Any, int, Budget], Any]
    """Return the problem of these rules and a seed."""
    item: Callable[[Any], WorksheetItem]
    """Return what a worksheet shows of a problem."""
    json_key: str
    """The key of the problems in JSON."""
    json: Callable[[Any], Json]
    """Return a problem as JSON, with its answer."""
    uses_mine_count: bool = True
    """Whether a problem may need the mine count."""
    seeds: Callable[[int, int], Iterable[int]] = seed_range
    """Return the seeds to try, for the first seed and the number of problems."""
    select: Callable[[Any, Iterable[Any], int], Iterator[Any]] = keep_all
    """Leave out problems that repeat an earlier one."""

    @property
    def options(self) -> tuple[str, ...]:
        """The options of this kind, besides those of every worksheet."""
        return tuple(signature(self.rules).parameters)[1:]

    def problems(self, rules: Any, budget: Budget, seeds: Iterable[int]) -> Iterator[Any]:
        """Yield the problem of each seed."""
        return (self.problem(rules, seed, budget) for seed in seeds)


def game_rules(board: Board, mine_density: float | None = None) -> Rules:
    """Return the rules of random games, for kinds that ask about positions of games."""
    density = MINE_DENSITY if mine_density is None else round(mine_density, 3)
    rules = Rules(board, max(1, round(density * len(board))))
    try:
        PuzzleRules(rules, "one")  # raises an error if there are no such games
    except RulesError as error:
        raise RulesError(f"no exercises on this board with this mine density: {error}") from None
    return rules
