"""The content of a worksheet, and its plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from sapper.board.board import Board
from sapper.board.tilings import TILINGS
from sapper.render.scene import Scene
from sapper.render.text import scene_text
from sapper.worksheets.kind import Task, WorksheetItem
from sapper.worksheets.options import PAPER_SIZES, SheetStyle


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

WHITE = "#ffffff"
NUMBER_TINT = "#e8edf3"

GRAPH_NEIGHBOURS_TEXT = "Cells that a line joins are next to each other, as in the picture."


@dataclass(frozen=True)
class Worksheet:
    """The problems of a worksheet, and how to print them."""

    items: Sequence[WorksheetItem]
    footer: str
    """A line at the bottom of every page: what the worksheet was made from."""
    style: SheetStyle
    """With a title."""
    task: Task
    link: str = ""
    """The address at which the worksheet can be made again, printed as a QR code."""
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
    return "\n\n".join(filter(None, [*parts, textwrap.fill(sheet.footer, 78), sheet.link])) + "\n"


def _answer_row_text(prompts: tuple[str, ...]) -> str:
    """Return a row of lines to write on, 60 characters wide in all."""
    width = 60 // len(prompts) - 2
    return "  ".join(f"{prompt} ".lstrip().ljust(width, "_") for prompt in prompts)
