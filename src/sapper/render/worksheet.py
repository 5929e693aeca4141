"""Worksheets: their content, options and plain text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.board.tilings import TILINGS
from sapper.errors import NotationError, RulesError, unknown_name
from sapper.render.scene import Scene
from sapper.render.text import scene_text

MM = 72 / 25.4
"""A millimetre in points."""

PAPER_SIZES: dict[str, tuple[float, float]] = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}


@dataclass(frozen=True)
class PrintSize:
    """An entry of PRINT_SIZES: the font size and the cell sizes of normal or large print."""

    text: float
    """The font size of the rules, in points."""
    cell: tuple[float, float]
    """The smallest and the largest cell width of a puzzle, in mm."""
    solution_cell: tuple[float, float]
    """The cell widths of solutions."""
    labelled_cell: tuple[float, float]
    """The cell widths of solutions with labels in the cells."""


PRINT_SIZES: dict[str, PrintSize] = {
    "normal": PrintSize(9.5, (7.2, 11.0), (4.2, 6.0), (6.5, 9.0)),
    "large": PrintSize(14.0, (12.5, 20.0), (7.5, 11.0), (10.0, 14.0)),
}

TITLE = "Paper Minesweeper"
MAX_PER_PAGE = 80
# Lone surrogates: undecodable bytes of a command line, or half a character from the page.
_SURROGATES = re.compile(r"[\ud800-\udfff]")

WHITE = "#ffffff"
NUMBER_TINT = "#e8edf3"


@dataclass(frozen=True)
class Task:
    """The task of a worksheet, and the legend of its answer key."""

    sentences: tuple[str, ...]
    """The task, in sentences for pupils."""
    key_title: str = "solutions"
    legend: str = "cross: mine, dash: no mine"
    text_legend: str = "x: mine, -: no mine"
    """The legend of a worksheet as plain text."""


PAPER_PUZZLE_TASK = Task(
    (
        "Put a cross in every empty cell that hides a mine, and a dash in every other empty cell.",
        "There is exactly one solution, and you can find it without guessing.",
    )
)
GRAPH_NEIGHBOURS_TEXT = "Cells that a line joins are next to each other, as in the picture."


@dataclass(frozen=True)
class WorksheetItem:
    """A puzzle or exercise of a worksheet: its position, solution and difficulty."""

    position: Position
    mine_cells: tuple[int, ...]
    difficulty: int
    """From 1 to 4, printed as dots; 0 means none."""
    label: str
    safe_cells: tuple[int, ...] | None = None
    """The safe cells of the solution; by default all covered cells that are not mines."""
    outlined: tuple[int, ...] = ()
    """Cells outlined in the solution: the numbers from which it follows."""
    note: str = ""
    """A remark beside the puzzle, such as its mine count."""
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


@dataclass(frozen=True)
class SheetStyle:
    """The appearance of a worksheet."""

    paper: str = "a4"
    title: str = ""
    """Empty means the default of the kind of worksheet."""
    per_page: int | None = None
    large_print: bool = False
    high_contrast: bool = False
    solutions: bool = True

    def __post_init__(self) -> None:
        if _SURROGATES.search(self.title):
            raise NotationError(f"the title contains invalid characters: {self.title!a:.60}")
        if self.paper not in PAPER_SIZES:
            raise unknown_name("paper", self.paper, PAPER_SIZES)
        if self.per_page is not None and not 1 <= self.per_page <= MAX_PER_PAGE:
            raise RulesError(
                f"expected from 1 to {MAX_PER_PAGE} puzzles on a page, got {self.per_page}"
            )

    def with_title(self, default: str) -> Self:
        """Return the style with a default title, if it has none."""
        return self if self.title else replace(self, title=default)


@dataclass(frozen=True)
class Worksheet:
    """The puzzles of a worksheet, and how to print them."""

    items: Sequence[WorksheetItem]
    footer: tuple[str, ...]
    """Lines at the bottom of every page, with the command that makes the worksheet again."""
    style: SheetStyle = SheetStyle()
    task: Task = PAPER_PUZZLE_TASK
    landscape: bool = False

    @property
    def board(self) -> Board:
        """The board of all its puzzles."""
        return self.items[0].position.board

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its pages, in points."""
        width, height = PAPER_SIZES[self.style.paper]
        return (height, width) if self.landscape else (width, height)

    @property
    def print_size(self) -> PrintSize:
        """The sizes of normal or large print."""
        return PRINT_SIZES["large" if self.style.large_print else "normal"]


def puzzle_scene(item: WorksheetItem, solved: bool, high_contrast: bool = False) -> Scene:
    """Make the scene of a puzzle: unsolved, or solved with crosses and dashes."""
    position = item.position
    tint = WHITE if high_contrast else NUMBER_TINT
    colours = {cell: tint if position.marks[cell] >= 0 else WHITE for cell in position.board.cells}
    glyphs = {}
    if solved:
        safe = position.covered.tolist() if item.safe_cells is None else item.safe_cells
        glyphs = dict.fromkeys(safe, "dash") | dict.fromkeys(item.mine_cells, "cross")
    return Scene.of(
        position,
        colours=colours,
        glyphs=glyphs,
        labels=item.answer_labels if solved else item.letters,
        outlined=item.outlined if solved else (),
        coordinates=item.coordinates,
        zeros=True,
    )


def rules_text(sheet: Worksheet) -> tuple[str, ...]:
    """Return the rules of the game in sentences for pupils."""
    board = sheet.board
    return (
        "Some of the empty cells hide a mine. A number says how many of the cells next to it "
        "hide a mine. A cell with a number never hides a mine.",
        *sheet.task.sentences,
        GRAPH_NEIGHBOURS_TEXT if board.tiling is None else TILINGS[board.tiling].neighbours_text,
    )


def worksheet_text(sheet: Worksheet) -> str:
    """Write a worksheet as plain text: a covered cell is #, a mine x, a safe cell -."""
    rules = (textwrap.fill(rule, 78) for rule in rules_text(sheet))
    parts = [sheet.style.title, "Name ______________________  Date ____________", "\n".join(rules)]
    for solved in (False, True) if sheet.style.solutions else (False,):
        if solved:
            parts.append(f"{sheet.task.key_title.capitalize()} ({sheet.task.text_legend})")
        for number, item in enumerate(sheet.items, start=1):
            label = f"   ({item.label})" if item.label and not solved else ""
            note = f"   {item.note}" if item.note and not solved else ""
            parts += [f"{number}{label}{note}", scene_text(puzzle_scene(item, solved)).plain()]
            if solved:
                parts += ["\n".join(textwrap.fill(line, 78) for line in item.answer)]
            else:
                parts += ["\n\n".join(_answer_row_text(row) for row in item.answer_rows)]
    return "\n\n".join([*filter(None, parts), "\n".join(sheet.footer)]) + "\n"


def _answer_row_text(prompts: tuple[str, ...]) -> str:
    """Return a row of lines to write on, 60 characters wide in all."""
    width = 60 // len(prompts) - 2
    return "  ".join(f"{prompt} ".lstrip().ljust(width, "_") for prompt in prompts)
