"""Worksheets: their content, options and plain text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.board.tilings import TILINGS
from sapper.errors import NotationError, RulesError, unknown_name
from sapper.render.scene import Scene
from sapper.render.text import scene_text

MM = 72 / 25.4

PAPERS: dict[str, tuple[float, float]] = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}


@dataclass(frozen=True)
class PrintSize:
    """An entry of PRINT_SIZES: the font size and the cell sizes of normal or large print."""

    text: float
    """The font size of the rules, in points."""
    cell: tuple[float, float]
    """The smallest and the largest cell width of a puzzle, in mm."""
    solution_cell: tuple[float, float]
    """The same for solutions."""


PRINT_SIZES: dict[str, PrintSize] = {
    "normal": PrintSize(9.5, (7.2, 11.0), (4.2, 6.0)),
    "large": PrintSize(14.0, (12.5, 20.0), (7.5, 11.0)),
}

TITLE = "Paper Minesweeper"
MAX_PER_PAGE = 80
# Lone surrogates: undecodable bytes of a command line, or half a character from the page.
_SURROGATES = re.compile(r"[\ud800-\udfff]")

WHITE = "#ffffff"
NUMBER_TINT = "#e8edf3"

PAPER_PUZZLE_TASK = (
    "Put a cross in every empty cell that hides a mine, and a dash in every other empty cell.",
    "There is exactly one solution, and you can find it without guessing.",
)
GRAPH_NEIGHBOURS_TEXT = "Cells that a line joins are next to each other, as in the picture."


@dataclass(frozen=True)
class WorksheetItem:
    """A puzzle of a worksheet: its position, solution and difficulty."""

    position: Position
    mine_cells: tuple[int, ...]
    difficulty: int
    """From 1 to 4, printed as dots."""
    label: str
    safe_cells: tuple[int, ...] | None = None
    """The safe cells of the solution; by default all covered cells that are not mines."""
    outlined: tuple[int, ...] = ()
    """Cells outlined in the solution: the numbers from which it follows."""
    note: str = ""
    """A remark beside the puzzle, such as its mine count."""


@dataclass(frozen=True)
class SheetStyle:
    """The appearance of a worksheet."""

    paper: str = "a4"
    title: str = TITLE
    per_page: int | None = None
    large_print: bool = False
    high_contrast: bool = False
    solutions: bool = True

    def __post_init__(self) -> None:
        if _SURROGATES.search(self.title):
            raise NotationError(f"the title contains invalid characters: {self.title!a:.60}")
        if self.paper not in PAPERS:
            raise unknown_name("paper", self.paper, PAPERS)
        if self.per_page is not None and not 1 <= self.per_page <= MAX_PER_PAGE:
            raise RulesError(
                f"expected from 1 to {MAX_PER_PAGE} puzzles on a page, got {self.per_page}"
            )


@dataclass(frozen=True)
class Worksheet:
    """The puzzles of a worksheet, and how to print them."""

    items: Sequence[WorksheetItem]
    footer: tuple[str, ...]
    """Lines at the bottom of every page: how to make the worksheet again."""
    style: SheetStyle = SheetStyle()
    task: tuple[str, ...] = PAPER_PUZZLE_TASK
    """The task, in sentences for pupils."""
    landscape: bool = False

    @property
    def board(self) -> Board:
        """The board of all its puzzles."""
        return self.items[0].position.board

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its pages, in points."""
        width, height = PAPERS[self.style.paper]
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
    outlined = item.outlined if solved else ()
    return Scene.of(position, colours=colours, glyphs=glyphs, outlined=outlined, zeros=True)


def rules_text(sheet: Worksheet) -> tuple[str, ...]:
    """Return the rules of the game in sentences for pupils."""
    board = sheet.board
    return (
        "Some of the empty cells hide a mine. A number says how many of the cells next to it "
        "hide a mine. A cell with a number never hides a mine.",
        *sheet.task,
        GRAPH_NEIGHBOURS_TEXT if board.tiling is None else TILINGS[board.tiling].neighbours_text,
    )


def worksheet_text(sheet: Worksheet) -> str:
    """Write a worksheet as plain text: a covered cell is #, a mine x, a safe cell -."""
    rules = (textwrap.fill(rule, 78) for rule in rules_text(sheet))
    parts = [sheet.style.title, "Name ______________________  Date ____________", "\n".join(rules)]
    for solved in (False, True) if sheet.style.solutions else (False,):
        if solved:
            parts.append("Solutions (x: mine, -: no mine)")
        for number, item in enumerate(sheet.items, start=1):
            label = str(number) if solved else f"{number}   ({item.label})"
            label += f"   {item.note}" if item.note and not solved else ""
            parts += [label, scene_text(puzzle_scene(item, solved)).plain()]
    return "\n\n".join([*parts, "\n".join(sheet.footer)]) + "\n"
