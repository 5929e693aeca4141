"""Worksheets of training puzzles: positions of real games in which something is certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sapper.generators.puzzles import Puzzle, PuzzleRules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.wording import count_text
from sapper.worksheets.kind import Task, WorksheetItem
from sapper.worksheets.options import SheetStyle
from sapper.worksheets.sheet import Worksheet

TITLE = "Find the safe cells and the mines"

TASK = Task(
    (
        "A flag marks a mine that is already known. Some of the empty cells can be decided: put a "
        "cross where there must be a mine, and a dash where there cannot be one.",
        "The dots show how many numbers must be combined; fewer are not enough. "
        "One cell is enough to solve the puzzle; the solutions show all of them.",
    )
)


def puzzle_sheet(rules: PuzzleRules, puzzles: Sequence[Puzzle], style: SheetStyle) -> Worksheet:
    """Return a worksheet of training puzzles; its footer names their rules and their first seed."""
    difficulty = DIFFICULTIES[rules.difficulty]
    items = [
        WorksheetItem(
            puzzle.position,
            puzzle.flag,
            puzzle.difficulty,
            safe_cells=puzzle.reveal,
            outlined=puzzle.proof.number_cells,
            shows_mine_count=difficulty.uses_mine_count,
        )
        for puzzle in puzzles
    ]
    footer = (
        f"{TITLE}: {rules.rules.board}, {count_text(rules.rules.mines, 'mine')}, "
        f"difficulty {difficulty.label}, number of puzzles {len(puzzles)}, seed {puzzles[0].seed}"
    )
    return Worksheet(items, footer, replace(style, title=style.title or TITLE), TASK)
